/** The one button of a message about something that could not run. Pure: it only names the step. */
import type { EngineErrorVerdict } from '../verifier/verdict.ts';

export type EngineStep =
  | { readonly kind: 'use-sandbox' }
  | { readonly kind: 'open-settings'; readonly query: string }
  | { readonly kind: 'open-file'; readonly file: string; readonly line: number }
  | { readonly kind: 'show-log' };

/** A failure of the machinery, of a run or before there was one. */
export type CouldNotRun = Pick<EngineErrorVerdict, 'reason' | 'message' | 'nextStep' | 'at'>;

/** `sandboxWorks`: whether this machine could run it without an image. */
export function engineNextStep({ reason, at }: CouldNotRun, sandboxWorks = false): EngineStep {
  if (reason === 'image-missing' && sandboxWorks) return { kind: 'use-sandbox' };
  if (at) return { kind: 'open-file', file: at.file, line: at.line };
  switch (reason) {
    case 'no-engine':
    case 'no-permission':
      return { kind: 'use-sandbox' };
    case 'unsupported-endpoint':
      return { kind: 'open-settings', query: 'repairBench.dockerEndpoint' };
    case 'image-missing':
      return { kind: 'open-settings', query: 'repairBench.images' };
    case 'no-sandbox':
    case 'unsupported-recipe':
      return { kind: 'open-settings', query: 'repairBench.runtime' };
    default:
      return { kind: 'show-log' };
  }
}
