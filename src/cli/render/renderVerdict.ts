/** A verdict as lines of text for a person: what ran, gates, cases, reward, clocks, warnings, what to do next. Pure. */
import type { Remedy } from '../../fault/remedy.ts';
import type { Clocks } from '../../runtime/evidence.ts';
import { type ImageMap, mapImage } from '../../runtime/docker/image/imageMap.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type {
  EngineErrorVerdict,
  Gate,
  NoVerifierVerdict,
  Place,
  RanVerdict,
  RewardlessVerdict,
  TestCase,
  UnscoredVerdict,
  Verdict,
} from '../../verifier/verdict/verdict.ts';
import { reasonOf, rewardText } from '../../verifier/verdict/verdictFacts.ts';
import { blameWords, caseStateWord, outcomeLabel } from '../../verifier/verdict/words.ts';
import { durationText } from '../../wording/durationText.ts';
import { joined } from '../../wording/joinWords.ts';
import { inEnglish } from '../../wording/translate.ts';
import type { CommandName } from '../commands.ts';
import type { TaskDocument } from '../documents/jsonDocuments.ts';
import type { Colour, TerminalStyle } from '../terminal/terminalStyle.ts';
import { marked, outcomeColour, stateMark } from '../terminal/marks.ts';
import { remedyWords, warningWords } from '../failures/remedyWords.ts';
import { cut, displayWidth, hang, oneLine, padEnd, printable, wrap } from '../terminal/textLayout.ts';

export interface VerdictReport {
  readonly task: TaskDocument;
  /** What was verified, such as `starter` or `your solution: 1 file changed`. */
  readonly subject: string;
  /** How the task's image was used, when it was not used as it is; goes after its name. */
  readonly imageUse?: string;
  /** Such as `Docker 28.2.2, linux/amd64`; undefined when no runtime could be had, or was needed. */
  readonly runtime: string | undefined;
  readonly verdict: Verdict;
  /** The command at hand, whose options remedies name. */
  readonly command: CommandName;
  /** How to name a container's file so that the person can open it. */
  readonly showPath: (path: Place['path']) => string;
}

const MOST_CASES = 40;
const MOST_OUTPUT_LINES = 12;
const INDENT = '      ';

/** What {@link VerdictReport.imageUse} says; undefined when the image was used as it is, or none was. */
export function imageUseOf(
  image: string | null,
  runtime: Runtime['kind'] | undefined,
  map: ImageMap,
): string | undefined {
  if (image === null) return undefined;
  if (runtime === 'sandbox') return 'not used: the sandbox builds no image';
  const used = runtime === 'docker' ? mapImage(image, map) : image;
  return used === image ? undefined : `as ${used}`;
}

export function renderVerdict(report: VerdictReport, style: TerminalStyle): string[] {
  const { verdict } = report;
  const parts = [header(report, style), problems(report, style)];
  switch (verdict.outcome) {
    case 'scored':
      parts.push(
        gates(verdict, report, style),
        cases(verdict, report, style),
        scored(verdict, report, style),
      );
      break;
    case 'unscored':
      parts.push(
        gates(verdict, report, style),
        cases(verdict, report, style),
        unscored(verdict, report, style),
      );
      break;
    case 'no-verifier':
      parts.push(noVerifier(verdict, report, style));
      break;
    case 'engine-error':
      parts.push(engineError(verdict, report, style));
      break;
    case 'cancelled':
      parts.push([style.paint('yellow', 'Cancelled: there is no verdict.')]);
  }
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : ['', ...part]));
}

function header({ task, subject, imageUse, runtime }: VerdictReport, style: TerminalStyle): string[] {
  const family = task.shape === null ? task.family : `${task.family} ${task.shape}`;
  const use = imageUse === undefined ? '' : `, ${imageUse}`;
  const facts: [string, string][] = [
    ['Task', `${oneLine(task.id)} (${family})`],
    ['Verified', subject],
    ['Image', `${task.image ?? 'none'}${use}`],
    ['Runtime', runtime ?? 'none'],
  ];
  return facts.flatMap(([name, value]) =>
    hang(padEnd(name, 10), oneLine(value), style.width).map((line, index) =>
      index === 0 ? style.paint('dim', line.slice(0, 10)) + line.slice(10) : line,
    ),
  );
}

/** What is wrong with the task itself, as it was found before anything ran. */
function problems({ task }: VerdictReport, style: TerminalStyle): string[] {
  return task.problems.flatMap(({ file, line, message, severity }) => {
    const where = line === undefined ? file : `${file}:${line}`;
    return attention(`${where}: ${message}`, style, severity === 'blocking' ? 'red' : 'yellow');
  });
}

function gates(verdict: RanVerdict, { showPath }: VerdictReport, style: TerminalStyle): string[] {
  const titles = verdict.gates.map((gate) =>
    cut(oneLine(gate.title), Math.max(20, style.width - 40), style.symbols.ellipsis),
  );
  const titleWidth = Math.max(0, ...titles.map(displayWidth));
  const lineWidth = Math.max(0, ...verdict.gates.map((gate) => lineText(gate).length));
  return verdict.gates.flatMap((gate, index) => {
    const { mark, colour } = stateMark(gate.state, style);
    const title = padEnd(titles[index] ?? '', titleWidth);
    const decisive = gate.decisive
      ? style.paint('bold', `  ${style.symbols.decisive} decided the reward`)
      : '';
    const line = style.paint('dim', gate.decisive ? padEnd(lineText(gate), lineWidth) : lineText(gate));
    const head = `  ${style.paint(colour, mark)} ${gate.state === 'not-reached' ? style.paint('dim', title) : title}  ${line}${decisive}`;
    const says = gate.state === 'failed' || gate.state === 'errored';
    return [head, ...(says ? gateMessage(gate, showPath, style) : [])];
  });
}

function lineText(gate: Gate): string {
  return `test.sh:${gate.line}`;
}

function gateMessage(gate: Gate, showPath: VerdictReport['showPath'], style: TerminalStyle): string[] {
  return [
    ...(gate.message === '' ? [] : hang(INDENT, oneLine(gate.message), style.width)),
    ...placeLines(gate.at, undefined, showPath, style),
  ];
}

function placeLines(
  at: Place | undefined,
  related: Place | undefined,
  showPath: VerdictReport['showPath'],
  style: TerminalStyle,
): string[] {
  if (at === undefined) return [];
  const other = related === undefined ? '' : style.paint('dim', `  (${placeText(related, showPath)})`);
  return [`${INDENT}${style.paint('cyan', placeText(at, showPath))}${other}`];
}

function placeText({ path, line, column }: Place, showPath: VerdictReport['showPath']): string {
  const position = column === undefined ? String(line) : `${line}:${column}`;
  return `${oneLine(showPath(path))}:${position}`;
}

const CASE_ORDER: readonly TestCase['state'][] = ['failed', 'errored', 'skipped', 'passed'];

function cases(verdict: RanVerdict, { showPath }: VerdictReport, style: TerminalStyle): string[] {
  if (verdict.cases.length === 0) return [];
  const counts = CASE_ORDER.toReversed().flatMap((state) => {
    const count = verdict.cases.filter((each) => each.state === state).length;
    return count === 0 ? [] : [`${count} ${caseStateWord(state, inEnglish, count)}`];
  });
  const shown =
    verdict.cases.length <= MOST_CASES
      ? verdict.cases
      : CASE_ORDER.flatMap((state) => verdict.cases.filter((each) => each.state === state)).slice(
          0,
          MOST_CASES,
        );
  const names = shown.map(({ name }) =>
    cut(oneLine(name), Math.max(20, style.width - 16), style.symbols.ellipsis),
  );
  const nameWidth = Math.max(...names.map(displayWidth));
  const left = verdict.cases.length - shown.length;
  return [
    `${style.paint('bold', 'Tests')}  ${counts.join(', ')}`,
    ...shown.flatMap((each, index) =>
      caseLines(each, padEnd(names[index] ?? '', nameWidth), showPath, style),
    ),
    ...(left > 0 ? [style.paint('dim', `  ${style.symbols.ellipsis} and ${left} more`)] : []),
  ];
}

function caseLines(
  each: TestCase,
  name: string,
  showPath: VerdictReport['showPath'],
  style: TerminalStyle,
): string[] {
  const { mark, colour } = stateMark(each.state, style);
  const time = each.durationMs === undefined ? '' : style.paint('dim', `  ${durationText(each.durationMs)}`);
  const message = each.state === 'passed' ? undefined : each.message;
  return [
    `  ${style.paint(colour, mark)} ${name}${time}`.trimEnd(),
    ...(message === undefined || message === '' ? [] : hang(INDENT, oneLine(message), style.width)),
    ...(each.state === 'passed' ? [] : placeLines(each.at, each.related, showPath, style)),
  ];
}

function scored(
  verdict: Extract<RanVerdict, { outcome: 'scored' }>,
  report: VerdictReport,
  style: TerminalStyle,
): string[] {
  const others = Object.entries(verdict.rewards).filter(([key]) => key !== 'reward');
  const facts = [
    ...others.map(([key, value]) => `${oneLine(key)} ${rewardText(value)}`),
    verdict.passRatio === undefined ? '' : `pass ratio ${rewardText(verdict.passRatio)}`,
    verdict.rewardLine === undefined ? '' : `written at test.sh:${verdict.rewardLine}`,
  ];
  const notes = joined(facts, ` ${style.symbols.dot} `);
  const reward = style.paint('bold', style.paint(outcomeColour(verdict), outcomeLabel(verdict, inEnglish)));
  return [
    notes === '' ? reward : `${reward}  ${style.paint('dim', notes)}`,
    clocksLine(verdict.clocks, style),
    ...warnings(verdict, report, style),
  ];
}

function unscored(verdict: UnscoredVerdict, report: VerdictReport, style: TerminalStyle): string[] {
  return [
    ...headline(verdict, style),
    ...hang('  ', verdict.message, style.width),
    ...next(verdict.remedies, report, style),
    ...outputTail(verdict, style),
    clocksLine(verdict.clocks, style),
    ...warnings(verdict, report, style),
  ];
}

function noVerifier(verdict: NoVerifierVerdict, report: VerdictReport, style: TerminalStyle): string[] {
  return [
    ...headline(verdict, style),
    ...hang('  ', verdict.message, style.width),
    ...next(verdict.remedies, report, style),
  ];
}

function engineError(verdict: EngineErrorVerdict, report: VerdictReport, style: TerminalStyle): string[] {
  const at =
    verdict.at === undefined
      ? []
      : [`  ${style.paint('cyan', `${oneLine(verdict.at.file)}:${verdict.at.line}`)}`];
  const detail = verdict.detail === undefined || verdict.detail === verdict.message ? '' : verdict.detail;
  return [
    ...headline(verdict, style),
    ...hang('  ', verdict.message, style.width),
    ...at,
    ...quoted(detail, style),
    ...next(verdict.remedies, report, style),
  ];
}

function headline(verdict: RewardlessVerdict, style: TerminalStyle): string[] {
  const text = `${outcomeLabel(verdict, inEnglish)} (${reasonOf(verdict)}): ${blameWords(verdict, inEnglish)}.`;
  return wrap(text, style.width).map((line) =>
    style.paint('bold', style.paint(outcomeColour(verdict), line)),
  );
}

function outputTail({ output }: UnscoredVerdict, style: TerminalStyle): string[] {
  const lines = quoted(output.text, style);
  return lines.length === 0 ? [] : ['', style.paint('dim', 'The end of its output:'), ...lines, ''];
}

/** Somebody else's words, the last lines of them. */
function quoted(text: string, style: TerminalStyle): string[] {
  const lines = printable(text.trim()).split('\n').slice(-MOST_OUTPUT_LINES);
  if (lines.length === 1 && lines[0] === '') return [];
  return lines.map((line) => style.paint('dim', `  | ${cut(line, style.width - 4, style.symbols.ellipsis)}`));
}

function next(remedies: readonly Remedy[], { command }: VerdictReport, style: TerminalStyle): string[] {
  return hang('  Next: ', remedyWords(remedies, command), style.width);
}

function warnings(verdict: RanVerdict, { command }: VerdictReport, style: TerminalStyle): string[] {
  if (verdict.warnings.length === 0) return [];
  return [
    '',
    ...verdict.warnings.flatMap((warning) => attention(warningWords(warning, command), style, 'yellow')),
  ];
}

function attention(message: string, style: TerminalStyle, colour: Colour): string[] {
  return marked({ mark: style.symbols.attention, colour }, message, style);
}

/** What a person waits for, in one line; everything around build and script is "rest". */
function clocksLine(clocks: Clocks, style: TerminalStyle): string {
  const { build, oracle, verify, ...others } = clocks;
  const rest = Object.values(others).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  const named: [string, number | undefined][] = [
    ['build', build],
    ['solve.sh', oracle],
    ['verify', verify],
    ['rest', Object.keys(others).length === 0 ? undefined : rest],
  ];
  const shown = named.map(([name, ms]) => (ms === undefined ? '' : `${name} ${durationText(ms)}`));
  return style.paint('dim', joined(shown, ` ${style.symbols.dot} `));
}
