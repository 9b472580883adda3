import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache-folder.ts";
import { INSIDE, type Sandbox } from "./sandbox.ts";

/** The folder of a run in which the stage keeps its papers, and and with them the namespaces' own `/tmp`. */
export function stageFolderOf(sandbox: Sandbox): string {
  return join(sandbox.folder, "stage");
}

/**
 * The command that runs a TypeScript program in namespaces of its own: only loopback, a /tmp of their own, the sandbox as
 * the only home, and a process tree that ends as a whole, whatever the program left behind.
 */
export function namespaceCommand(sandbox: Sandbox, program: string): readonly [string, ...string[]] {
  return ["unshare", ...NAMESPACES, "sh", "-euc", setUp(sandbox, program)];
}

/** What the machine's own programs are found with. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

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

/** The shell lines that furnish the namespaces and then become the program. */
function setUp(sandbox: Sandbox, program: string): string {
  const stageFolder = stageFolderOf(sandbox);
  const kept = [REPOSITORY, cacheFolder(), dirname(dirname(process.execPath))];
  return [
    "ip link set lo up",
    "hostname dev-machine",
    ...addToEtc(machineFolderOf(sandbox), join(stageFolder, "etc")),
    ...replaceFolder("/tmp", kept, join(stageFolder, "tmp")),
    ...replaceFolder("/home", kept, join(stageFolder, "homes")),
    `mkdir -p ${INSIDE.home}`,
    ...replaceFolder(INSIDE.home, kept, sandbox.home),
    `cd ${INSIDE.project}`,
    `exec env -i PATH=${SYSTEM_PATH} HOME=${INSIDE.home} ${[process.execPath, program, stageFolder].map(quote).join(" ")}`,
  ].join("\n");
}

/** The folder of a run whose files the machine seems to have, if there is one: `etc/codex/requirements.toml`. */
export function machineFolderOf(sandbox: Sandbox): string {
  return join(sandbox.folder, "machine");
}

/** Adds a run's own files to a copy of `/etc`, which takes its place. */
function addToEtc(machine: string, copy: string): readonly string[] {
  if (!existsSync(join(machine, "etc"))) return [];
  return [
    `mkdir -p ${quote(copy)}`,
    `cp -a /etc/. ${quote(copy)}`,
    `cp -a ${quote(join(machine, "etc"))}/. ${quote(copy)}`,
    `mount --rbind ${quote(copy)} /etc`,
  ];
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
