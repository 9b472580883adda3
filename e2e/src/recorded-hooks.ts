import { chmod, mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { INSIDE, writeFiles, type Sandbox } from "./sandbox.ts";

/** Answers of recording hooks: for each event, what its first, second, … call prints; afterwards nothing. */
export type HookAnswers = Readonly<Record<string, readonly unknown[]>>;

/** What a CLI sent to a hook. */
export interface HookPayload {
  readonly event: string;
  /** The bytes on stdin, as text. */
  readonly text: string;
}

/** Puts the recording hook into a sandbox and returns the command line for an event. */
export async function installRecordingHook(sandbox: Sandbox, answers: HookAnswers): Promise<(event: string) => string> {
  const folder = join(sandbox.home, HOOKS);
  await mkdir(join(folder, "payloads", "answers"), { recursive: true });
  for (const [event, list] of Object.entries(answers))
    for (const [index, answer] of list.entries())
      await writeFiles(join(folder, "payloads", "answers"), { [`${event}-${index + 1}`]: JSON.stringify(answer) });
  const recorder = fileURLToPath(new URL("hook-recorder.ts", import.meta.url));
  const start = `#!/bin/sh\nexec '${process.execPath}' '${recorder}' ${INSIDE.home}/${HOOKS}/payloads "$1"\n`;
  await writeFiles(folder, { record: start });
  await chmod(join(folder, "record"), 0o755);
  return (event) => `${INSIDE.home}/${HOOKS}/record ${event}`;
}

/** Everything the recording hook was sent, in order. */
export async function readHookPayloads(sandbox: Sandbox): Promise<readonly HookPayload[]> {
  const folder = join(sandbox.home, HOOKS, "payloads");
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    files.map(async (name) => ({
      event: name.slice("0000-".length, -".json".length),
      text: await readFile(join(folder, name), "utf8"),
    })),
  );
}

const HOOKS = ".hooks";
