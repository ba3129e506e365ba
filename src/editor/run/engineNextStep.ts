/** The one button of a message about something that could not run. Pure: it only names the step. */
import type { SettingName } from '../../fault/remedy.ts';
import type { EngineErrorVerdict } from '../../verifier/verdict/verdict.ts';
import { settingThatHelps } from '../platform/remedyWords.ts';

export type EngineStep =
  | { readonly kind: 'use-sandbox' }
  | { readonly kind: 'open-setting'; readonly name: SettingName }
  | { readonly kind: 'open-file'; readonly file: string; readonly line: number }
  | { readonly kind: 'show-log' };

/** Why a run failed, before or after it began. */
export type CouldNotRun = Pick<EngineErrorVerdict, 'reason' | 'message' | 'remedies' | 'at'>;

/** `sandboxWorks`: whether this machine could run it without an image. */
export function engineNextStep({ reason, at, remedies }: CouldNotRun, sandboxWorks = false): EngineStep {
  if (reason === 'image-missing' && sandboxWorks) return { kind: 'use-sandbox' };
  if (at) return { kind: 'open-file', file: at.file, line: at.line };
  switch (reason) {
    case 'no-engine':
    case 'no-permission':
      return { kind: 'use-sandbox' };
    case 'no-sandbox':
    case 'unsupported-recipe':
      return { kind: 'open-setting', name: 'runtime' };
    default: {
      const name = settingThatHelps(remedies);
      return name === undefined ? { kind: 'show-log' } : { kind: 'open-setting', name };
    }
  }
}
