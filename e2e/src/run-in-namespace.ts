import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { namespaceCommand, stageFolderOf, SYSTEM_PATH } from "./namespace-command.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Performance, StageDirections } from "./stage.ts";

/** Runs a CLI and its fake model in namespaces of their own, and returns what happened there. */
export async function runInNamespace(sandbox: Sandbox, directions: StageDirections): Promise<Performance> {
  const stageFolder = stageFolderOf(sandbox);
  await mkdir(stageFolder, { recursive: true });
  await writeFile(join(stageFolder, "directions.json"), JSON.stringify(directions));
  const [unshare, ...args] = namespaceCommand(sandbox, STAGE);
  const outcome = await execa(unshare, args, {
    env: { PATH: SYSTEM_PATH },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: directions.timeLimitMs + 15_000,
    killSignal: "SIGKILL",
  });
  const report = join(stageFolder, "performance.json");
  if (!existsSync(report))
    throw new Error(
      `The run gave no report (exit ${outcome.exitCode ?? outcome.signal}); it needs Linux with unshare and ip.\n${outcome.stderr}`,
    );
  return JSON.parse(await readFile(report, "utf8")) as Performance;
}

const STAGE = fileURLToPath(new URL("run-stage.ts", import.meta.url));
