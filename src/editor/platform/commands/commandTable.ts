/** Registers the commands of the extension and calls them. Arguments are checked before a handler gets them. */
import type * as vscode from 'vscode';
import type { CommandArguments, CommandHandlers, CommandId } from './commandArguments.ts';
import { type MessageButton, UserFacingError } from '../failureMessage.ts';

/** Registers all commands. `failed` gets what a handler throws, so that no failure goes unseen. */
export function registerCommands(
  api: typeof vscode,
  handlers: CommandHandlers,
  failed: (error: unknown) => void,
): vscode.Disposable {
  const register = <Id extends CommandId>(id: Id): vscode.Disposable =>
    api.commands.registerCommand(id, async (...given: unknown[]): Promise<unknown> => {
      try {
        const { argumentsOf } = await import('./commandSchemas.ts');
        const args = argumentsOf(id, given);
        if (!args)
          throw new UserFacingError(
            api.l10n.t('The command {0} was called with arguments that it does not know.', id),
          );
        return await handlers[id](...args);
      } catch (error) {
        failed(error);
        return undefined;
      }
    });
  return api.Disposable.from(...idsOf(handlers).map(register));
}

/** Runs a command of the extension. */
export async function runCommand<Id extends CommandId>(
  api: typeof vscode,
  id: Id,
  ...args: CommandArguments[Id]
): Promise<void> {
  await api.commands.executeCommand(id, ...args);
}

/** A button of a message that runs a command. */
export function commandButton<Id extends CommandId>(
  api: typeof vscode,
  id: Id,
  label: string,
  ...args: CommandArguments[Id]
): MessageButton {
  return { label, run: () => runCommand(api, id, ...args) };
}

/** A command as links, lenses and nodes of views carry it. */
export function commandLink<Id extends CommandId>(
  id: Id,
  title: string,
  ...args: CommandArguments[Id]
): vscode.Command {
  return { command: id, title, arguments: args };
}

function idsOf(handlers: CommandHandlers): readonly CommandId[] {
  return Object.keys(handlers) as CommandId[];
}
