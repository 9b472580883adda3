import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable } from "node:stream";
import { type GitResult, spawnGit } from "./run-git.ts";

/** Reads objects of a repository one after another through one process. */
export interface ObjectReader {
  /** Passes on an object part by part, each with the size of the whole, and returns its type; null if it cannot be read. */
  readonly read: (name: string, take: (part: Buffer, size: number) => void) => Promise<string | null>;
  readonly close: () => void;
}

/** Opens a repository for reading; the process is started when the first object is asked for. */
export function openObjects(gitDir: string): ObjectReader {
  let open: { readonly child: ChildProcessWithoutNullStreams; readonly output: Output } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const close = (): void => {
    open?.child.kill();
    open = null;
  };
  const start = () => {
    const child = spawnGit(["cat-file", "--batch"], { cwd: gitDir, env: { GIT_DIR: gitDir } });
    child.stderr.resume();
    return { child, output: outputOf(child.stdout) };
  };
  const readNext = async (name: string, take: (part: Buffer, size: number) => void): Promise<string | null> => {
    const { child, output } = (open ??= start());
    child.stdin.write(`${name}\n`);
    const [, type = "missing", size = ""] = ((await output.line()) ?? "").split(" ");
    const bytes = Number(size);
    const isWhole =
      /^\d+$/.test(size) &&
      (await output.take(bytes, (part) => take(part, bytes))) &&
      (await output.take(1, () => undefined));
    if (isWhole) return type;
    // For a damaged object git prints the reason and ends.
    if (type !== "missing" || output.hasEnded()) close();
    return null;
  };
  return {
    read: (name, take) => {
      const next = last.then(() => readNext(name, take));
      last = next.catch(() => undefined);
      return next;
    },
    close,
  };
}

/** Feeds `git fast-import`, which writes all objects of one run into one pack and its refs at the end. */
export interface Importer {
  /** Starts git now instead of when something is sent, for a caller that has to wait for something else. */
  readonly start: () => void;
  /** Sends a part of the stream, as fast as git takes it. */
  readonly send: (part: string | Buffer) => Promise<void>;
  /** Sends a command that git answers with a line. */
  readonly ask: (command: string) => Promise<string>;
  /** Ends the stream; the refs are written once this resolves. */
  readonly finish: () => Promise<GitResult>;
  /** Ends git at once; no ref is written. */
  readonly abort: () => Promise<void>;
}

/** Opens a repository for writing; the process is started when the first part is sent. */
export function openImport(gitDir: string): Importer {
  let open: Omit<Importer, "start"> | null = null;
  const start = (): Omit<Importer, "start"> => (open ??= startImport(gitDir));
  return {
    start: () => void start(),
    send: (part) => start().send(part),
    ask: (command) => start().ask(command),
    finish: () => start().finish(),
    abort: async () => open?.abort(),
  };
}

function startImport(gitDir: string): Omit<Importer, "start"> {
  const args = ["fast-import", "--quiet", "--done", "--date-format=raw", "--force"];
  const child = spawnGit(args, { cwd: gitDir, env: { GIT_DIR: gitDir } });
  const output = outputOf(child.stdout);
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += errors.length < MAX_ERROR_LENGTH ? chunk.toString() : ""));
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", resolve).on("error", (error) => {
      errors ||= error.message;
      resolve(null);
    });
  });
  const fail = async (): Promise<never> => {
    await ended;
    throw new Error(errors.trim() || "git fast-import has ended early");
  };
  let drained: () => void = () => undefined;
  child.stdin.on("drain", () => drained()).on("close", () => drained());
  const send = async (part: string | Buffer): Promise<void> => {
    if (child.stdin.destroyed || child.exitCode !== null) return fail();
    if (child.stdin.write(typeof part === "string" ? Buffer.from(part, "latin1") : part)) return;
    await new Promise<void>((resolve) => (drained = resolve));
  };
  return {
    send,
    ask: async (command) => {
      await send(command);
      return (await output.line()) ?? fail();
    },
    finish: async () => {
      await send("done\n");
      child.stdin.end();
      const code = await ended;
      if (code === 0) return { ok: true, stdout: Buffer.alloc(0) };
      return { ok: false, reason: "git-error", detail: errors.trim(), exitCode: code };
    },
    abort: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const MAX_ERROR_LENGTH = 4000;

/** The output of a process, read as lines and as bytes. */
interface Output {
  /** The next line without its end; null if there is none. */
  readonly line: () => Promise<string | null>;
  /** Passes on so many bytes; false if the output ends earlier. */
  readonly take: (size: number, each: (part: Buffer) => void) => Promise<boolean>;
  readonly hasEnded: () => boolean;
}

function outputOf(stream: Readable): Output {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let isAtEnd = false;
  const more = async (): Promise<boolean> => {
    const { value, done } = await chunks.next().catch(() => ({ value: undefined, done: true as const }));
    if (done === true) return !(isAtEnd = true);
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    return true;
  };
  return {
    line: async () => {
      let end = rest.indexOf(10);
      while (end === -1 && (await more())) end = rest.indexOf(10);
      if (end === -1) return null;
      const line = rest.toString("latin1", 0, end);
      rest = rest.subarray(end + 1);
      return line;
    },
    take: async (size, each) => {
      for (let left = size; left > 0;) {
        if (rest.length === 0 && !(await more())) return false;
        const part = rest.subarray(0, left);
        each(part);
        rest = rest.subarray(part.length);
        left -= part.length;
      }
      return true;
    },
    hasEnded: () => isAtEnd,
  };
}
