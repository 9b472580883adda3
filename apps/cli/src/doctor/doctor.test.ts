import { appendFileSync, chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectCommand, agentOf } from "@agent-checkpoint/agents";
import { takeLock } from "@agent-checkpoint/files";
import { openStore } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import { commandFor, PROGRAM, stageHome, type StagedHome } from "./testing/stage-home.ts";

const PLUGINS = fileURLToPath(new URL("../../../../plugins/", import.meta.url));

const HOUR_MS = 60 * 60 * 1000;

test("three agents, all in order: each command blocks a made-up stop once", { timeout: 60_000 }, async () => {
  const staged = await stageHome();
  const { install, register, trustCodexHooks, record, write, userHome, project, doctor, home, env } = staged;
  install("claude", "2.1.325 (Claude Code)");
  install("gemini", "0.61.0");
  install("codex", "codex-cli 0.166.0");
  for (const agent of ["claude", "codex"] as const) register(agent);
  register("gemini", { name: "agent-checkpoint" });
  trustCodexHooks();
  write(join(userHome, ".gemini", "trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" }));
  for (const agent of ["claude", "gemini", "codex"] as const)
    await record({ agent, at: new Date(Date.now() - 2 * HOUR_MS), decision: "block", reason: "missing-actions" });

  const { exitCode, report, found } = await doctor();
  expect(exitCode).toBe(0);
  expect(report.groups.map(({ id }) => id)).toEqual(["claude", "gemini", "codex", "machine"]);
  for (const agent of ["claude", "gemini", "codex"]) {
    expect(found(agent, "canary")).toEqual([
      { level: "ok", what: "a made-up stop was blocked once, the same stop then passed", fix: null },
    ]);
    expect(found(agent, "last-firing")).toEqual([
      { level: "ok", what: "2 hours ago (blocked, missing-actions)", fix: null },
    ]);
    expect(found(agent, "latency")[0]?.what).toMatch(/^\d+ ms for a judged stop, \d+\.\d times the start of Node/);
  }
  expect(found("codex", "trust")).toEqual([{ level: "ok", what: "UserPromptSubmit and Stop", fix: null }]);
  // A busy machine may be slower than the budget; nothing else is to be said.
  const doubts = report.groups.flatMap(({ checks }) =>
    checks.filter(({ id, findings }) => id !== "latency" && findings.some(({ level }) => level !== "ok")),
  );
  expect(doubts).toEqual([]);

  expect(readdirSync(env["TMPDIR"] ?? "")).toEqual([]);
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const canaries = await opened.store.stops.list({ isCanary: true });
  const sessions = await opened.store.sessions.list();
  await opened.store.close();
  expect(canaries.length).toBeGreaterThan(0);
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s-1", "s-1", "s-1"]);
});

interface BrokenSetUp {
  readonly title: string;
  readonly breaks: (staged: StagedHome) => void | Promise<void>;
  readonly check: string;
  readonly level: "warn" | "fail";
  readonly what: string;
  readonly fix: string;
}

/** Claude Code, installed and registered, then broken. */
const broken: readonly BrokenSetUp[] = [
  {
    title: "nothing is registered",
    breaks: ({ register }) => register("claude", { kinds: [] }),
    check: "registered",
    level: "fail",
    what: "not registered",
    fix: "checkpoint init --agent claude",
  },
  {
    title: "only the stop is registered",
    breaks: ({ register }) => register("claude", { kinds: ["stop"] }),
    check: "registered",
    level: "warn",
    what: "UserPromptSubmit is not registered",
    fix: "checkpoint init",
  },
  {
    title: "the gate is switched on and not registered",
    breaks: ({ write, project }) =>
      write(join(project, "checkpoint.config.json"), JSON.stringify({ safety: { gate: true } })),
    check: "gate",
    level: "warn",
    what: "`safety.gate` is on, and PreToolUse is not registered",
    fix: "checkpoint init --agent claude",
  },
  {
    title: "registered for another agent",
    breaks: ({ register }) => register("claude", { command: commandFor("gemini") }),
    check: "registered",
    level: "fail",
    what: "as --agent gemini",
    fix: "checkpoint init --agent claude",
  },
  {
    title: "registered twice",
    breaks: ({ register }) => register("claude", { times: 2 }),
    check: "duplicates",
    level: "warn",
    what: "more than one hook for UserPromptSubmit and Stop",
    fix: "keep one",
  },
  {
    title: "registered for the person and for the project",
    breaks: ({ register }) => register("claude", { scope: "project" }),
    check: "duplicates",
    level: "warn",
    what: "more than one hook for UserPromptSubmit and Stop",
    fix: "keep one",
  },
  {
    title: "the program is gone",
    breaks: ({ register, userHome }) =>
      register("claude", { command: commandFor("claude", join(userHome, "gone", "checkpoint-hook.cjs")) }),
    check: "program",
    level: "fail",
    what: "which is gone: every stop passes",
    fix: "checkpoint init --agent claude",
  },
  {
    title: "the node is gone",
    breaks: ({ register }) =>
      register("claude", { command: commandFor("claude").replaceAll(process.execPath, "/nowhere/node") }),
    check: "program",
    level: "fail",
    what: "names the node /nowhere/node, which is gone",
    fix: "checkpoint init --agent claude",
  },
  {
    title: "the node is too old",
    breaks: ({ register, addProgram }) =>
      register("claude", {
        command: commandFor("claude").replaceAll(process.execPath, addProgram("old-node", "echo v20.20.2")),
      }),
    check: "program",
    level: "fail",
    what: "names Node 20.20.2, which is older than 22.15",
    fix: "checkpoint init --agent claude",
  },
  {
    title: "another installation's program",
    breaks: ({ register, write, userHome }) => {
      const other = join(userHome, "other", "checkpoint-hook.cjs");
      write(other, `require(${JSON.stringify(PROGRAM)});\n`);
      register("claude", { command: commandFor("claude", other) });
    },
    check: "program",
    level: "warn",
    what: "names another installation than this one",
    fix: "This one is ",
  },
  {
    title: "a timeout that is a string",
    breaks: ({ register }) => register("claude", { timeout: "30" }),
    check: "timeout",
    level: "fail",
    what: `"30" is a string: Claude Code ignores the hook`,
    fix: "Set it to 30",
  },
  {
    title: "a timeout in milliseconds",
    breaks: ({ register }) => register("claude", { timeout: 30_000 }),
    check: "timeout",
    level: "warn",
    what: "30000 seconds: were milliseconds meant?",
    fix: "Set it to 30",
  },
  {
    title: "settings that are no JSON",
    breaks: ({ write, userHome }) => write(join(userHome, ".claude", "settings.json"), `{ "hooks": { "Stop": [ }`),
    check: "settings",
    level: "fail",
    what: "settings.json:1:",
    fix: "Correct it",
  },
  {
    title: "settings with a comment, which Claude Code cannot read",
    breaks: ({ register, userHome }) => {
      register("claude");
      appendFileSync(join(userHome, ".claude", "settings.json"), "\n// mine\n");
    },
    check: "settings",
    level: "fail",
    what: "found a comment: Claude Code runs none of the hooks in it",
    fix: "checkpoint init --mend --agent claude",
  },
  {
    title: "all hooks switched off",
    breaks: ({ register }) => register("claude", {}, { disableAllHooks: true }),
    check: "switches",
    level: "fail",
    what: "`disableAllHooks` is true",
    fix: "Take `disableAllHooks` out",
  },
  {
    title: "only managed hooks allowed",
    breaks: ({ register, write, systemRoot }) => {
      register("claude");
      const folder = process.platform === "darwin" ? "Library/Application Support/ClaudeCode" : "etc/claude-code";
      write(join(systemRoot, folder, "managed-settings.json"), `{ "allowManagedHooksOnly": true }`);
    },
    check: "switches",
    level: "fail",
    what: "`allowManagedHooksOnly` is set: Claude Code runs none of your own hooks",
    fix: "Ask whoever manages this machine to add what `checkpoint init --managed --agent claude` prints",
  },
  {
    title: "an old version that knows not every event",
    breaks: ({ install, write, project }) => {
      install("claude", "2.1.50 (Claude Code)");
      write(join(project, ".claude", "settings.json"), `{"hooks":{"StopFailure":[{"hooks":[{"type":"command"}]}]}}`);
    },
    check: "version",
    level: "fail",
    what: "does not know the event StopFailure",
    fix: "Update Claude Code",
  },
  {
    title: "a wrapper that prints before the answer",
    breaks: ({ register }) => register("claude", { command: `echo hello; ${commandFor("claude")}` }),
    check: "canary",
    level: "fail",
    what: "printed at a prompt, where it must be silent: hello",
    fix: "prints to stdout",
  },
  {
    title: "a wrapper that prints before the answer to a stop",
    breaks: ({ register }) =>
      register("claude", {
        command: `read -r event; case $event in *'"Stop"'*) echo hello;; esac; echo "$event" | ${process.execPath} ${PROGRAM} --agent claude`,
      }),
    check: "canary",
    level: "fail",
    what: "printed something else than one JSON object: hello",
    fix: "prints to stdout",
  },
  {
    title: "a wrapper that never ends",
    breaks: ({ register }) => register("claude", { command: "sleep 60 # checkpoint-hook --agent claude", timeout: 1 }),
    check: "canary",
    level: "fail",
    what: "did not answer within 1 s",
    fix: "Run the command by hand",
  },
  {
    title: "a wrapper that fails",
    breaks: ({ register }) =>
      register("claude", { command: "echo broken >&2; exit 1 # checkpoint-hook --agent claude" }),
    check: "canary",
    level: "fail",
    what: "ended with exit code 1: broken",
    fix: "checkpoint init",
  },
  {
    title: "a wrapper that prints without end",
    breaks: ({ register }) => register("claude", { command: "yes # checkpoint-hook --agent claude" }),
    check: "canary",
    level: "fail",
    what: "printed more than a megabyte",
    fix: "prints to stdout",
  },
  {
    title: "a wrapper that lets every stop pass",
    breaks: ({ register }) => register("claude", { command: "cat >/dev/null # checkpoint-hook --agent claude" }),
    check: "canary",
    level: "fail",
    what: "let a stop pass that has to be blocked",
    fix: "checkpoint.log",
  },
  {
    title: "a wrapper that blocks every stop",
    breaks: ({ register }) =>
      register("claude", {
        command: `read -r event; case $event in *'"Stop"'*) echo '{"decision":"block","reason":"agent-checkpoint: agent-checkpoint-canary"}';; esac # checkpoint-hook --agent claude`,
      }),
    check: "canary",
    level: "fail",
    what: "blocked the same stop twice: an agent would be trapped",
    fix: "checkpoint init",
  },
  {
    title: "a command that writes to another store",
    breaks: ({ register, userHome }) =>
      register("claude", { command: `export CHECKPOINT_HOME=${join(userHome, "elsewhere")}; ${commandFor("claude")}` }),
    check: "canary",
    level: "warn",
    what: "the command writes to another one",
    fix: "CHECKPOINT_HOME",
  },
  {
    title: "how full the context was is not known",
    breaks: ({ record }) => record({ agent: "claude", at: new Date(), save: "usage-unknown" }),
    check: "saving",
    level: "warn",
    what: "no work is saved at the threshold",
    fix: "save.contextWindow",
  },
  {
    title: "it has never fired",
    breaks: () => {},
    check: "last-firing",
    level: "warn",
    what: "Claude Code has not called the hook yet",
    fix: "Start a new session of Claude Code",
  },
];

test.for(broken)("$title", async ({ breaks, check, level, what, fix }) => {
  const staged = await stageHome();
  staged.install("claude", "2.1.325 (Claude Code)");
  staged.register("claude");
  await breaks(staged);
  const { exitCode, found, report } = await staged.doctor(...(check === "canary" ? [] : ["--no-canary"]));
  const [finding] = found("claude", check);
  expect(finding).toMatchObject({
    level,
    what: expect.stringContaining(what) as string,
    fix: expect.stringContaining(fix) as string,
  });
  expect(exitCode).toBe(report.verdict === "fail" ? 1 : 0);
  expect(readdirSync(staged.env["TMPDIR"] ?? "")).toEqual([]);
});

test.for([
  { gate: true, findings: [{ level: "ok", what: "PreToolUse", fix: null }] },
  { gate: false, findings: [] },
])("a gate that is registered, and switched on: $gate", async ({ gate, findings }) => {
  const { install, write, userHome, project, doctor } = await stageHome();
  install("claude", "2.1.325 (Claude Code)");
  const group = { hooks: [{ type: "command", command: commandFor("claude"), timeout: 30 }] };
  const hooks = { UserPromptSubmit: [group], Stop: [group], PreToolUse: [{ matcher: "Edit", ...group }] };
  write(join(userHome, ".claude", "settings.json"), JSON.stringify({ hooks }));
  write(join(project, "checkpoint.config.json"), JSON.stringify({ safety: { gate } }));
  expect((await doctor("--no-canary")).found("claude", "gate")).toEqual(findings);
});

describe("a personal config", () => {
  test("cannot keep a canary silent", async () => {
    const staged = await stageHome();
    staged.install("claude", "2.1.325");
    staged.register("claude");
    const silent = { timerSeconds: 86_400, docs: ["**"], scope: "tree", preset: "none" };
    staged.write(join(staged.home, "config.json"), JSON.stringify(silent));
    expect((await staged.doctor()).found("claude", "canary")[0]?.level).toBe("ok");
  });

  test("that is broken is a fault, and the canary says so", async () => {
    const staged = await stageHome();
    staged.install("claude", "2.1.325");
    staged.register("claude");
    staged.write(join(staged.home, "config.json"), `{ "timer": 3 }`);
    const { found, exitCode } = await staged.doctor();
    expect(found("machine", "config")[0]).toMatchObject({
      level: "fail",
      what: expect.stringContaining("config.json") as string,
    });
    expect(found("claude", "canary")[0]).toMatchObject({
      level: "warn",
      what: expect.stringContaining("without having seen what changed") as string,
    });
    expect(exitCode).toBe(1);
  });
});

test("rules that the program has moved are told, where the config lets it move them", async () => {
  const staged = await stageHome();
  const { project, home, doctor } = staged;
  const since = new Date(Date.now() - 2 * HOUR_MS);
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  await opened.store.modes.move(project, { rule: "logs", agent: "codex", mode: "require", since });
  await opened.store.modes.move(project, { rule: "tests", agent: "", mode: "advise", since });
  await opened.store.close();
  expect((await doctor("--no-canary")).found("machine", "moved")).toEqual([]);
  writeFileSync(join(project, "checkpoint.config.json"), '{ "noise": "auto" }');
  const found = (await doctor("--no-canary")).found("machine", "moved");
  expect(found.map(({ level, what }) => [level, what])).toEqual([
    ["ok", "logs came back to require for codex 2 hours ago, because it is heard again"],
    [
      "ok",
      "tests was moved to advise 2 hours ago, because it was mostly ignored or waived; checkpoint rules shows more",
    ],
  ]);
});

test("a snooze is told, and does not silence a canary", async () => {
  const staged = await stageHome();
  staged.install("claude", "2.1.325");
  staged.register("claude");
  const opened = await openStore(staged.home);
  if (!opened.ok) throw new Error(opened.detail);
  const scope = { kind: "project", projectPath: staged.project } as const;
  const [from, until] = [new Date(), new Date(Date.now() + HOUR_MS)];
  await opened.store.snoozes.set(scope, { from, until, reason: null, madeBy: "me", madeIn: staged.project }, from);
  await opened.store.close();
  const { found } = await staged.doctor();
  expect(found("machine", "snooze")[0]).toMatchObject({
    level: "warn",
    what: `stops pass until ${until.toISOString()}: ${staged.project}`,
  });
  expect(found("claude", "canary")[0]?.level).toBe("ok");
});

describe("Codex", () => {
  const codex = async () => {
    const staged = await stageHome();
    staged.install("codex", "codex-cli 0.166.0");
    staged.register("codex");
    return staged;
  };

  test("a hook that nobody trusted", async () => {
    const { found, exitCode } = await (await codex()).doctor("--no-canary");
    expect(found("codex", "trust")).toEqual([
      {
        level: "fail",
        what: expect.stringContaining("hooks.json: not trusted, so Codex skips it without a word") as string,
        fix: expect.stringContaining("Review hooks") as string,
      },
    ]);
    expect(exitCode).toBe(1);
  });

  test("a hook that was changed since", async () => {
    const staged = await codex();
    staged.trustCodexHooks();
    staged.register("codex", { timeout: 31 });
    const { found } = await staged.doctor("--no-canary");
    expect(found("codex", "trust")[0]?.what).toContain("UserPromptSubmit and Stop");
    expect(found("codex", "trust")[0]?.what).toContain("changed since it was trusted");
  });

  test("a version before the trust gate needs no trust", async () => {
    const staged = await codex();
    staged.install("codex", "codex-cli 0.125.0");
    expect((await staged.doctor("--no-canary")).found("codex", "trust")).toEqual([]);
  });

  test.for([
    { version: "0.58.0", watches: false },
    { version: "0.118.0", watches: false },
    { version: "0.118.0", watches: true },
    { version: "0.120.0", watches: false },
  ])("a version without hooks, whose screens are not known: $version, watched: $watches", async (row) => {
    const staged = await codex();
    staged.install("codex", `codex-cli ${row.version}`);
    rmSync(join(staged.userHome, ".codex", "hooks.json"));
    mkdirSync(staged.home, { recursive: true, mode: 0o700 });
    if (row.watches) takeLock(join(staged.home, "codex-injector.lock"));
    const { found, exitCode } = await staged.doctor("--no-canary");
    // Neither `init` nor `checkpoint-codex watch` would help.
    const fix = "Update Codex; checkpoint-codex watch serves 0.125.0 and newer.";
    expect(["version", "registered"].map((check) => found("codex", check)[0])).toMatchObject([
      { level: "fail", fix },
      { what: "not registered: stops are not judged", fix },
    ]);
    expect(exitCode).toBe(1);
  });

  test("hooks switched off by a feature", async () => {
    const staged = await codex();
    staged.write(join(staged.userHome, ".codex", "config.toml"), "[features]\nhooks = false\n");
    expect((await staged.doctor("--no-canary")).found("codex", "switches")[0]).toMatchObject({ level: "fail" });
  });

  test("hooks of a project that is not trusted", async () => {
    const staged = await codex();
    rmSync(join(staged.userHome, ".codex", "hooks.json"));
    staged.register("codex", { scope: "project" });
    staged.trustCodexHooks({ scope: "project" });
    const before = await staged.doctor("--no-canary");
    expect(before.found("codex", "trust")[0]?.what).toContain("is not a trusted project");
    appendFileSync(
      join(staged.userHome, ".codex", "config.toml"),
      `[projects."${staged.project}"]\ntrust_level = "trusted"\n`,
    );
    const after = await staged.doctor("--no-canary");
    expect(after.found("codex", "trust")).toEqual([{ level: "ok", what: "UserPromptSubmit and Stop", fix: null }]);
  });

  test("no hook, but the watcher runs", async () => {
    const staged = await codex();
    rmSync(join(staged.userHome, ".codex", "hooks.json"));
    mkdirSync(staged.home, { recursive: true, mode: 0o700 });
    expect(takeLock(join(staged.home, "codex-injector.lock")).ok).toBe(true);
    const { found, exitCode } = await staged.doctor();
    expect(found("codex", "registered")).toEqual([
      { level: "ok", what: `no hook; checkpoint-codex watch delivers (process ${process.pid})`, fix: null },
    ]);
    expect(exitCode).toBe(0);
  });
});

describe("Gemini CLI", () => {
  const gemini = async (more: object = {}, name = "agent-checkpoint") => {
    const staged = await stageHome();
    staged.install("gemini", "0.61.0");
    staged.register("gemini", name === "" ? {} : { name }, more);
    staged.write(
      join(staged.userHome, ".gemini", "trustedFolders.json"),
      JSON.stringify({ [staged.project]: "TRUST_FOLDER" }),
    );
    return staged;
  };

  const off = [
    {
      title: "all hooks switched off",
      name: "agent-checkpoint",
      more: { hooksConfig: { enabled: false } },
      what: "`hooksConfig.enabled`",
    },
    {
      title: "our hook disabled by its name",
      name: "agent-checkpoint",
      more: { hooksConfig: { disabled: ["agent-checkpoint"] } },
      what: "`hooksConfig.disabled`",
    },
    {
      title: "our hook, which has no name, disabled by its command",
      name: "",
      more: { hooksConfig: { disabled: [commandFor("gemini")] } },
      what: "`hooksConfig.disabled`",
    },
  ];
  test.for(off)("$title", async ({ more, name, what }) => {
    const { found, exitCode } = await (await gemini(more, name)).doctor("--no-canary");
    expect(found("gemini", "switches")[0]).toMatchObject({
      level: "fail",
      what: expect.stringContaining(what) as string,
    });
    expect(exitCode).toBe(1);
  });

  const folders = [
    { trust: "DO_NOT_TRUST", level: "fail" },
    { trust: undefined, level: "warn" },
    { trust: "TRUST_FOLDER", level: undefined },
  ];
  test.for(folders)("a folder with $trust is a $level", async ({ trust, level }) => {
    const staged = await gemini();
    staged.write(
      join(staged.userHome, ".gemini", "trustedFolders.json"),
      JSON.stringify(trust === undefined ? {} : { [staged.project]: trust }),
    );
    expect((await staged.doctor("--no-canary")).found("gemini", "switches")[0]?.level).toBe(level);
  });

  test("seconds where milliseconds are meant", async () => {
    const staged = await gemini();
    staged.register("gemini", { timeout: 30 });
    expect((await staged.doctor("--no-canary")).found("gemini", "timeout")[0]).toMatchObject({
      level: "fail",
      what: expect.stringContaining("30 milliseconds: were seconds meant?") as string,
      fix: expect.stringContaining("Set it to 30000") as string,
    });
  });
});

describe("the hooks of a project's Claude Code, which Copilot CLI runs too", () => {
  const stageBoth = async () => {
    const staged = await stageHome();
    staged.install("claude", "2.1.325");
    staged.register("claude", { scope: "project" });
    return staged;
  };

  test("are no reason to speak of Copilot CLI where nobody has it", async () => {
    const { doctor } = await stageBoth();
    const { report, exitCode } = await doctor("--no-canary");
    expect({ exitCode, groups: report.groups.map(({ id }) => id) }).toEqual({
      exitCode: 0,
      groups: ["claude", "machine"],
    });
  });

  test("are registered for it as they are: the program sees who calls", async () => {
    const { doctor, install, write, userHome, project } = await stageBoth();
    install("copilot", "1.0.102");
    write(join(userHome, ".copilot", "config.json"), JSON.stringify({ trustedFolders: [project] }));
    const { found, exitCode } = await doctor();
    expect(exitCode).toBe(0);
    for (const check of ["registered", "program", "trust", "canary"])
      expect([check, found("copilot", check).map(({ level }) => level)]).toEqual([check, ["ok"]]);
  });
});

describe("a plugin that is enabled", () => {
  /** As Claude Code 2.1 and Gemini CLI 0.61 write it when the plugin is installed. */
  const plugins: readonly { readonly agent: AgentName; readonly enable: (staged: StagedHome) => void }[] = [
    {
      agent: "claude",
      enable: ({ write, userHome }) => {
        const id = "agent-checkpoint@agent-checkpoint";
        const installPath = join(PLUGINS, "claude-code");
        write(join(userHome, ".claude/settings.json"), JSON.stringify({ enabledPlugins: { [id]: true } }));
        write(
          join(userHome, ".claude/plugins/installed_plugins.json"),
          JSON.stringify({ version: 2, plugins: { [id]: [{ scope: "user", installPath, version: "0.0.0" }] } }),
        );
      },
    },
    {
      agent: "gemini",
      enable: ({ write, userHome, project }) => {
        write(join(userHome, ".gemini/trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" }));
        const extensions = join(userHome, ".gemini/extensions");
        cpSync(join(PLUGINS, "gemini-cli"), join(extensions, "agent-checkpoint"), { recursive: true });
        const enablement = { "agent-checkpoint": { overrides: [`${userHome}/*`] } };
        write(join(extensions, "extension-enablement.json"), JSON.stringify(enablement));
      },
    },
  ];

  test.for(plugins)("$agent: is a registration before its first stop, and is tried", async ({ agent, enable }) => {
    const staged = await stageHome();
    staged.install(agent, "2.1.325");
    staged.addProgram("node", `exec ${process.execPath} "$@"`);
    staged.addProgram("checkpoint-hook", `exec ${process.execPath} ${PROGRAM} "$@"`);
    enable(staged);
    const { found, exitCode } = await staged.doctor();
    expect(exitCode).toBe(0);
    for (const check of ["registered", "program", "canary"])
      expect(found(agent, check).map(({ level }) => level)).toEqual(["ok"]);
    expect(found(agent, "duplicates")).toEqual([]);
  });

  test.for(plugins)("$agent: beside hooks in the settings is one too many", async ({ agent, enable }) => {
    const staged = await stageHome();
    staged.install(agent, "2.1.325");
    enable(staged);
    staged.register(agent, { scope: "project" });
    const { found } = await staged.doctor("--no-canary");
    expect(found(agent, "duplicates")).toMatchObject([{ level: "warn", fix: expect.stringContaining("keep one") }]);
  });

  test.for(plugins)("$agent: whose program is nowhere is a fault", async ({ agent, enable }) => {
    const staged = await stageHome();
    staged.install(agent, "2.1.325");
    enable(staged);
    const { found } = await staged.doctor("--no-canary");
    expect(found(agent, "program")).toMatchObject([
      { level: "fail", what: expect.stringContaining("every stop passes") },
    ]);
  });
});

describe("a project's command", () => {
  const command = projectCommand(agentOf("claude").projectFolderWord, "--agent claude");

  test("that finds the program in the project's node_modules works", async () => {
    const staged = await stageHome();
    staged.install("claude", "2.1.325");
    staged.addProgram("node", `exec ${process.execPath} "$@"`);
    staged.register("claude");
    staged.register("claude", { scope: "project", command });
    const bin = join(staged.project, "node_modules", ".bin", "checkpoint-hook");
    staged.write(bin, `#!/bin/sh\nexec ${process.execPath} ${PROGRAM} "$@"\n`);
    chmodSync(bin, 0o755);
    const { found } = await staged.doctor();
    expect(found("claude", "program").map(({ level }) => level)).toEqual(["ok"]);
    expect(found("claude", "canary").map(({ level }) => level)).toEqual(["ok"]);
  });

  test("that finds it nowhere is a fault", async () => {
    const staged = await stageHome();
    staged.install("claude", "2.1.325");
    staged.register("claude", { scope: "project", command });
    expect((await staged.doctor("--no-canary")).found("claude", "program")[0]).toMatchObject({
      level: "fail",
      what: expect.stringContaining("neither on the PATH nor in node_modules/.bin") as string,
    });
  });
});

describe("the store", () => {
  test("that is no database is left alone, and no canary is sent into it", async () => {
    const staged = await stageHome();
    staged.install("claude", "2.1.325");
    staged.register("claude");
    mkdirSync(staged.home, { mode: 0o700 });
    writeFileSync(join(staged.home, "checkpoint.db"), "no database\n".repeat(1000), { mode: 0o600 });
    const { found, exitCode } = await staged.doctor();
    expect(found("machine", "store")[0]).toMatchObject({
      level: "fail",
      what: expect.stringContaining("cannot be read (corrupt)") as string,
    });
    expect(found("claude", "canary")[0]?.what).toBe("none was sent: the store cannot be used");
    expect(exitCode).toBe(1);
    expect(readdirSync(staged.home)).toEqual(["checkpoint.db"]);
  });

  test("with records from the future", async () => {
    const staged = await stageHome();
    await staged.record({ at: new Date(Date.now() + 24 * HOUR_MS) });
    expect((await staged.doctor("--no-canary")).found("machine", "clock")[0]).toMatchObject({
      level: "warn",
      what: expect.stringContaining("in the future") as string,
    });
  });

  test("that others may read", async () => {
    const staged = await stageHome();
    await staged.record({});
    chmodSync(join(staged.home, "checkpoint.db"), 0o644);
    expect((await staged.doctor("--no-canary")).found("machine", "store")[0]).toMatchObject({
      level: "warn",
      what: `${join(staged.home, "checkpoint.db")} can be read by others`,
      fix: `chmod -R go-rwx ${staged.home}`,
    });
  });

  test("in a place that cannot be written", async () => {
    const staged = await stageHome();
    // A file where a folder is wanted is in nobody's power to write into, whoever runs the test.
    writeFileSync(staged.home, "");
    const { found } = await staged.doctor("--no-canary");
    expect(found("machine", "store")[0]).toMatchObject({
      level: "fail",
      what: `${staged.home} cannot be written: no stop can be recorded, so none is blocked`,
    });
  });
});

test("what went wrong in the last day is told with its last line", async () => {
  const staged = await stageHome();
  await staged.record({});
  const line = (hours: number, text: string) => `${new Date(Date.now() - hours * HOUR_MS).toISOString()} ${text}\n`;
  writeFileSync(
    join(staged.home, "checkpoint.log"),
    line(30, "error old") + line(5, "warn degraded detail=x") + line(3, "error failed-open") + line(1, "info fine"),
    { mode: 0o600 },
  );
  expect((await staged.doctor("--no-canary")).found("machine", "log")).toEqual([
    {
      level: "warn",
      what: "2 faults in the last 24 hours, the latest 3 hours ago: failed-open",
      fix: `Read ${join(staged.home, "checkpoint.log")}`,
    },
  ]);
});

test("a machine without any agent is a fault", async () => {
  const { exitCode, report } = await (await stageHome()).doctor();
  expect(exitCode).toBe(1);
  expect(report.groups[0]?.checks[0]?.findings[0]?.what).toContain("was found");
});

test("an agent that nobody registered is a warning where another one is registered, and a fault where it is asked for", async () => {
  const staged = await stageHome();
  staged.install("claude", "2.1.325");
  staged.install("gemini", "0.61.0");
  staged.register("claude");
  const all = await staged.doctor("--no-canary");
  expect(all.found("gemini", "registered")[0]?.level).toBe("warn");
  expect(all.exitCode).toBe(0);
  const one = await staged.doctor("--no-canary", "--agent", "gemini");
  expect(one.report.groups.map(({ id }) => id)).toEqual(["gemini", "machine"]);
  expect(one.found("gemini", "registered")[0]?.level).toBe("fail");
  expect(one.exitCode).toBe(1);
});

test("a managed hook is registered, needs no trust and gets a canary, whatever else may run", async () => {
  const staged = await stageHome();
  staged.install("codex", "0.166.0");
  const [, ...payload] = (await staged.managed("codex")).split("# Codex\n");
  staged.write(
    join(staged.systemRoot, "etc/codex/requirements.toml"),
    `allow_managed_hooks_only = true\n${payload.join("")}`,
  );
  const { found } = await staged.doctor("--agent", "codex");
  expect(found("codex", "registered")[0]).toMatchObject({ level: "ok" });
  expect(found("codex", "canary")[0]).toMatchObject({ level: "ok" });
  expect([found("codex", "switches"), found("codex", "trust")]).toEqual([[], []]);
});
