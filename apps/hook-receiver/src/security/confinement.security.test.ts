import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  AGENT_KITS,
  loadScenario,
  makeRepository,
  messagePath,
  PROMPT_AT,
  SCENARIO_AGENTS,
  type ScenarioAgent,
  stopAt,
} from "@agent-checkpoint/fixtures";
import { describe, expect, test } from "vitest";
import { canRunUnder } from "../testing/confinement.ts";
import { callHook, type HookInput, IS_BINARY_TESTED, PROGRAM, reasonOf } from "../testing/hook-process.ts";
import { scratchFolder } from "../testing/scratch.ts";

const scenario = loadScenario("daemon-change-not-restarted");
const MESSAGE = readFileSync(messagePath(scenario.name), "utf8").trimEnd();

/** The folders of a stop: those that belong to it, and a person's home full of what is nobody's business. */
interface Folders {
  readonly project: string;
  readonly transcripts: string;
  readonly home: string;
  readonly user: string;
}

/** Lays a turn out with every folder apart from the others. */
async function stage(agent: ScenarioAgent) {
  const top = scratchFolder();
  const folders: Folders = {
    project: join(top, "project"),
    // The chats of Qwen Code lie beside the folder of their sub-agents; all others have a folder to themselves.
    transcripts: join(top, "agent", "transcripts"),
    home: join(top, "state", "checkpoint"),
    user: join(top, "user"),
  };
  for (const folder of [folders.transcripts, folders.home, folders.user]) mkdirSync(folder, { recursive: true });
  for (const file of [".claude/settings.json", ".gemini/settings.json", ".codex/config.toml", ".ssh/id", ".npmrc"]) {
    mkdirSync(dirname(join(folders.user, file)), { recursive: true });
    writeFileSync(join(folders.user, file), "x");
  }
  await makeRepository(folders.project, scenario);
  const facts = {
    sessionId: "now",
    promptId: "turn",
    prompt: scenario.prompt,
    projectPath: folders.project,
    promptAt: PROMPT_AT,
    lastMessage: "Done, it works.",
  };
  const transcript = join(folders.transcripts, ...(agent === "qwen" ? ["chats"] : []), "session.jsonl");
  mkdirSync(dirname(transcript), { recursive: true });
  writeFileSync(transcript, AGENT_KITS[agent].write(scenario.turn ?? [], facts));
  const events = AGENT_KITS[agent].events(facts, transcript);
  const call = (event: object, at: Date, more: Pick<HookInput, "under"> & { readonly nodeOptions?: string }) =>
    callHook({
      agent,
      event,
      cwd: folders.project,
      ...(more.under !== undefined && { under: more.under }),
      env: {
        HOME: folders.user,
        CHECKPOINT_HOME: folders.home,
        CHECKPOINT_NOW: at.toISOString(),
        [events.projectVariable]: folders.project,
        ...(more.nodeOptions !== undefined && { NODE_OPTIONS: more.nodeOptions }),
      },
    });
  return {
    ...folders,
    prompt: (more = {}) => call(events.prompt, PROMPT_AT, more),
    stop: (more: Parameters<typeof call>[2] = {}) => call(events.stop, stopAt(scenario), more),
  };
}

/** The one file in a person's home that is looked for: it says that nobody is there to be asked. */
const flagIn = (user: string) => join(user, ".claude", "autonomous-mode.active");

/** What the program is made of. */
const PROGRAM_FOLDERS = ["dist", "node_modules", "package.json"].map((name) => join(dirname(PROGRAM), "..", name));

/** Node's own way to keep a process to some folders; what git reads is not held by it. */
const keptTo = (readable: readonly string[], writable: string) =>
  [
    "--no-warnings",
    "--permission",
    "--allow-child-process",
    "--allow-addons",
    ...[...readable, writable, ...PROGRAM_FOLDERS].map((folder) => `--allow-fs-read=${folder}`),
    `--allow-fs-write=${writable}`,
  ].join(" ");

const canKeep = process.allowedNodeEnvironmentFlags.has("--permission") && !IS_BINARY_TESTED;
const CANNOT_KEEP = "this runtime has no --permission";

describe("where nothing else can be read or written, a stop comes to the same", () => {
  test.concurrent.for(SCENARIO_AGENTS)("%s", async (agent, { skip }) => {
    skip(!canKeep, CANNOT_KEEP);
    const { project, transcripts, home, user, prompt, stop } = await stage(agent);
    const nodeOptions = keptTo([project, transcripts, flagIn(user)], home);
    expect(await prompt({ nodeOptions })).toMatchObject({ exitCode: 0, stderr: "" });
    const answer = await stop({ nodeOptions });
    expect(answer).toMatchObject({ exitCode: 0, stderr: "" });
    expect(reasonOf(answer)).toBe(MESSAGE);
    expect(existsSync(join(home, "checkpoint.log"))).toBe(false);
  });

  test.concurrent("and whatever it does need is missed", async ({ skip }) => {
    skip(!canKeep, CANNOT_KEEP);
    const { project, home, user, prompt, stop } = await stage("claude");
    await prompt();
    expect(reasonOf(await stop({ nodeOptions: keptTo([project, flagIn(user)], home) }))).not.toBe(MESSAGE);
    expect(readFileSync(join(home, "checkpoint.log"), "utf8")).toContain("transcript unreadable");
  });
});

const TRACING = ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=%file"];
const canTrace = canRunUnder([...TRACING, "-o", "/dev/null"]);

describe("every path that the system is asked for", () => {
  test.concurrent.for(SCENARIO_AGENTS)("%s", async (agent, { skip }) => {
    skip(!canTrace, "strace is not there, or may not trace");
    const { project, transcripts, home, user, prompt, stop } = await stage(agent);
    const trace = join(dirname(user), "trace");
    await prompt();
    const answer = await stop({ under: [...TRACING, "-o", trace] });
    expect(reasonOf(answer)).toBe(MESSAGE);
    const { own, git } = pathsIn(readFileSync(trace, "utf8"), project);
    const within = (folders: readonly string[]) => (path: string) =>
      folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

    const folders = [project, transcripts, home, flagIn(user), ...PROGRAM_FOLDERS];
    const isOurs = within(folders);
    // The folders on the way are asked whether they are links.
    const isOnTheWay = (path: string) => folders.some((folder) => folder.startsWith(`${path}/`));
    const flagFile = join(user, ".claude", "autonomous-mode.active");
    const isForeign = (path: string) => !isOurs(path) && !isOnTheWay(path) && !isOfTheSystem(path);
    expect(own.filter(({ path }) => isForeign(path) && path !== flagFile)).toEqual([]);
    expect(own.filter(({ path, isWrite }) => isWrite && !within([home])(path) && path !== "/dev/null")).toEqual([]);
    expect(own.filter(({ path }) => path.startsWith(`${home}/`)).length).toBeGreaterThan(3);

    // Git looks for the settings of its own that a person has; it writes nothing.
    const isOfGit = within([project, join(user, ".gitconfig"), join(user, ".config", "git")]);
    expect(git.filter(({ path }) => !isOfGit(path) && !isOnTheWay(path) && !isOfTheSystem(path))).toEqual([]);
    expect(git.filter(({ path, isWrite }) => isWrite && path !== "/dev/null")).toEqual([]);
    expect(git.filter(({ path }) => path.startsWith(`${project}/`)).length).toBeGreaterThan(3);
  });
});

interface TracedPath {
  readonly path: string;
  readonly isWrite: boolean;
}

/** The paths in a trace, by the process: what has become git is git's. Both are started in the project. */
function pathsIn(
  trace: string,
  project: string,
): { readonly own: readonly TracedPath[]; readonly git: readonly TracedPath[] } {
  const git = new Set<string>();
  const found = { own: new Map<string, TracedPath>(), git: new Map<string, TracedPath>() };
  for (const line of trace.split("\n")) {
    const [, process = "", call = "", rest = ""] = /^(\d+) +(\w+)\((.*)/s.exec(line) ?? [];
    if (call === "execve" && /\/git"?/.test(rest)) git.add(process);
    const isWrite =
      /^(?:mkdir|rename|unlink|rmdir|link|symlink|chmod|chown|truncate|creat|mknod|utime)/.test(call) ||
      /O_WRONLY|O_RDWR|O_CREAT/.test(rest);
    const quoted = [...rest.matchAll(/(?:^|, )"([^"]+)"/g)].map(([, text = ""]) => text);
    // A new program's arguments are no paths; to move or to link takes two.
    const named = quoted.slice(0, /^(?:rename|link|symlink)/.test(call) ? 2 : 1);
    for (const path of named.map((name) => resolve(project, name)))
      found[git.has(process) ? "git" : "own"].set(`${isWrite} ${path}`, { path, isWrite });
  }
  return { own: [...found.own.values()], git: [...found.git.values()] };
}

/** Where the machine keeps programs, libraries, time zones and what the kernel tells; the search for `git` among them. */
function isOfTheSystem(path: string): boolean {
  const search = (process.env["PATH"] ?? "").split(":");
  return (
    /^\/(?:usr|lib\w*|bin|sbin|opt|nix|proc|sys|dev)(?:\/|$)/.test(path) ||
    /^\/etc(?:$|\/(?:ld\.so|ssl\/|pki\/|crypto-policies|localtime|gitconfig|gitattributes))/.test(path) ||
    search.includes(dirname(path)) ||
    path === process.execPath ||
    path.startsWith(`${dirname(dirname(process.execPath))}/`)
  );
}
