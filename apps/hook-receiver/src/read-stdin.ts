import { read } from "node:fs";

/** How long stdin may keep silent. */
export interface StdinWait {
  /** Before the first byte: on a machine under load, the agent may be late. */
  readonly firstMs: number;
  /** After a part of the event. */
  readonly nextMs: number;
}

/** What is read from stdin. */
export interface StdinReading {
  readonly text: Promise<string>;
  /** Whether the system is still asked for more: a process cannot simply exit then. */
  readonly isOpen: () => boolean;
}

const STDIN = 0;

/** An event fits in one piece. */
const PIECE_BYTES = 64 * 1024;

/** No event is that large; what has no end must not fill the memory. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Where the agent's end does not wait for ours, it is looked at again after so long. */
const LOOK_AGAIN_MS = 5;

/**
 * What the agent sent, read until its end, until it is too much, until it is a whole JSON object, or until it has kept silent too long.
 * A socket that is never closed must not hang the agent.
 *
 * Read by hand: `process.stdin` loads what sockets and streams need, which takes a fifth of the time that node takes to start.
 */
export function readStdin({ firstMs, nextMs }: StdinWait): StdinReading {
  let isOpen = false;
  const text = new Promise<string>((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // Looked at again only at twice the size: what ends like an object at every chunk would be parsed at every chunk.
    let nextLook = 0;
    let isOver = false;
    let timer = setTimeout(finish, firstMs);
    withOneThread(readOn);

    function readOn(): void {
      if (isOver) return;
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      isOpen = true;
      read(STDIN, piece, 0, PIECE_BYTES, null, (error, count) => {
        isOpen = false;
        if (error?.code === "EAGAIN") setTimeout(readOn, LOOK_AGAIN_MS);
        else if (error !== null || count === 0) finish();
        else take(piece.subarray(0, count));
      });
    }

    function take(chunk: Buffer): void {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) return finish();
      clearTimeout(timer);
      timer = setTimeout(finish, nextMs);
      if (size >= nextLook && endsObject(chunk)) {
        if (isJson(textOf(chunks))) return finish();
        nextLook = 2 * size;
      }
      return readOn();
    }

    function finish(): void {
      isOver = true;
      clearTimeout(timer);
      resolve(textOf(chunks));
    }
  });
  return { text, isOpen: () => isOpen };
}

/**
 * Has Node start one thread for what is begun, instead of four, unless somebody has said how many.
 * It looks when the first one is needed; whoever we start is not to see it.
 */
function withOneThread(begin: () => void): void {
  const { env } = process;
  if (env["UV_THREADPOOL_SIZE"] !== undefined) return begin();
  env["UV_THREADPOOL_SIZE"] = "1";
  begin();
  delete env["UV_THREADPOOL_SIZE"];
  return undefined;
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

function endsObject(chunk: Buffer): boolean {
  return chunk.subarray(-8).toString("utf8").trimEnd().endsWith("}");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
