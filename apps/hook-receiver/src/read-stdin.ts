import { existsSync, read } from "node:fs";
import { IS_BINARY } from "@agent-checkpoint/files/node-version";

/** How long stdin may stay silent. */
export interface StdinWait {
  /** Before the first byte: on a machine under load, the agent may be late. */
  readonly firstMs: number;
  /** After a part of the event. */
  readonly nextMs: number;
}

/** How long an agent may take to send its event. */
export const STDIN_WAIT: StdinWait = { firstMs: 20_000, nextMs: 1500 };

const STDIN = 0;

/** An event fits in one chunk. */
const CHUNK_BYTES = 64 * 1024;

/** Larger than any event; an input without an end must not fill the memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** How long to wait where stdin does not block. */
const RETRY_MS = 5;

let isReading = false;

/**
 * What the agent sent, read until its end, until it is too much, until it is a whole JSON object, or until it was silent for too long.
 * A socket that is never closed must not hang the agent.
 *
 * Not by `process.stdin`, which loads sockets and streams: a fifth of the time that node takes to start.
 */
export function readStdin({ firstMs, nextMs }: StdinWait): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // Parsed again only at twice the size: input that ends like an object at every chunk would be parsed at every chunk.
    let nextLook = 0;
    let isOver = false;
    let timer = setTimeout(finish, firstMs);
    readOn();

    function readOn(): void {
      if (isOver) return;
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      isReading = true;
      read(STDIN, chunk, 0, CHUNK_BYTES, null, (error, count) => {
        isReading = false;
        if (error?.code === "EAGAIN") setTimeout(readOn, RETRY_MS);
        else if (error !== null || count === 0) finish();
        else take(chunk.subarray(0, count));
      });
    }

    function take(chunk: Buffer): void {
      chunks.push(chunk);
      size += chunk.length;
      clearTimeout(timer);
      // Set before the look, so that input that takes long to parse is given up as well.
      timer = setTimeout(finish, nextMs);
      return size > MAX_BYTES || isWhole(chunk) ? finish() : readOn();
    }

    function isWhole(chunk: Buffer): boolean {
      if (size < nextLook || !chunk.subarray(-8).toString("utf8").trimEnd().endsWith("}")) return false;
      nextLook = 2 * size;
      return isJson(textOf(chunks));
    }

    function finish(): void {
      isOver = true;
      clearTimeout(timer);
      resolve(textOf(chunks));
    }
  });
}

/**
 * Ends the process with exit code 0, if need be as another program that ends at once.
 *
 * Node waits for a read that has begun, which may never end. The executable's runtime does not, but it closes the database,
 * and the last one to close it waits for the disk four times.
 */
export function exit(): never {
  if (IS_BINARY) become(["/bin/true", "/usr/bin/true"].find((path) => existsSync(path)));
  if (isReading && !IS_BINARY) {
    become(process.execPath, "-e", "0");
    // Being killed is better than to hang the agent.
    process.kill(process.pid, "SIGKILL");
  }
  process.exit(0);
}

function become(program: string | undefined, ...args: readonly string[]): void {
  try {
    if (program !== undefined) process.execve?.(program, [program, ...args], {});
  } catch {
    // There is no such call on Windows.
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
