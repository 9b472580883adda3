import { homedir } from "node:os";
import { isatty } from "node:tty";
import { checkpointHome } from "@agent-checkpoint/files";
import { askPerson } from "./terminal/ask-person.ts";
import { createStyle, type Style } from "./terminal/style.ts";

/** What a command may read from and write to. */
export interface Environment {
  /** Writes to stdout: the requested output. */
  readonly out: (text: string) => void;
  /** Writes to stderr: warnings, progress, errors. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The process that runs the command, whose parents show who called it; absent in tests. */
  readonly pid?: number;
  readonly cwd: string;
  /** The user's home folder, with the agents' settings. */
  readonly userHome: string;
  /** The folder of the store. */
  readonly home: string;
  /** Whether a person reads stdout, and how wide the terminal is. */
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Whether a person sees stderr, where progress is shown. */
  readonly isProgressShown: boolean;
  /** Asks the user at the terminal, and returns an empty answer after a minute; null if stdin or stdout is not a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  readonly style: Style;
  readonly now: () => Date;
}

/** The environment of a process. */
export function environmentOf(process: NodeJS.Process): Environment {
  const { stdout, stderr, env } = process;
  const isTerminal = isatty(stdout.fd);
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    env,
    pid: process.pid,
    cwd: process.cwd(),
    userHome: env["HOME"] || homedir(),
    home: checkpointHome(env),
    isTerminal,
    columns: stdout.columns ?? 80,
    isProgressShown: isatty(stderr.fd),
    ask: isTerminal && isatty(process.stdin.fd) ? (question) => askPerson(process, question) : null,
    style: createStyle({ isTerminal, env }),
    now: () => new Date(),
  };
}
