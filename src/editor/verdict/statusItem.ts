/** The one status item: which task, which reward; a click verifies. Hidden until a task is current. */
import type * as vscode from 'vscode';
import type { CurrentTask } from '../task/currentTask.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { statusText } from './statusText.ts';

export class StatusItem {
  readonly #api: typeof vscode;
  readonly #store = new DisposableStore();
  readonly item: vscode.StatusBarItem;

  constructor(api: typeof vscode, current: CurrentTask) {
    this.#api = api;
    this.item = this.#store.add(
      api.window.createStatusBarItem('repairBench.status', api.StatusBarAlignment.Left, 40),
    );
    this.item.name = api.l10n.t('Repair Bench');
    this.item.command = 'repairBench.verify';
    const draw = (): void => this.#draw(current);
    this.#store.add(current.onDidChange(draw));
    draw();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #draw(current: CurrentTask): void {
    const state = current.task?.state;
    if (!state) {
      this.item.hide();
      return;
    }
    const { text, tooltip, spoken, tone } = statusText(state, this.#api.l10n.t);
    this.item.text = text;
    this.item.tooltip = tooltip.join('\n');
    this.item.accessibilityInformation = {
      label: this.#api.l10n.t('Repair Bench: {0}', spoken),
      role: 'button',
    };
    this.item.backgroundColor =
      tone === 'plain' ? undefined : new this.#api.ThemeColor(`statusBarItem.${tone}Background`);
    this.item.show();
  }
}
