// Messages, pickers and dialogs are answered in the place of a person, by functions put in the place of those of VS Code.
import * as vscode from 'vscode';

type WindowFunction = keyof typeof vscode.window & `${'show' | 'with' | 'create'}${string}`;

/** Puts `substitute` in the place of a function of `vscode.window`; the result puts the function back. */
export function replaceWindowFunction(name: WindowFunction, substitute: unknown): () => void {
  const original: unknown = vscode.window[name];
  Reflect.set(vscode.window, name, substitute);
  return () => {
    Reflect.set(vscode.window, name, original);
  };
}

/** Answers the next messages with buttons: the labels in `answers`, in order. Returns what was said. */
export function answerMessages(...answers: readonly string[]): { readonly said: string[]; dispose(): void } {
  const said: string[] = [];
  const left = [...answers];
  const answer = async (message: string): Promise<string | undefined> => {
    said.push(message);
    return left.shift();
  };
  const names = ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const;
  const undo = names.map((name) => replaceWindowFunction(name, answer));
  return { said, dispose: () => undo.forEach((each) => each()) };
}

/** Does `work` while messages are answered as {@link answerMessages} does. Returns what was said. */
export async function answeringMessages(
  answers: readonly string[],
  work: (said: readonly string[]) => Promise<unknown> | Thenable<unknown>,
): Promise<readonly string[]> {
  const messages = answerMessages(...answers);
  try {
    await work(messages.said);
    return messages.said;
  } finally {
    messages.dispose();
  }
}
