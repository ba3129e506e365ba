/** One way to tell a person that something failed: one message, one button that does the next step, and the log. */
import type * as vscode from 'vscode';
import { plainNotification } from './plainText.ts';

/** The button of a message: its label and what it does. */
export interface NextStep {
  readonly label: string;
  readonly run: () => unknown;
}

/** A failure that says all a person needs: what, why, and what to do next. */
export class UserFacingError extends Error {
  readonly nextStep: NextStep | undefined;

  constructor(message: string, nextStep?: NextStep, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserFacingError';
    this.nextStep = nextStep;
  }
}

export class Failures {
  readonly #api: typeof vscode;
  readonly #log: vscode.LogOutputChannel;

  constructor(api: typeof vscode, log: vscode.LogOutputChannel) {
    this.#api = api;
    this.#log = log;
  }

  /** The button that opens the log, for failures that offer nothing better. */
  get showLog(): NextStep {
    return {
      label: this.#api.l10n.t('Show Log'),
      run: () => {
        this.#log.show(true);
      },
    };
  }

  /** Shows `error` once. Does not wait for the person to answer. */
  report(error: unknown): void {
    const message = messageOf(error);
    this.#log.error(error instanceof Error && !(error instanceof UserFacingError) ? error : message);
    this.#tell((text, label) => this.#api.window.showErrorMessage(text, label), message, error);
  }

  /** Shows once what went wrong beside something that went well. */
  warn(error: unknown): void {
    const message = messageOf(error);
    this.#log.warn(message);
    this.#tell((text, label) => this.#api.window.showWarningMessage(text, label), message, error);
  }

  #tell(show: (message: string, label: string) => Thenable<unknown>, message: string, error: unknown): void {
    const step = (error instanceof UserFacingError ? error.nextStep : undefined) ?? this.showLog;
    void show(plainNotification(message), step.label).then(
      async (chosen) => {
        if (chosen === step.label) await step.run();
      },
      () => undefined,
    );
  }
}

/** What an error says, with its next step where it has one as text, as errors of datasets and archives do. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const next = 'nextStep' in error && typeof error.nextStep === 'string' ? error.nextStep : '';
  return next === '' || error.message.includes(next) ? error.message : `${error.message} ${next}`;
}
