/** A Dockerfile's instructions as dockerfile-ast finds them, each with its flags, its joined text and its here-documents. */
import { Copy, DockerfileParser, From, type Heredoc, type Instruction, Run } from 'dockerfile-ast';

export interface DockerHeredoc {
  readonly name: string;
  readonly text: string;
  /** Quoted names (`<<'EOF'`) leave variables alone. */
  readonly expands: boolean;
}

export interface DockerLine {
  readonly keyword: string;
  /** By name without dashes; a flag without a value is `''`. */
  readonly flags: ReadonlyMap<string, string>;
  /** What follows the flags, continuation lines joined, comments between them left out, here-documents left out. */
  readonly text: string;
  readonly heredocs: readonly DockerHeredoc[];
  /** Where an image, or a stage, is named: behind FROM, or by `COPY --from`. */
  readonly origin: TextPlace | undefined;
  /** 1-based. */
  readonly line: number;
  /** As it stands in the file. */
  readonly source: string;
}

/** A part of one line of a file. */
export interface TextPlace {
  /** 1-based. */
  readonly line: number;
  /** In UTF-16 code units from the start of the line; the end is behind the last one. */
  readonly start: number;
  readonly end: number;
}

export interface DockerLines {
  readonly lines: readonly DockerLine[];
  readonly escape: string;
}

/** Splits a Dockerfile into its instructions. */
export function dockerLines(text: string): DockerLines {
  const file = DockerfileParser.parse(text);
  const source = text.split(/\r?\n/);
  const escape = file.getEscapeCharacter();
  return {
    lines: file.getInstructions().map((instruction) => lineOf(instruction, source, escape)),
    escape,
  };
}

function lineOf(instruction: Instruction, source: readonly string[], escape: string): DockerLine {
  const { start, end } = instruction.getRange();
  const keyword = instruction.getKeyword();
  const heredocs = heredocsOf(instruction).filter((heredoc) => heredoc.getDelimiterRange() !== null);
  const headerEnd = heredocs[0]?.getStartRange().end.line ?? end.line;
  const header = joined(source.slice(start.line, headerEnd + 1), escape);
  const { flags, rest } = flagsOf(header.trimStart().slice(keyword.length).trim());
  return {
    keyword,
    flags,
    text: rest,
    heredocs: heredocs.map((heredoc) => heredocFrom(heredoc, source, rest)),
    origin: originOf(instruction),
    line: start.line + 1,
    source: source
      .slice(start.line, end.line + 1)
      .join('\n')
      .trim(),
  };
}

/** Joins continuation lines; a comment or an empty line between them is no part of the text. */
function joined(lines: readonly string[], escape: string): string {
  return lines
    .filter((line, index) => index === 0 || !/^\s*(#.*)?$/.test(line))
    .map((line) => {
      const trimmed = line.trimEnd();
      return trimmed.endsWith(escape) ? trimmed.slice(0, -1) : line;
    })
    .join('');
}

function flagsOf(text: string): { readonly flags: ReadonlyMap<string, string>; readonly rest: string } {
  const flags = new Map<string, string>();
  let rest = text;
  for (;;) {
    const [whole, name, value] = /^--([a-z-]+)(?:=(\S*))?(?:\s+|$)/.exec(rest) ?? [];
    if (whole === undefined || name === undefined) return { flags, rest };
    flags.set(name, value ?? '');
    rest = rest.slice(whole.length);
  }
}

function originOf(instruction: Instruction): TextPlace | undefined {
  const range =
    instruction instanceof From
      ? instruction.getImageRange()
      : instruction instanceof Copy
        ? instruction
            .getFlags()
            .find((flag) => flag.getName() === 'from')
            ?.getValueRange()
        : undefined;
  if (!range || range.start.line !== range.end.line) return undefined;
  return { line: range.start.line + 1, start: range.start.character, end: range.end.character };
}

function heredocsOf(instruction: Instruction): readonly Heredoc[] {
  return instruction instanceof Copy || instruction instanceof Run ? instruction.getHeredocs() : [];
}

function heredocFrom(heredoc: Heredoc, source: readonly string[], header: string): DockerHeredoc {
  const name = heredoc.getName();
  const content = heredoc.getContentRange();
  const delimiter = heredoc.getDelimiterRange();
  const lines =
    content === null || delimiter === null ? [] : source.slice(content.start.line, delimiter.start.line);
  const [, dash, quote] = new RegExp(`<<(-?)(["']?)${escapeRegExp(name)}`).exec(header) ?? [];
  const text = lines.map((line) => `${dash === '-' ? line.replace(/^\t+/, '') : line}\n`).join('');
  return { name, text, expands: quote === undefined || quote === '' };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
