import type { Readable } from "node:stream";

/** How long stdin may keep silent. */
export interface StdinWait {
  /** Before the first byte: on a machine under load, the agent may be late. */
  readonly firstMs: number;
  /** After a part of the event. */
  readonly nextMs: number;
}

/** No event is that large; what has no end must not fill the memory. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * What the agent sent, read until its end, until it is too much, until it is a whole JSON object, or until it has kept silent too long.
 * A socket that is never closed must not hang the agent.
 */
export function readStdin(stdin: Readable, { firstMs, nextMs }: StdinWait): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // Looked at again only at twice the size: what ends like an object at every chunk would be parsed at every chunk.
    let nextLook = 0;
    const text = () => Buffer.concat(chunks).toString("utf8");
    const finish = () => {
      clearTimeout(timer);
      stdin.removeAllListeners("data");
      stdin.pause();
      resolve(text());
    };
    let timer = setTimeout(finish, firstMs);
    stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) return finish();
      clearTimeout(timer);
      timer = setTimeout(finish, nextMs);
      if (size < nextLook || !endsObject(chunk)) return undefined;
      if (isJson(text())) return finish();
      nextLook = 2 * size;
      return undefined;
    });
    stdin.on("end", finish);
    stdin.on("error", finish);
  });
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
