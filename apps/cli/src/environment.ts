import { fstatSync } from "node:fs";
import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import { checkpointHome } from "@agent-checkpoint/files";
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
  /** The folder below which the machine's own settings are looked for; its root unless a test says otherwise. */
  readonly systemRoot?: string;
  /** Whether a person reads stdout, and how wide the terminal is. */
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Whether a person sees stderr, where progress is shown. */
  readonly isProgressShown: boolean;
  /** Asks the user at the terminal, and returns an empty answer after a minute; null if stdin or stdout is not a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Fulfilled when whoever started the program is gone, or ends it: a signal, or the end of a pipe on stdin. */
  readonly ended: () => Promise<void>;
  readonly style: Style;
  readonly now: () => Date;
}

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
    ended: () => untilEnd(process),
    style: createStyle({ isTerminal, env }),
    now: () => new Date(),
  };
}

/** A terminal that closes sends a signal; to read from it would stop a program in the background. */
function untilEnd({ stdin }: NodeJS.Process): Promise<void> {
  return new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => resolve());
    const kind = fstatSync(stdin.fd);
    if (kind.isFIFO() || kind.isSocket()) stdin.once("end", () => resolve()).resume();
  }).finally(() => {
    // A pipe that stays open would keep the process alive.
    stdin.destroy();
  });
}

const PATIENCE_MS = 60_000;

function askPerson({ stdin, stdout }: NodeJS.Process, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout });
  let isAnswered = false;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    lines.close();
  }, PATIENCE_MS);
  return new Promise((resolve) => {
    lines.once("close", () => {
      clearTimeout(timer);
      // No answer has ended the line of the question.
      if (!isAnswered) stdout.write(isLate ? "\nNo answer came within a minute.\n" : "\n");
      resolve("");
    });
    lines.question(question, (answer) => {
      isAnswered = true;
      resolve(answer);
      lines.close();
    });
  });
}
