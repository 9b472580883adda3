/** A word of a shell command as a regular expression: bare, quoted, or both in turns. */
export const SHELL_WORD: string = String.raw`(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;&|<>()])+`;

/** A string as one word for `sh`; bare where nothing in it means anything to a shell. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a shell makes of a word without expansions. */
export function unquoteShellWord(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single?: string, double?: string, bare?: string) =>
    double === undefined ? (single ?? bare ?? "") : double.replaceAll(/\\([$`"\\])/g, "$1"),
  );
}
