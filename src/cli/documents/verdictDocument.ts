/** A verdict in JSON documents: warnings and the next step are worded for the command line. */
import * as z from 'zod';
import { type Verdict, verdictSchema, type Warning } from '../../verifier/verdict/verdict.ts';
import type { CommandName } from '../commands.ts';
import { remedyWords, warningWords } from '../failures/remedyWords.ts';

const [scored, unscored, noVerifier, engineError, cancelled] = verdictSchema.options;
/** Of the form that documents began with; it is counted apart from that of stored verdicts. */
const version = z.literal(1);
const nextStep = z.string();
const warnings = z.array(z.object({ code: z.string(), message: z.string() }));

export const verdictDocument = z.discriminatedUnion('outcome', [
  scored.extend({ version, warnings }),
  unscored.omit({ remedies: true }).extend({ version, warnings, nextStep }),
  noVerifier.omit({ remedies: true }).extend({ version, nextStep }),
  engineError.omit({ remedies: true }).extend({ version, nextStep }),
  cancelled.extend({ version }),
]);

export type VerdictDocument = z.infer<typeof verdictDocument>;

export function verdictDocumentOf(verdict: Verdict, command: CommandName): VerdictDocument {
  switch (verdict.outcome) {
    case 'scored':
      return { ...verdict, version: 1, warnings: warningDocuments(verdict.warnings, command) };
    case 'unscored': {
      const { remedies, ...rest } = verdict;
      const worded = {
        warnings: warningDocuments(verdict.warnings, command),
        nextStep: remedyWords(remedies, command),
      };
      return { ...rest, version: 1, ...worded };
    }
    case 'no-verifier':
    case 'engine-error': {
      const { remedies, ...rest } = verdict;
      return { ...rest, version: 1, nextStep: remedyWords(remedies, command) };
    }
    case 'cancelled':
      return { ...verdict, version: 1 };
  }
}

function warningDocuments(given: readonly Warning[], command: CommandName) {
  return given.map((warning) => ({ code: warning.code, message: warningWords(warning, command) }));
}
