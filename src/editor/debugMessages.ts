/**
 * What passes between VS Code and a debugger in a container. The debugger is a part of the task, so it is not trusted:
 * it may answer and tell, but ask for nothing (`runInTerminal` and `startDebugging` would run programs of its choice on
 * the host), and what it says holds no link, no notification and no path of the host but those of the task's own files.
 * Pure. https://microsoft.github.io/debug-adapter-protocol/specification
 */
import { TRACE_FOLDER } from '../verifier/traceScript.ts';
import { plainNotification } from './failureMessage.ts';
import { plainLabel } from './plainLabel.ts';

export type DebugMessage = Readonly<Record<string, unknown>>;

/** Paths of files that both sides have. */
export interface DebugPaths {
  /** A path in the container of one that VS Code shows. */
  readonly toContainer: (shown: string) => string | undefined;
  /** As VS Code shows a file of the container. */
  readonly toShown: (container: string) => string | undefined;
  /** Every file that both have, by its path in the container. */
  readonly shared: readonly string[];
}

/** What is sent on, and to whom. */
export type Passed =
  { readonly to: 'debugger' | 'editor'; readonly message: DebugMessage } | { readonly to: 'nobody' };

const NOBODY: Passed = { to: 'nobody' };

/** Events that only inform; those of progress and telemetry are left out. */
const EVENTS = new Set([
  ...['initialized', 'stopped', 'continued', 'exited', 'terminated', 'thread', 'output', 'breakpoint'],
  ...['module', 'loadedSource', 'process', 'capabilities', 'invalidated', 'memory'],
]);

const NOT_THERE = 'This file is not in the container.';

/** A message of VS Code. */
export function fromEditor(message: DebugMessage, paths: DebugPaths): Passed {
  const { command, seq } = message;
  if (message['type'] !== 'request') return NOBODY;
  const args = isRecord(message['arguments']) ? message['arguments'] : {};
  if (command === 'initialize')
    return toDebugger({
      ...message,
      arguments: {
        ...args,
        supportsRunInTerminalRequest: false,
        supportsStartDebuggingRequest: false,
        supportsProgressReporting: false,
      },
    });
  if (command === 'attach') return toDebugger({ ...message, arguments: attachArguments(paths) });
  const source = isRecord(args['source']) ? args['source'] : undefined;
  const shown = source?.['path'];
  if (typeof shown !== 'string' || isReference(source?.['sourceReference'])) return toDebugger(message);
  const path = paths.toContainer(shown);
  if (path !== undefined)
    return toDebugger({ ...message, arguments: { ...args, source: { ...source, path } } });
  if (command !== 'setBreakpoints') return toEditor(refusal(seq, command, NOT_THERE));
  const wanted = Array.isArray(args['breakpoints']) ? args['breakpoints'] : [];
  const breakpoints = wanted.map(() => ({ verified: false, message: NOT_THERE }));
  return toEditor({ ...answer(seq, command), success: true, body: { breakpoints } });
}

/** A message of the debugger. */
export function fromDebugger(value: unknown, paths: DebugPaths): Passed {
  if (!isRecord(value)) return NOBODY;
  const { type, seq, command, event } = value;
  const body = withShownPaths(value['body'], paths);
  switch (type) {
    case 'request':
      return toDebugger(refusal(seq, command, 'Repair Bench runs nothing that a container asks for.'));
    case 'response':
      return toEditor({
        ...answer(value['request_seq'], command),
        success: value['success'] === true,
        ...(value['success'] === true ? { body } : failure(value)),
      });
    case 'event':
      if (typeof event !== 'string' || !EVENTS.has(event)) return NOBODY;
      if (event === 'output') return output(body);
      return toEditor({ type: 'event', seq: 0, event, body });
    default:
      return NOBODY;
  }
}

/** What the tests print, for the debug console. */
export function printed(text: string): DebugMessage {
  return { type: 'event', seq: 0, event: 'output', body: { category: 'stdout', output: text } };
}

export function terminated(): DebugMessage {
  return { type: 'event', seq: 0, event: 'terminated' };
}

/** `important` would be a notification. */
function output(body: unknown): Passed {
  if (!isRecord(body) || body['category'] === 'telemetry') return NOBODY;
  const category =
    body['category'] === 'stdout' || body['category'] === 'stderr' ? body['category'] : 'console';
  return toEditor({ type: 'event', seq: 0, event: 'output', body: { ...body, category } });
}

/** An error of the protocol may name a `url`, which VS Code would open as a command too. */
function failure(value: DebugMessage): DebugMessage {
  const error = isRecord(value['body']) && isRecord(value['body']['error']) ? value['body']['error'] : {};
  const said = typeof error['format'] === 'string' ? error['format'] : value['message'];
  const message = typeof said === 'string' ? plainNotification(said) : 'The debugger refused.';
  return { message, body: { error: { id: 0, format: message.replace(/[{}]/g, ''), showUser: false } } };
}

/** Of the attach request nothing is the person's; the mapping to itself makes debugpy hand out other files as text. */
function attachArguments({ shared }: DebugPaths): DebugMessage {
  return {
    type: 'python',
    request: 'attach',
    name: 'Repair Bench',
    justMyCode: true,
    subProcess: false,
    showReturnValue: true,
    rules: [{ path: `${TRACE_FOLDER}/**`, include: false }],
    pathMappings: shared.map((path) => ({ localRoot: path, remoteRoot: path })),
  };
}

/** Deeper than any message of the protocol. */
const DEEPEST = 32;

/** The same with every source told as VS Code should show it. */
function withShownPaths(value: unknown, paths: DebugPaths, depth = 0): unknown {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((each) => withShownPaths(each, paths, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key === 'source') return [key, isRecord(each) ? shownSource(each, paths) : undefined];
      if (key === 'sources') return [key, []];
      return [key, withShownPaths(each, paths, depth + 1)];
    }),
  );
}

/** A file of the task, or text that the debugger hands out; a path of the host is never taken from a container. */
function shownSource(source: DebugMessage, paths: DebugPaths): DebugMessage {
  const path = typeof source['path'] === 'string' ? source['path'] : '';
  const name = plainLabel(path.slice(path.lastIndexOf('/') + 1)).replaceAll(/[:\\]/g, '_');
  const shown = paths.toShown(path);
  if (shown !== undefined) return { name, path: shown, sourceReference: 0 };
  if (isReference(source['sourceReference']))
    return { name, path, sourceReference: source['sourceReference'] };
  return name === '' ? {} : { name, presentationHint: 'deemphasize' };
}

function isReference(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function refusal(seq: unknown, command: unknown, message: string): DebugMessage {
  return { ...answer(seq, command), success: false, message };
}

function answer(seq: unknown, command: unknown): DebugMessage {
  return { type: 'response', seq: 0, request_seq: seq, command };
}

function toDebugger(message: DebugMessage): Passed {
  return { to: 'debugger', message };
}

function toEditor(message: DebugMessage): Passed {
  return { to: 'editor', message };
}

function isRecord(value: unknown): value is DebugMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
