import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Agent,
  HOOK_PROGRAM,
  isInRunnerCache,
  type ProgramPaths,
  projectCommand,
  type SettingsScope,
  stableNodePath,
  stablePackagePath,
  userCommand,
} from "@agent-checkpoint/agents";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";

/** The command line that calls our program for an agent with some arguments. */
export type HookCommands = (agent: Agent, args: string) => string;

/** How our program is called from settings of a scope: by this installation's paths, or from wherever it is found. */
export function hookCommands(scope: SettingsScope, env: Readonly<Record<string, string | undefined>>): HookCommands {
  if (scope === "project") return ({ projectFolderWord }, args) => projectCommand(projectFolderWord, args);
  const paths = ownHookPaths(env);
  return (_agent, args) => userCommand(paths, args);
}

/** The paths of this installation's program, as they are written into settings; throws a `CliError` if they will not last. */
export function ownHookPaths(env: Readonly<Record<string, string | undefined>>): ProgramPaths {
  const [own] = ownHookPrograms();
  if (own === undefined) {
    throw new CliError("checkpoint-hook, the program that agents call, is missing beside this one.", {
      exitCode: EXIT.failed,
      advice: "Install @agent-checkpoint/cli again; in a clone of the repository, run `npm run build`.",
    });
  }
  if (isInRunnerCache(own.program)) {
    throw new CliError("this program runs from a cache that npx and its like empty some day.", {
      exitCode: EXIT.usage,
      advice: "Install it first with `npm install --global @agent-checkpoint/cli`, then run `checkpoint init`.",
    });
  }
  const node = own.isBinary ? null : stableNodePath(process.execPath, env["PATH"]);
  return { node, program: stablePackagePath(own.program) };
}

export interface HookProgram {
  /** Its real path. */
  readonly program: string;
  /** Whether it is the executable, which needs no Node. */
  readonly isBinary: boolean;
}

/** Where the Node program lies beside this one: in the built package, or in the repository's tree. */
const PLACES = [
  "./checkpoint-hook.cjs",
  "../../hook-receiver/dist/checkpoint-hook.cjs",
  "../../../hook-receiver/dist/checkpoint-hook.cjs",
];

/** The hook programs of this installation: the executable if there is one for this platform, then the Node program. */
export function ownHookPrograms(): readonly HookProgram[] {
  const scripts = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).filter(existsSync);
  return [
    ...findBinary().map((path) => ({ program: realpathSync(path), isBinary: true })),
    ...scripts.slice(0, 1).map((path) => ({ program: realpathSync(path), isBinary: false })),
  ];
}

/** The executable, from the package of this platform; npm installs none on other platforms. */
function findBinary(): readonly string[] {
  const { platform, arch } = process;
  const name = `@agent-checkpoint/hook-${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const path = join(dirname(manifest), "dist", platform === "win32" ? `${HOOK_PROGRAM}.exe` : HOOK_PROGRAM);
    return existsSync(path) ? [path] : [];
  } catch {
    return [];
  }
}
