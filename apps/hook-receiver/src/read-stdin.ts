import type { Readable } from "node:stream";

/**
 * What the agent sent, read until its end, until it is a whole JSON object, or until the wait is over.
 * A socket that is never closed must not hang the agent.
 */
export function readStdin(stdin: Readable, waitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const text = () => Buffer.concat(chunks).toString("utf8");
    const finish = () => {
      clearTimeout(timer);
      stdin.removeAllListeners("data");
      stdin.pause();
      resolve(text());
    };
    const timer = setTimeout(finish, waitMs);
    stdin.on("data", (chunk: Buffer | string) => {
      chunks.push(Buffer.from(chunk));
      if (isWholeObject(text)) finish();
    });
    stdin.on("end", finish);
    stdin.on("error", finish);
    const isWholeObject = (read: () => string) => {
      const last = chunks.at(-1)?.toString("utf8").trimEnd();
      return last?.endsWith("}") === true && parses(read());
    };
  });
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
