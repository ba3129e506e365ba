/** "Select Runtime…": where verifiers run, with what each choice would find on this machine. */
import type * as vscode from 'vscode';
import type { RequestedKind } from '../../runtime/schemas.ts';
import { messageOf } from '../platform/failureMessage.ts';
import type { RunContext } from './runContext.ts';

/** Asks and writes the setting. The list is there at once; what the machine has is filled in as it answers. */
export async function selectRuntime({ api, runtimes, settings: watched }: RunContext): Promise<void> {
  const { l10n, window } = api;
  const settings = watched.current;
  type Choice = vscode.QuickPickItem & { readonly runtime: RequestedKind };
  const details = new Map<RequestedKind, string>();
  const choices = (): Choice[] =>
    [
      {
        runtime: 'auto' as const,
        label: l10n.t('Automatic'),
        description: l10n.t('Docker, else the sandbox'),
      },
      {
        runtime: 'docker' as const,
        label: l10n.t('Docker'),
        description: l10n.t('a container for every run'),
      },
      {
        runtime: 'sandbox' as const,
        label: l10n.t('Sandbox'),
        description: l10n.t('bubblewrap; RUN lines of the Dockerfile are not executed'),
      },
    ].map((choice) => ({
      ...choice,
      label: choice.runtime === settings.runtime ? `$(check) ${choice.label}` : choice.label,
      detail: choice.runtime === 'auto' ? '' : (details.get(choice.runtime) ?? l10n.t('looking…')),
    }));
  const pick = window.createQuickPick<Choice>();
  pick.placeholder = l10n.t('Where should verifiers run?');
  pick.items = choices();
  pick.show();
  for (const kind of ['docker', 'sandbox'] as const)
    void runtimes
      .probe(settings, kind)
      .then((probe) => (probe.available ? `${probe.name}, ${probe.where}` : probe.failure.message))
      .catch((error: unknown) => messageOf(error, l10n.t))
      .then((found) => {
        details.set(kind, found);
        const active = pick.activeItems[0]?.runtime;
        pick.items = choices();
        pick.activeItems = pick.items.filter(({ runtime }) => runtime === active);
      });
  const chosen = await new Promise<Choice | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
  });
  pick.dispose();
  if (chosen) await watched.setRuntime(chosen.runtime);
}
