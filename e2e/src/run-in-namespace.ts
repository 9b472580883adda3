import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { cacheFolder } from "./cache-folder.ts";
import { INSIDE, type Sandbox } from "./sandbox.ts";
import type { Performance, StageDirections } from "./stage.ts";

/**
 * Runs a CLI and its fake model in namespaces of their own: only loopback, a /tmp of their own, the sandbox as the only home,
 * and a process tree that ends as a whole, whatever the CLI left behind.
 */
export async function runInNamespace(sandbox: Sandbox, directions: StageDirections): Promise<Performance> {
  const stageFolder = join(sandbox.folder, "stage");
  await mkdir(stageFolder, { recursive: true });
  await writeFile(join(stageFolder, "directions.json"), JSON.stringify(directions));
  const outcome = await execa("unshare", [...NAMESPACES, "sh", "-euc", setUp(sandbox, stageFolder)], {
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

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const STAGE = fileURLToPath(new URL("run-stage.ts", import.meta.url));

const NAMESPACES = (process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]).concat([
  "--net",
  "--mount",
  "--uts",
  "--ipc",
  "--pid",
  "--fork",
  "--kill-child=SIGKILL",
  "--mount-proc",
]);

/** The shell lines that furnish the namespaces and then become the stage. */
function setUp(sandbox: Sandbox, stageFolder: string): string {
  const kept = [REPOSITORY, cacheFolder(), dirname(dirname(process.execPath))];
  return [
    "ip link set lo up",
    "hostname dev-machine",
    ...replaceFolder("/tmp", kept, join(stageFolder, "tmp")),
    ...replaceFolder("/home", kept, join(stageFolder, "homes")),
    `mkdir -p ${INSIDE.home}`,
    ...replaceFolder(INSIDE.home, kept, sandbox.home),
    `cd ${INSIDE.project}`,
    `exec env -i PATH=${SYSTEM_PATH} HOME=${INSIDE.home} ${[process.execPath, STAGE, stageFolder].map(quote).join(" ")}`,
  ].join("\n");
}

/** Puts an empty folder in the place of one of the machine's; what the run needs of the old one stays at its path. */
function replaceFolder(path: string, kept: readonly string[], empty: string): readonly string[] {
  const below = kept.filter((folder) => folder.startsWith(`${path}/`));
  return [
    `mkdir -p ${quote(empty)}`,
    ...below.flatMap((folder) => {
      const place = join(empty, folder.slice(path.length));
      return [`mkdir -p ${quote(place)}`, `mount --rbind ${quote(folder)} ${quote(place)}`];
    }),
    `mount --rbind ${quote(empty)} ${path}`,
  ];
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
