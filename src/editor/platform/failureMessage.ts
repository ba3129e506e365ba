/** One way to tell a person that something failed: one message, one button that does the next step, and the log. */
import type * as vscode from 'vscode';
import type { Remedy, SettingName } from '../../fault/remedy.ts';
import { faultOf, RepairBenchError } from '../../fault/repairBenchError.ts';
import type { Translate } from '../../wording/translate.ts';
import { plainNotification } from './text/plainText.ts';
import { openSetting, settingThatHelps, withRemedies } from './remedyWords.ts';

/** The button of a message: its label and what it does. */
export interface MessageButton {
  readonly label: string;
  readonly run: () => unknown;
}

/** A failure whose message a person can act on: what, why, and what to do next. */
export class UserFacingError extends RepairBenchError<'user-facing'> {
  override readonly name = 'UserFacingError';
  readonly button: MessageButton | undefined;

  constructor(
    message: string,
    button?: MessageButton,
    { remedies = [], ...options }: ErrorOptions & { readonly remedies?: readonly Remedy[] } = {},
  ) {
    super('user-facing', message, remedies, options);
    this.button = button;
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
  get showLog(): MessageButton {
    return {
      label: this.#api.l10n.t('Show Log'),
      run: () => {
        this.#log.show(true);
      },
    };
  }

  /** Shows `error` once. Does not wait for the person to answer. Bound, so that it can be handed on, as to `catch`. */
  readonly report = (error: unknown): void => {
    const message = messageOf(error, this.#api.l10n.t);
    this.#log.error(error instanceof Error && !(error instanceof UserFacingError) ? error : message);
    this.#tell((text, label) => this.#api.window.showErrorMessage(text, label), message, error);
  };

  /** Shows once, as a warning, what went wrong beside something that succeeded. Bound too. */
  readonly warn = (error: unknown): void => {
    const message = messageOf(error, this.#api.l10n.t);
    this.#log.warn(message);
    this.#tell((text, label) => this.#api.window.showWarningMessage(text, label), message, error);
  };

  #tell(show: (message: string, label: string) => Thenable<unknown>, message: string, error: unknown): void {
    const button = this.#buttonOf(error);
    void show(plainNotification(message), button.label).then(
      async (chosen) => {
        if (chosen === button.label) await button.run();
      },
      () => undefined,
    );
  }

  #buttonOf(error: unknown): MessageButton {
    if (error instanceof UserFacingError && error.button) return error.button;
    const setting = settingThatHelps(faultOf(error).remedies);
    return setting === undefined ? this.showLog : openSettingButton(this.#api, setting);
  }
}

export function openSettingButton(api: typeof vscode, name: SettingName): MessageButton {
  return { label: api.l10n.t('Open Setting'), run: () => openSetting(api, name) };
}

/** What an error says, with what a person can do about it. */
export function messageOf(error: unknown, t: Translate): string {
  return withRemedies(faultOf(error), t);
}
