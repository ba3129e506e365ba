/**
 * What passes between VS Code and a debugger in a container. The debugger is a part of the task, so it is not trusted:
 * it may answer and tell, but ask for nothing (`runInTerminal` and `startDebugging` would run programs of its choice on
 * the host). Only requests, events and capabilities that debugpy has are known here, and what is shown of them is in
 * `debugBodies.ts`. Pure. https://microsoft.github.io/debug-adapter-protocol/specification
 */
import { OUR_FOLDER } from '../../verifier/plan/containerLayout.ts';
import {
  breakpointsBody,
  capabilities,
  type DebugMessage,
  isRecord,
  isReference,
  outputBody,
  plainError,
  type ShownPath,
  shownBody,
} from './debugBodies.ts';

export type { DebugMessage } from './debugBodies.ts';

/** The files that VS Code and the container both have. */
export interface DebugPaths {
  /** The container path of a file that VS Code shows. */
  readonly toContainer: (shown: string) => string | undefined;
  readonly toShown: ShownPath;
  /** Every Python file that both have, by its path in the container. */
  readonly shared: readonly string[];
}

/** What is sent on, and to whom. */
export type Passed =
  { readonly to: 'debugger' | 'editor'; readonly message: DebugMessage } | { readonly to: 'nobody' };

const NOBODY: Passed = { to: 'nobody' };

/** Neither `restart`, which VS Code does itself, nor what shows or changes memory and machine code. */
const REQUESTS: ReadonlySet<unknown> = new Set([
  ...['initialize', 'attach', 'configurationDone', 'threads', 'stackTrace', 'scopes', 'variables', 'source'],
  ...['setBreakpoints', 'setFunctionBreakpoints', 'setExceptionBreakpoints', 'exceptionInfo', 'modules'],
  ...['continue', 'next', 'stepIn', 'stepOut', 'pause', 'stepInTargets', 'goto', 'gotoTargets'],
  ...['evaluate', 'setVariable', 'setExpression', 'completions', 'loadedSources'],
]);

/** Events that only inform; those of progress, telemetry and capabilities are left out. */
const EVENTS: ReadonlySet<unknown> = new Set([
  ...['initialized', 'stopped', 'continued', 'exited', 'thread', 'module', 'loadedSource', 'process'],
  'invalidated',
]);

const NOT_THERE = 'This file is not in the container.';
const NOT_KNOWN = 'Repair Bench does not pass this on to a debugger in a container.';

/** A message of VS Code. */
export function fromEditor(message: DebugMessage, paths: DebugPaths): Passed {
  const { command, seq } = message;
  if (message['type'] !== 'request') return NOBODY;
  // The container ends with the session, so the debugger cannot be asked.
  if (isFarewell(message)) return toEditor({ ...answer(seq, command), success: true });
  if (!REQUESTS.has(command)) return toEditor(refusal(seq, command, NOT_KNOWN));
  const args = isRecord(message['arguments']) ? message['arguments'] : {};
  if (command === 'initialize')
    return toDebugger({
      ...message,
      arguments: {
        ...args,
        supportsRunInTerminalRequest: false,
        supportsStartDebuggingRequest: false,
        supportsProgressReporting: false,
        supportsMemoryReferences: false,
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

/** Whether VS Code wants the session to end. */
export function isFarewell({ type, command }: DebugMessage): boolean {
  return type === 'request' && (command === 'disconnect' || command === 'terminate');
}

/** A message of the debugger. */
export function fromDebugger(value: unknown, { toShown }: DebugPaths): Passed {
  if (!isRecord(value)) return NOBODY;
  const { type, seq, command, body } = value;
  if (type === 'request')
    return toDebugger(refusal(seq, command, 'Repair Bench runs nothing that a container asks for.'));
  if (type === 'event') return fromEvent(value['event'], body, toShown);
  if (type !== 'response') return NOBODY;
  const response = answer(value['request_seq'], command);
  if (value['success'] !== true) {
    const text = plainError(value);
    const error = { id: 0, format: text, showUser: false };
    return toEditor({ ...response, success: false, message: text, body: { error } });
  }
  return toEditor({ ...response, success: true, body: answerBody(command, body, toShown) });
}

/** What the tests print, for the debug console. */
export function printed(text: string): DebugMessage {
  return event('output', { category: 'stdout', output: text });
}

/** The event without `restart`, which would make VS Code start the session again and again. */
export function terminated(): DebugMessage {
  return event('terminated');
}

function fromEvent(name: unknown, body: unknown, toShown: ShownPath): Passed {
  switch (name) {
    case 'terminated':
      return toEditor(terminated());
    case 'output': {
      const output = outputBody(body, toShown);
      return output ? toEditor(event('output', output)) : NOBODY;
    }
    case 'breakpoint': {
      // New ones would be kept, and others deleted by a number that the debugger makes up.
      if (!isRecord(body) || body['reason'] !== 'changed') return NOBODY;
      const [breakpoint] = breakpointsBody({ breakpoints: [body['breakpoint']] }, toShown).breakpoints;
      return breakpoint ? toEditor(event('breakpoint', { reason: 'changed', breakpoint })) : NOBODY;
    }
    default:
      return EVENTS.has(name) && typeof name === 'string'
        ? toEditor(event(name, shownBody(body, toShown)))
        : NOBODY;
  }
}

function answerBody(command: unknown, body: unknown, toShown: ShownPath): unknown {
  if (command === 'initialize') return capabilities(body);
  if (typeof command === 'string' && /^set\w*Breakpoints$/.test(command))
    return breakpointsBody(body, toShown);
  return shownBody(body, toShown);
}

/** The attach request holds nothing that a person wrote. Mapping paths to themselves makes debugpy hand out other files as text. */
function attachArguments({ shared }: DebugPaths): DebugMessage {
  return {
    type: 'python',
    request: 'attach',
    name: 'Repair Bench',
    justMyCode: true,
    subProcess: false,
    showReturnValue: true,
    rules: [{ path: `${OUR_FOLDER}/**`, include: false }],
    pathMappings: shared.map((path) => ({ localRoot: path, remoteRoot: path })),
  };
}

function event(name: string, body?: unknown): DebugMessage {
  return { type: 'event', seq: 0, event: name, ...(body === undefined ? {} : { body }) };
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
