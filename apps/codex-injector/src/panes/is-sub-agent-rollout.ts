import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** Whether a rollout is a sub-agent's, by its first line; a file that does not say so counts as a user's. */
export async function isSubAgentRollout(path: string): Promise<boolean> {
  const line = await firstLine(path);
  const source: unknown = line.includes('"subagent"') ? parse(line)?.payload?.source : undefined;
  return typeof source === "object" && source !== null && "subagent" in source;
}

async function firstLine(path: string): Promise<string> {
  const input = createReadStream(path);
  const lines = createInterface({ input });
  try {
    for await (const line of lines) return line;
  } catch {
    // A file that has gone meanwhile says nothing.
  } finally {
    input.destroy();
  }
  return "";
}

function parse(line: string): { readonly payload?: { readonly source?: unknown } } | null {
  try {
    return JSON.parse(line) as { readonly payload?: { readonly source?: unknown } } | null;
  } catch {
    return null;
  }
}
