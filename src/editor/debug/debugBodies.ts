/**
 * Cleans the bodies of a debugger's messages for VS Code: they keep no link that runs a command, no path of the host but
 * those of the task's own files, and nothing that outlives the session. Pure.
 */
import { plainLabel, plainNotification, plainOutput } from '../platform/text/plainText.ts';

export type DebugMessage = Readonly<Record<string, unknown>>;

/** The source under which VS Code shows a file of the container; undefined when it cannot show it. */
export type ShownPath = (container: string) => string | undefined;

/** No message of the protocol is nested this deep. */
const DEEPEST = 32;
/** Characters kept of a traceback; its last part says most. */
const MOST_ERROR = 4000;

/**
 * Parts that lead VS Code elsewhere: `location` is a source by another name, the references open memory and machine
 * code, and the context would hand the debugger's data to other extensions' menus.
 */
const LEFT_OUT = new Set([
  ...['sources', 'location', 'memoryReference', 'instructionPointerReference'],
  ...['declarationLocationReference', 'valueLocationReference', '__vscodeVariableMenuContext'],
]);

/** A name, its attributes and items: what "Add to Watch" keeps, and evaluates in later sessions of other programs too. */
const PLAIN_EXPRESSION = /^[A-Za-z_]\w*(\.\w+|\[(-?\d+|'[^'\\]*'|"[^"\\]*")\])*$/;
const MOST_EXPRESSION = 200;

/** Capabilities of debugpy 1.6 to 1.8, without memory, machine code and restart. */
const CAPABILITIES = [
  ...['Completions', 'ConfigurationDone', 'ExceptionInfo', 'Modules', 'GotoTargets', 'StepInTargets'].map(
    (name) => `supports${name}Request`,
  ),
  ...['ConditionalBreakpoints', 'FunctionBreakpoints', 'HitConditionalBreakpoints', 'LogPoints'].map(
    (name) => `supports${name}`,
  ),
  ...['DelayedStackTraceLoading', 'EvaluateForHovers', 'ExceptionOptions', 'SetExpression'].map(
    (name) => `supports${name}`,
  ),
  ...['SetVariable', 'ValueFormattingOptions', 'ClipboardContext', 'ExceptionFilterOptions'].map(
    (name) => `supports${name}`,
  ),
];

const BREAKPOINT = ['id', 'verified', 'line', 'column', 'endLine', 'endColumn'];

/** A body as it may be shown. */
export function shownBody(value: unknown, toShown: ShownPath, depth = 0): unknown {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((each) => shownBody(each, toShown, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]): (readonly [string, unknown])[] => {
      if (LEFT_OUT.has(key) || (key === 'evaluateName' && !isPlainExpression(each))) return [];
      if (key === 'source') return [[key, isRecord(each) ? shownSource(each, toShown) : undefined]];
      return [[key, shownBody(each, toShown, depth + 1)]];
    }),
  );
}

/** The answer to setting breakpoints. VS Code shows a breakpoint's message as Markdown that may run commands. */
export function breakpointsBody(
  body: unknown,
  toShown: ShownPath,
): { readonly breakpoints: readonly DebugMessage[] } {
  const given = isRecord(body) && Array.isArray(body['breakpoints']) ? body['breakpoints'] : [];
  return {
    breakpoints: given.map((breakpoint: unknown) => {
      if (!isRecord(breakpoint)) return { verified: false };
      const { source, message } = breakpoint;
      return {
        ...only(breakpoint, BREAKPOINT),
        ...(isRecord(source) ? { source: shownSource(source, toShown) } : {}),
        ...(typeof message === 'string' ? { message: plainNotification(message).replaceAll('`', "'") } : {}),
      };
    }),
  };
}

/** What the debugger can do. */
export function capabilities(body: unknown): DebugMessage {
  if (!isRecord(body)) return {};
  const filters = Array.isArray(body['exceptionBreakpointFilters']) ? body['exceptionBreakpointFilters'] : [];
  return {
    ...only(body, CAPABILITIES),
    exceptionBreakpointFilters: filters.filter(isRecord).map((filter) => ({
      ...only(filter, ['default', 'supportsCondition']),
      filter: String(filter['filter']),
      label: plainLabel(String(filter['label'])),
      ...(typeof filter['description'] === 'string'
        ? { description: plainLabel(filter['description']) }
        : {}),
    })),
  };
}

/** What the debugger prints; undefined when nobody should see it. The category `important` would become a notification. */
export function outputBody(body: unknown, toShown: ShownPath): DebugMessage | undefined {
  if (!isRecord(body) || body['category'] === 'telemetry' || typeof body['output'] !== 'string')
    return undefined;
  const { category, source, line, variablesReference } = body;
  return {
    category: category === 'stdout' || category === 'stderr' ? category : 'console',
    output: plainOutput(body['output']),
    ...(isRecord(source) ? { source: shownSource(source, toShown), line } : {}),
    ...(isReference(variablesReference) ? { variablesReference } : {}),
  };
}

/** An error of the protocol as text. It may name a `url` besides, which VS Code would open as a command too. */
export function plainError(value: DebugMessage): string {
  const error = isRecord(value['body']) && isRecord(value['body']['error']) ? value['body']['error'] : {};
  const message = typeof error['format'] === 'string' ? error['format'] : value['message'];
  if (typeof message !== 'string' || message === '') return 'The debugger refused.';
  return plainOutput(message).slice(-MOST_ERROR).replaceAll('](', '] (');
}

export function isRecord(value: unknown): value is DebugMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a source is text that the debugger hands out. */
export function isReference(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function only(value: DebugMessage, keys: readonly string[]): DebugMessage {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const each = value[key];
      return typeof each === 'boolean' || typeof each === 'number' ? [[key, each]] : [];
    }),
  );
}

function isPlainExpression(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MOST_EXPRESSION && PLAIN_EXPRESSION.test(value);
}

/** A file of the task, or text that the debugger hands out. A container's word for a path of the host is never used. */
function shownSource(source: DebugMessage, toShown: ShownPath): DebugMessage {
  const path = typeof source['path'] === 'string' ? source['path'] : '';
  const name = plainLabel(path.slice(path.lastIndexOf('/') + 1)).replaceAll(/[:\\]/g, '_');
  const shown = toShown(path);
  if (shown !== undefined) return { name, path: shown, sourceReference: 0 };
  if (isReference(source['sourceReference']))
    return { name, path, sourceReference: source['sourceReference'] };
  return name === '' ? {} : { name, presentationHint: 'deemphasize' };
}
