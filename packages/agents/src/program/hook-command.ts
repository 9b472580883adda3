/** The name of the program that agents call. */
export const HOOK_PROGRAM = "checkpoint-hook";

/** Where a person's node and the program lie, by absolute path. */
export interface ProgramPaths {
  /** Null for an executable, which needs none. */
  readonly node: string | null;
  readonly program: string;
}

/**
 * The command for a person's own settings.
 * A missing node or program is a clean pass, since an agent may take a shell's "not found" for a block. The shell gives
 * way to the program, since an agent that has waited long enough ends the shell alone. The executable does not start in a
 * folder that is gone; the event says where the agent works.
 */
export function userCommand({ node, program }: ProgramPaths, args: string): string {
  const programWord = quoteShellWord(program);
  if (node === null) return `[ -x ${programWord} ] || exit 0; cd /; exec ${programWord} ${args}`;
  const nodeWord = quoteShellWord(node);
  return `[ -x ${nodeWord} ] && [ -f ${programWord} ] || exit 0; exec ${nodeWord} ${programWord} ${args}`;
}

/**
 * The command for a project's settings, the same on every machine: the program comes from the PATH or, if it is not
 * there, from the project's `node_modules`. It needs no variable of its own, as an agent may fill in variables itself.
 */
export function projectCommand(projectFolderWord: string, args: string): string {
  const local = `${projectFolderWord}/node_modules/.bin/${HOOK_PROGRAM}`;
  return `${ON_PATH} && exec ${HOOK_PROGRAM} ${args}; [ -x ${local} ] || exit 0; exec ${local} ${args}`;
}

/** The repository that a hook runs in, as a word for the shell: a session may be started deep in it. */
export const REPOSITORY_WORD = `"$(git rev-parse --show-toplevel 2>/dev/null || pwd)"`;

/** The program is a script: without node, a shell would find it and then fail. */
const ON_PATH = `command -v node >/dev/null 2>&1 || exit 0; command -v ${HOOK_PROGRAM} >/dev/null 2>&1`;

/** A command that has one of these forms, taken apart; null for every other. */
export function parseHookCommand(
  command: string,
): { readonly paths: ProgramPaths | null; readonly args: string } | null {
  const ofUser = USER_COMMAND.exec(command) ?? BINARY_COMMAND.exec(command);
  if (ofUser?.groups) {
    const { node, program = "", args = "" } = ofUser.groups;
    return {
      paths: { node: node === undefined ? null : unquoteShellWord(node), program: unquoteShellWord(program) },
      args,
    };
  }
  const args = PROJECT_COMMAND.exec(command)?.groups?.["args"];
  return args === undefined ? null : { paths: null, args };
}

/** A word of a shell command as a regular expression: bare, quoted, or both in turns. */
const SHELL_WORD: string = String.raw`(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;&|<>()])+`;

/** A string as one word for `sh`; bare if nothing in it means anything to a shell. */
function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The value of a shell word without expansions. */
function unquoteShellWord(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single?: string, double?: string, bare?: string) =>
    double === undefined ? (single ?? bare ?? "") : double.replaceAll(/\\([$`"\\])/g, "$1"),
  );
}

const ARGS = `(?<args>${SHELL_WORD}(?: ${SHELL_WORD})*)`;

const USER_COMMAND = new RegExp(
  String.raw`^\[ -x (?<node>${SHELL_WORD}) \] && \[ -f (?<program>${SHELL_WORD}) \] \|\| exit 0; exec \k<node> \k<program> ${ARGS}$`,
);

const BINARY_COMMAND = new RegExp(
  String.raw`^\[ -x (?<program>${SHELL_WORD}) \] \|\| exit 0; cd /; exec \k<program> ${ARGS}$`,
);

const PROJECT_COMMAND = new RegExp(
  String.raw`^${escapeRegExp(ON_PATH)} && exec ${HOOK_PROGRAM} ${ARGS}; \[ -x (?<local>${SHELL_WORD}) \] \|\| exit 0; exec \k<local> \k<args>$`,
);

function escapeRegExp(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
