import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@agent-checkpoint/store";

/** The files of a person's own home that say where their record goes, and which program takes it there. */
const DESTINATIONS = ["team.json", "otlp.json"] as const;

/**
 * Starts the program that sends what is new, at most once a minute, if the person has joined a team or named a collector. It
 * goes on by itself: nobody waits for it, and it has none of our descriptors.
 */
export async function syncBeside(
  { sync }: Pick<Store, "sync">,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const file = DESTINATIONS.map((name) => join(home, name)).find((path) => existsSync(path));
  if (file === undefined || !(await sync.claim())) return;
  const { program = [] } = JSON.parse(readFileSync(file, "utf8")) as { readonly program?: readonly string[] };
  const [command, ...words] = program;
  if (command === undefined) return;
  // Loaded here, since a stop that passes early starts no process.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const options = { env, stdio: "ignore", detached: true, windowsHide: true } as const;
  const child = spawn(command, [...words, "sync", "--background"], options);
  child.on("error", () => undefined);
  child.unref();
}
