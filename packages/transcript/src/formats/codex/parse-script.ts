/** A command that a script runs: `exec_command` with a command line that is written out. */
const EXEC_COMMAND =
  /\bexec_command\(\s*\{[^{}]*?["']?\bcmd["']?\s*:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)(?:[^{}]*?["']?\bworkdir["']?\s*:\s*["'`]([^"'`\n]*)["'`])?/g;

/**
 * The command lines that a code-mode script names, as far as they can be read off.
 *
 * A command line that is put together at run time is left out: what cannot be known is not guessed.
 */
export function commandsInScript(script: string): readonly ScriptCommand[] {
  return [...script.slice(0, LONGEST).matchAll(EXEC_COMMAND)].map(([, literal = "", workdir]) => ({
    command: unescape(literal.slice(1, -1)),
    workdir: workdir ?? null,
  }));
}

/** A command of a script, and the folder that it is run in where the script names one behind it. */
export interface ScriptCommand {
  readonly command: string;
  readonly workdir: string | null;
}

/** Longer than any script that a model writes; the pattern runs out of memory on a literal of many megabytes. */
const LONGEST = 1024 * 1024;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unescape(text: string): string {
  return text.replace(/\\([\s\S])/g, (_whole, character: string) => ESCAPES[character] ?? character);
}
