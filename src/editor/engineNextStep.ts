/** The one button of a message about a run that could not take place. Pure: it only names the step. */
import type { Verdict } from '../verifier/verdict.ts';

export type EngineStep =
  | { readonly kind: 'use-sandbox' }
  | { readonly kind: 'open-settings'; readonly query: string }
  | { readonly kind: 'open-file'; readonly file: string; readonly line: number }
  | { readonly kind: 'show-log' };

/** `sandboxWorks`: whether this machine could run it without an image. */
export function engineNextStep(
  verdict: Extract<Verdict, { outcome: 'engine-error' }>,
  sandboxWorks = false,
): EngineStep {
  if (verdict.reason === 'image-missing' && sandboxWorks) return { kind: 'use-sandbox' };
  if (verdict.at) return { kind: 'open-file', file: verdict.at.file, line: verdict.at.line };
  switch (verdict.reason) {
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
