/** A program to start, with everything it is started with. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** The result of a program. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}
