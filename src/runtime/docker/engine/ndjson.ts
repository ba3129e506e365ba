/** Reads a stream of JSON lines, as the engine sends them for builds and pulls. */
const LONGEST_LINE = 1024 * 1024;

/**
 * Yields the value of each line. Lines that are not JSON (proxies and older engines send some) are yielded as
 * strings; of a line longer than `longest` characters only the first part is, as a string.
 */
export async function* readJsonLines(
  stream: AsyncIterable<Uint8Array>,
  longest: number = LONGEST_LINE,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let line = '';
  let cut = false;
  const append = (text: string): void => {
    cut ||= line.length + text.length > longest;
    line = cut ? (line + text.slice(0, longest)).slice(0, longest) : line + text;
  };
  for await (const chunk of stream) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        yield* valueOf(line, cut);
        line = '';
        cut = false;
      }
      append(part);
    }
  }
  append(decoder.decode());
  yield* valueOf(line, cut);
}

function* valueOf(line: string, cut: boolean): Generator<unknown> {
  const text = line.trim();
  if (text === '') return;
  yield cut ? text : parseOrText(text);
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
