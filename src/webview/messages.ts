/** What the instruction panel and the extension tell each other. Both sides check what they get. */

/** What a person can ask for in the panel. */
export const PANEL_ACTIONS = [
  'verify',
  'cancel',
  'compare',
  'reset',
  'showTestScript',
  'openSolution',
] as const;
export type PanelAction = (typeof PANEL_ACTIONS)[number];

/** The part of the panel that changes while it is open. */
export interface PanelState {
  /** Chooses the icon and colour; the words say the same. */
  readonly tone: 'plain' | 'running' | 'passed' | 'failed' | 'warning';
  readonly words: string;
  readonly busy: boolean;
}

export type ToPanel = { readonly type: 'state'; readonly state: PanelState };

export type FromPanel =
  /** The panel's script has started and listens. */
  | { readonly type: 'ready' }
  | { readonly type: 'action'; readonly action: PanelAction }
  /** A file of the solution, by container path. */
  | { readonly type: 'openFile'; readonly path: string };

const TONES: readonly string[] = ['plain', 'running', 'passed', 'failed', 'warning'];

/** Checks a message from the extension; undefined for anything else. */
export function parseToPanel(value: unknown): ToPanel | undefined {
  if (!isRecord(value) || value['type'] !== 'state' || !isRecord(value['state'])) return undefined;
  const { tone, words, busy } = value['state'];
  if (!isTone(tone) || typeof words !== 'string' || typeof busy !== 'boolean') return undefined;
  return { type: 'state', state: { tone, words, busy } };
}

/** Checks a message from the panel; undefined for anything else. */
export function parseFromPanel(value: unknown): FromPanel | undefined {
  if (!isRecord(value)) return undefined;
  switch (value['type']) {
    case 'ready':
      return { type: 'ready' };
    case 'action': {
      const action = PANEL_ACTIONS.find((known) => known === value['action']);
      return action && { type: 'action', action };
    }
    case 'openFile':
      return typeof value['path'] === 'string' ? { type: 'openFile', path: value['path'] } : undefined;
    default:
      return undefined;
  }
}

function isTone(value: unknown): value is PanelState['tone'] {
  return typeof value === 'string' && TONES.includes(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
