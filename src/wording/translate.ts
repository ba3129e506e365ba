/** Text for people: `vscode.l10n.t` in the editor, English in the command line and below both. */

/** Gives the text in the display language; `{0}`, `{1}` … stand for the arguments. */
export type Translate = (message: string, ...args: (string | number | boolean)[]) => string;

/** The English text itself, for places without VS Code. */
export const inEnglish: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? whole : String(value);
  });
