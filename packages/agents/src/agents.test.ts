import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import type { SettingsPlace } from "./agent.ts";
import { agentOf, AGENTS, wantedHooks } from "./agents.ts";
import { testFolder, writeTestFile } from "./testing/test-folder.ts";

const PLATFORM = process.platform === "darwin" ? "darwin" : "linux";

describe("where settings are", () => {
  const place = { env: {}, userHome: "/home/me", projectRoot: "/project" };
  const cases = [
    { agent: "claude", env: {}, user: "/home/me/.claude/settings.json", project: "/project/.claude/settings.json" },
    {
      agent: "claude",
      env: { CLAUDE_CONFIG_DIR: "/c" },
      user: "/c/settings.json",
      project: "/project/.claude/settings.json",
    },
    { agent: "gemini", env: {}, user: "/home/me/.gemini/settings.json", project: "/project/.gemini/settings.json" },
    {
      agent: "gemini",
      env: { GEMINI_CLI_HOME: "/g" },
      user: "/g/.gemini/settings.json",
      project: "/project/.gemini/settings.json",
    },
    { agent: "codex", env: {}, user: "/home/me/.codex/hooks.json", project: "/project/.codex/hooks.json" },
    { agent: "codex", env: { CODEX_HOME: "/x" }, user: "/x/hooks.json", project: "/project/.codex/hooks.json" },
    {
      agent: "copilot",
      env: {},
      user: "/home/me/.copilot/hooks/agent-checkpoint.json",
      project: "/project/.github/hooks/agent-checkpoint.json",
    },
    {
      agent: "copilot",
      env: { COPILOT_HOME: "/c" },
      user: "/c/hooks/agent-checkpoint.json",
      project: "/project/.github/hooks/agent-checkpoint.json",
    },
    { agent: "qwen", env: {}, user: "/home/me/.qwen/settings.json", project: "/project/.qwen/settings.json" },
    {
      agent: "opencode",
      env: {},
      user: "/home/me/.config/opencode/plugins/agent-checkpoint.js",
      project: "/project/.opencode/plugins/agent-checkpoint.js",
    },
    {
      agent: "opencode",
      env: { XDG_CONFIG_HOME: "/x" },
      user: "/x/opencode/plugins/agent-checkpoint.js",
      project: "/project/.opencode/plugins/agent-checkpoint.js",
    },
    {
      agent: "pi",
      env: { PI_CODING_AGENT_DIR: "/p" },
      user: "/p/extensions/agent-checkpoint.js",
      project: "/project/.pi/extensions/agent-checkpoint.js",
    },
  ] as const;
  test.for(cases)("$agent with $env", ({ agent, env, user, project }) => {
    const { settingsFile } = agentOf(agent);
    expect(settingsFile("user", { ...place, env })).toBe(user);
    expect(settingsFile("project", { ...place, env })).toBe(project);
  });
});

test("where a person's sessions are, and where the agents were told to keep them", () => {
  const folder = testFolder();
  writeTestFile(join(folder, ".gemini/tmp/app/chats/session-1.json"), "{}");
  const foldersOf = (env: Readonly<Record<string, string>>) =>
    (["claude", "gemini", "codex"] as const).map((name) => agentOf(name).transcriptFolders({ env, userHome: folder }));
  expect(foldersOf({})).toEqual([
    [join(folder, ".claude/projects")],
    [join(folder, ".gemini/tmp/app/chats")],
    [join(folder, ".codex/sessions"), join(folder, ".codex/archived_sessions")],
  ]);
  expect(foldersOf({ CLAUDE_CONFIG_DIR: "/c", GEMINI_CLI_HOME: "/g", CODEX_HOME: "/x" })).toEqual([
    ["/c/projects"],
    [],
    ["/x/sessions", "/x/archived_sessions"],
  ]);
});

describe("the hooks that are wanted", () => {
  const cases = [
    { agent: "claude", version: null, events: ["UserPromptSubmit", "Stop"] },
    { agent: "claude", version: "2.1.325", events: ["UserPromptSubmit", "Stop"] },
    // It would drop the whole file for an event that it does not know.
    { agent: "claude", version: "1.0.41", events: ["Stop"] },
    { agent: "gemini", version: "0.61.0", events: ["BeforeAgent", "AfterAgent"] },
    { agent: "codex", version: "0.166.0", events: ["UserPromptSubmit", "Stop"] },
    { agent: "codex", version: "0.45.0", events: [] },
    { agent: "copilot", version: "1.0.24", events: ["UserPromptSubmit", "Stop"] },
    { agent: "copilot", version: "1.0.12", events: [] },
    { agent: "qwen", version: "0.15.10", events: ["UserPromptSubmit", "Stop"] },
    { agent: "qwen", version: "0.12.0", events: [] },
    { agent: "opencode", version: "1.18.33", events: ["UserPromptSubmit", "Stop"] },
    { agent: "pi", version: "0.87.1", events: ["UserPromptSubmit", "Stop"] },
    { agent: "pi", version: "0.80.10", events: [] },
  ] as const;
  test.for(cases)("$agent $version: $events", ({ agent, version, events }) => {
    const wanted = wantedHooks(agentOf(agent), { command: (args) => `x ${args}`, version });
    expect(wanted.map(({ event }) => event)).toEqual(events);
  });

  const gates = [
    { agent: "claude", event: "PreToolUse", matcher: "Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell" },
    { agent: "gemini", event: "BeforeTool", matcher: "replace|write_file|run_shell_command" },
    { agent: "codex", event: "PreToolUse", matcher: undefined },
    { agent: "copilot", event: "PreToolUse", matcher: undefined },
    { agent: "qwen", event: "PreToolUse", matcher: "edit|write_file|run_shell_command" },
    { agent: "opencode", event: "PreToolUse", matcher: undefined },
    { agent: "pi", event: "PreToolUse", matcher: undefined },
  ] as const;
  test.for(gates)("have $agent's gate only if it is asked for, for $matcher", ({ agent, event, matcher }) => {
    const gate = (hasGate: boolean) =>
      wantedHooks(agentOf(agent), { command: (args) => `x ${args}`, version: null, hasGate }).slice(2);
    expect(gate(false)).toEqual([]);
    expect(gate(true).map((hook) => [hook.event, hook.matcher])).toEqual([[event, matcher]]);
  });

  test("have no gate in a version that does not know its event", () => {
    const old = wantedHooks(agentOf("claude"), { command: (args) => args, version: "1.0.60", hasGate: true });
    expect(old.map(({ event }) => event)).toEqual(["UserPromptSubmit", "Stop"]);
  });

  test("tell of a compaction only where work is saved without asking, and where that is what the event means", () => {
    const events = (isAutonomous: boolean, version: string | null = null) =>
      AGENTS.flatMap((settings) =>
        wantedHooks(settings, { command: (args) => args, version, isAutonomous }).map(({ event }) => event),
      ).filter((event) => event.startsWith("PreCompa"));
    expect(events(false)).toEqual([]);
    expect(events(true)).toEqual(["PreCompact", "PreCompact", "PreCompact", "PreCompact", "PreCompact"]);
    expect(events(true, "0.0.1")).toEqual([]);
  });

  const hooks = [
    { agent: "claude", hook: { type: "command", command: "x --agent claude", timeout: 30 } },
    {
      agent: "gemini",
      hook: { name: "agent-checkpoint", type: "command", command: "x --agent gemini", timeout: 30_000 },
    },
    { agent: "codex", hook: { type: "command", command: "x --agent codex", timeout: 30 } },
    { agent: "copilot", hook: { type: "command", command: "x --agent copilot", timeout: 30 } },
    {
      agent: "qwen",
      hook: { name: "agent-checkpoint", type: "command", command: "x --agent qwen", timeout: 30_000 },
    },
  ] as const;
  test.for(hooks)("have a timeout in $agent's own unit, and a name if its hooks have names", ({ agent, hook }) => {
    const [first] = wantedHooks(agentOf(agent), { command: (args) => `x ${args}`, version: null });
    expect(first?.hook).toEqual(hook);
  });
});

describe("the hooks of our plugin", () => {
  const ID = "agent-checkpoint@agent-checkpoint";
  const enabled = (isEnabled: boolean) => JSON.stringify({ enabledPlugins: { [ID]: isEnabled } });
  const installed = (copy: object) => JSON.stringify({ version: 2, plugins: { [ID]: [copy] } });
  const overrides = (...rules: readonly string[]) => JSON.stringify({ "agent-checkpoint": { overrides: rules } });
  const [person, project, local, list] = [
    "home/.claude/settings.json",
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
    "home/.claude/plugins/installed_plugins.json",
  ];
  const enablement = "home/.gemini/extensions/extension-enablement.json";
  const here = installed({ scope: "user", installPath: "/plugin" });

  const cases: readonly { agent: "claude" | "gemini"; title: string; files: Record<string, string>; count: number }[] =
    [
      { agent: "claude", title: "not installed", files: { [person]: enabled(true) }, count: 0 },
      { agent: "claude", title: "installed and not enabled", files: { [list]: here }, count: 0 },
      { agent: "claude", title: "enabled", files: { [person]: enabled(true), [list]: here }, count: 1 },
      {
        agent: "claude",
        title: "switched off in the project",
        files: { [person]: enabled(true), [project]: enabled(false), [list]: here },
        count: 0,
      },
      {
        agent: "claude",
        title: "switched on again by the person there",
        files: { [person]: enabled(true), [project]: enabled(false), [local]: enabled(true), [list]: here },
        count: 1,
      },
      {
        agent: "claude",
        title: "installed for another project",
        files: { [person]: enabled(true), [list]: installed({ installPath: "/plugin", projectPath: "/elsewhere" }) },
        count: 0,
      },
      { agent: "gemini", title: "without a rule", files: {}, count: 1 },
      { agent: "gemini", title: "enabled", files: { [enablement]: overrides("ROOT/*") }, count: 1 },
      { agent: "gemini", title: "disabled", files: { [enablement]: overrides("!ROOT/*") }, count: 0 },
      {
        agent: "gemini",
        title: "disabled in the project",
        files: { [enablement]: overrides("ROOT/*", "!ROOT/project/*") },
        count: 0,
      },
      {
        agent: "gemini",
        title: "disabled elsewhere",
        files: { [enablement]: overrides("!ROOT/other/*") },
        count: 1,
      },
    ];
  test.for(cases)("$agent: $title", ({ agent, files, count }) => {
    const folder = testFolder();
    for (const [path, text] of Object.entries(files))
      writeTestFile(join(folder, path), text.replaceAll("ROOT", folder));
    const place = { env: {}, userHome: join(folder, "home"), projectRoot: join(folder, "project") };
    const found = agentOf(agent).otherSettingsFiles(place);
    expect(found.filter((file) => file.endsWith("/hooks/hooks.json"))).toHaveLength(count);
  });
});

describe("managed hooks", () => {
  const agents = AGENTS.filter(({ managed }) => managed !== null);
  test.for(agents.map(({ name }) => name))("%s reads what is printed for it as our hooks", (name) => {
    const agent = agentOf(name);
    const wanted = wantedHooks(agent, { command: (args) => `checkpoint-hook ${args}`, version: null });
    const read = agent.hooksForm.read(agent.managed?.payload(wanted, "/opt/check point") ?? "");
    expect(read.ok && read.registrations.map(({ event, isOurs, timeout }) => ({ event, isOurs, timeout }))).toEqual(
      agent.events.map(({ name: event }) => ({ event, isOurs: true, timeout: agent.timeout.value })),
    );
  });

  test("a hook in TOML is found on its line, and text that is neither JSON nor TOML is a problem", () => {
    const { hooksForm } = agentOf("codex");
    const text =
      '# ours\n[hooks]\nmanaged_dir = "/opt"\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n';
    expect(hooksForm.read(text)).toMatchObject({
      ok: true,
      registrations: [{ event: "Stop", line: 5, isOurs: false }],
    });
    expect(hooksForm.read("{ hooks")).toMatchObject({ ok: false });
    expect(hooksForm.read("[hooks")).toMatchObject({ ok: false });
  });
});

describe("what keeps hooks from running", () => {
  const stage = (files: Readonly<Record<string, string>>, env = {}): SettingsPlace => {
    const folder = testFolder();
    for (const [path, text] of Object.entries(files))
      writeTestFile(join(folder, path), text.replaceAll("ROOT", folder));
    const systemRoot = join(folder, "system");
    return { env, userHome: join(folder, "home"), projectRoot: join(folder, "code", "project"), systemRoot };
  };
  const managed =
    process.platform === "darwin" ? "system/Library/Application Support/ClaudeCode" : "system/etc/claude-code";
  const ours = (agent: AgentName) =>
    wantedHooks(agentOf(agent), { command: (args) => `checkpoint-hook ${args}`, version: null });
  const trusted = { "home/.gemini/trustedFolders.json": `{ "ROOT/code": "TRUST_FOLDER" }` };

  const cases = [
    { agent: "claude", title: "nothing", files: {}, ids: [] },
    {
      agent: "claude",
      title: "the person",
      files: { "home/.claude/settings.json": `{ "disableAllHooks": true }` },
      ids: ["hooks-off"],
    },
    {
      agent: "claude",
      title: "the person, in this project",
      files: { "code/project/.claude/settings.local.json": `{ "disableAllHooks": true }` },
      ids: ["hooks-off"],
    },
    {
      agent: "claude",
      title: "a file that is no JSON",
      files: { "home/.claude/settings.json": `{ disableAllHooks` },
      ids: [],
    },
    {
      agent: "claude",
      title: "whoever manages the machine",
      files: { [`${managed}/managed-settings.json`]: `{ "allowManagedHooksOnly": true }` },
      ids: ["hooks-off"],
    },
    {
      agent: "claude",
      title: "a file beside the managed one, and both switches",
      files: {
        [`${managed}/managed-settings.d/50-hooks.json`]: `{ "disableAllHooks": true, "allowManagedHooksOnly": true }`,
      },
      ids: ["hooks-off", "hooks-off"],
    },
    {
      agent: "claude",
      title: "the copy of the server's settings",
      files: { "home/.claude/remote-settings.json": `{ "strictPluginOnlyCustomization": ["skills", "hooks"] }` },
      ids: ["hooks-off"],
    },
    {
      agent: "claude",
      title: "nothing: a managed file has our hooks",
      files: {
        [`${managed}/managed-settings.json`]: `{ "allowManagedHooksOnly": true }`,
        [`${managed}/managed-settings.d/agent-checkpoint.json`]: agentOf("claude").managed?.payload(
          ours("claude"),
          "/",
        ),
      },
      ids: [],
    },
    {
      agent: "codex",
      title: "whoever manages the machine",
      files: { "system/etc/codex/requirements.toml": "allow_managed_hooks_only = true\n" },
      ids: ["hooks-off"],
    },
    {
      agent: "codex",
      title: "whoever manages the machine, by the feature",
      files: { "system/etc/codex/requirements.toml": "[features]\nhooks = false\n" },
      ids: ["hooks-off"],
    },
    {
      agent: "codex",
      title: "nothing: the requirements have our hooks",
      files: {
        "system/etc/codex/requirements.toml": `allow_managed_hooks_only = true\n${agentOf("codex").managed?.payload(ours("codex"), "/opt")}`,
      },
      ids: [],
    },
    {
      agent: "gemini",
      title: "whoever manages the machine",
      files: {
        ...trusted,
        [`system${agentOf("gemini").managed?.file?.[PLATFORM]}`]: `{ "hooksConfig": { "enabled": false } }`,
      },
      ids: ["hooks-off"],
    },
    {
      agent: "qwen",
      title: "whoever manages the machine",
      files: { [`system${agentOf("qwen").managed?.file?.[PLATFORM]}`]: `{ "disableAllHooks": true }` },
      ids: ["hooks-off"],
    },
    { agent: "gemini", title: "nothing", files: trusted, ids: [] },
    { agent: "gemini", title: "a folder never asked about", files: {}, ids: ["folder-not-yet-trusted"] },
    {
      agent: "gemini",
      title: "the longest rule",
      files: {
        "home/.gemini/trustedFolders.json": `{ "ROOT/code": "TRUST_FOLDER", "ROOT/code/project": "DO_NOT_TRUST" }`,
      },
      ids: ["folder-untrusted"],
    },
    {
      agent: "gemini",
      title: "nothing: a neighbour is trusted with its parent",
      files: { "home/.gemini/trustedFolders.json": `{ "ROOT/code/other": "TRUST_PARENT" }` },
      ids: [],
    },
    {
      agent: "gemini",
      title: "a rule for a folder whose name only begins alike",
      files: { "home/.gemini/trustedFolders.json": `{ "ROOT/wor": "TRUST_FOLDER" }` },
      ids: ["folder-not-yet-trusted"],
    },
    {
      agent: "gemini",
      title: "nothing: folder trust is off",
      files: { "home/.gemini/settings.json": `{ "security": { "folderTrust": { "enabled": false } } }` },
      ids: [],
    },
    {
      agent: "gemini",
      title: "the switch",
      files: { ...trusted, "home/.gemini/settings.json": `{ /* quiet */ "hooksConfig": { "enabled": false } }` },
      ids: ["hooks-off"],
    },
    {
      agent: "gemini",
      title: "the list of names",
      files: {
        ...trusted,
        "code/project/.gemini/settings.json": `{ "hooksConfig": { "disabled": ["agent-checkpoint"] } }`,
      },
      ids: ["hook-disabled"],
    },
    { agent: "codex", title: "nothing", files: { "home/.codex/config.toml": `model = "x"` }, ids: [] },
    {
      agent: "codex",
      title: "the feature",
      files: { "home/.codex/config.toml": "[features]\nhooks = false\n" },
      ids: ["hooks-off"],
    },
    {
      agent: "codex",
      title: "its old name",
      files: { "home/.codex/config.toml": "features.codex_hooks = false" },
      ids: ["hooks-off"],
    },
    { agent: "copilot", title: "nothing", files: { "home/.copilot/settings.json": `{ "model": "x" }` }, ids: [] },
    {
      agent: "copilot",
      title: "the switch",
      files: { "home/.copilot/settings.json": `{ "disableAllHooks": true }` },
      ids: ["hooks-off"],
    },
    {
      agent: "qwen",
      title: "the switch of the project",
      files: { "code/project/.qwen/settings.json": `{ "disableAllHooks": true }` },
      ids: ["hooks-off"],
    },
    { agent: "codex", title: "a file that is no TOML", files: { "home/.codex/config.toml": "[features" }, ids: [] },
  ] as const;
  test.for(cases)("of $agent: $title", ({ agent, files, ids }) => {
    expect(
      agentOf(agent)
        .blockers(stage(files as Readonly<Record<string, string>>))
        .map(({ id }) => id),
    ).toEqual(ids);
  });

  test.for([
    { value: "true", ids: [] },
    { value: "false", ids: ["folder-untrusted"] },
  ])("GEMINI_CLI_TRUST_WORKSPACE=$value", ({ value, ids }) => {
    const place = stage({}, { GEMINI_CLI_TRUST_WORKSPACE: value });
    expect(
      agentOf("gemini")
        .blockers(place)
        .map(({ id }) => id),
    ).toEqual(ids);
  });
});

describe("the trust of an agent in a project's hooks", () => {
  const stage = (files: Readonly<Record<string, string>>): SettingsPlace => {
    const folder = realpathSync(testFolder());
    mkdirSync(join(folder, "code/project"), { recursive: true });
    for (const [path, text] of Object.entries(files))
      writeTestFile(join(folder, "home", path), text.replaceAll("ROOT", folder));
    return { env: {}, userHome: join(folder, "home"), projectRoot: join(folder, "code/project") };
  };
  const asksQwen = { ".qwen/settings.json": `{ "security": { "folderTrust": { "enabled": true } } }` };
  const cases: readonly {
    agent: AgentName;
    title: string;
    files: Readonly<Record<string, string>>;
    ok: readonly boolean[];
  }[] = [
    {
      agent: "copilot",
      title: "a trusted folder",
      files: { ".copilot/config.json": `{ "trustedFolders": ["ROOT/code/project"] }` },
      ok: [true],
    },
    {
      agent: "copilot",
      title: "another one",
      files: { ".copilot/config.json": `{ "trustedFolders": ["ROOT/code"] }` },
      ok: [false],
    },
    { agent: "copilot", title: "no list", files: { ".copilot/config.json": "{}" }, ok: [false] },
    { agent: "qwen", title: "settings that do not ask", files: {}, ok: [true] },
    { agent: "qwen", title: "a folder never asked about", files: asksQwen, ok: [false] },
    {
      agent: "qwen",
      title: "a trusted folder",
      files: { ...asksQwen, ".qwen/trustedFolders.json": `{ "ROOT/code/project": "TRUST_FOLDER" }` },
      ok: [true],
    },
    { agent: "opencode", title: "no such thing", files: {}, ok: [] },
    { agent: "pi", title: "a folder never asked about", files: {}, ok: [false] },
    {
      agent: "pi",
      title: "a folder in a trusted one",
      files: { ".pi/agent/trust.json": `{ "ROOT/code": true }` },
      ok: [true],
    },
    {
      agent: "pi",
      title: "an untrusted folder in a trusted one",
      files: { ".pi/agent/trust.json": `{ "ROOT/code": true, "ROOT/code/project": false }` },
      ok: [false],
    },
    {
      agent: "pi",
      title: "trust in all folders",
      files: { ".pi/agent/settings.json": `{ "defaultProjectTrust": "always" }` },
      ok: [true],
    },
  ];
  test.for(cases)("$agent: $title", ({ agent: name, files, ok }) => {
    const agent = agentOf(name);
    const place = stage(files);
    const project = agent.settingsFile("project", place);
    const planned = agent.hooksForm.plan(
      null,
      wantedHooks(agent, { command: (args) => `checkpoint-hook ${args}`, version: null }),
    );
    const found = planned.ok ? agent.hooksForm.read(planned.text) : null;
    const registrations = found?.ok === true ? found.registrations : [];
    expect(registrations).toHaveLength(2);
    const { trust, nextSteps } = agent;
    expect(trust([{ path: project, scope: "project", registrations }], place, null).map((one) => one.ok)).toEqual(ok);
    expect(trust([{ path: "/user", scope: "user", registrations }], place, null)).toEqual([]);
    expect(nextSteps(project, place, null).some((step) => /[Tt]rust the /.test(step))).toBe(ok.includes(false));
    expect(nextSteps(agent.settingsFile("user", place), place, null).join()).not.toContain("rust the");
  });
});
