import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SettingsPlace } from "./agent-settings.ts";
import { AGENTS, settingsOf } from "./agents.ts";
import { wantedHooks } from "./registrations/wanted-hook.ts";
import { testFolder, writeTestFile } from "./testing/test-folder.ts";

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
  ] as const;
  test.for(cases)("$agent with $env", ({ agent, env, user, project }) => {
    const { settingsFile } = settingsOf(agent);
    expect(settingsFile("user", { ...place, env })).toBe(user);
    expect(settingsFile("project", { ...place, env })).toBe(project);
  });
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
  ] as const;
  test.for(cases)("$agent $version: $events", ({ agent, version, events }) => {
    const wanted = wantedHooks(settingsOf(agent), { command: (args) => `x ${args}`, version });
    expect(wanted.map(({ event }) => event)).toEqual(events);
  });

  test("have the gate's event only where it is asked for, for the tools that change something", () => {
    const gates = AGENTS.map((settings) =>
      wantedHooks(settings, { command: (args) => `x ${args}`, version: null, hasGate: true }).slice(2),
    );
    expect(gates.flat().map(({ event, matcher }) => `${event}: ${matcher ?? "all"}`)).toEqual([
      "PreToolUse: Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell",
      "BeforeTool: replace|write_file|run_shell_command",
      "PreToolUse: all",
    ]);
    const old = wantedHooks(settingsOf("claude"), { command: (args) => args, version: "1.0.60", hasGate: true });
    expect(old.map(({ event }) => event)).toEqual(["UserPromptSubmit", "Stop"]);
  });

  test("tell of a compaction only where work is saved without asking, and where that is what the event means", () => {
    const events = (isAutonomous: boolean, version: string | null = null) =>
      AGENTS.flatMap((settings) =>
        wantedHooks(settings, { command: (args) => args, version, isAutonomous }).map(({ event }) => event),
      ).filter((event) => event.startsWith("PreCompa"));
    expect(events(false)).toEqual([]);
    expect(events(true)).toEqual(["PreCompact"]);
    expect(events(true, "2.0.77")).toEqual([]);
  });

  test("have a number for a timeout in the agent's own unit, and a name where hooks have names", () => {
    const hooks = AGENTS.map(
      (settings) => wantedHooks(settings, { command: (args) => `x ${args}`, version: null })[0]?.hook,
    );
    expect(hooks).toEqual([
      { type: "command", command: "x --agent claude", timeout: 30 },
      { name: "agent-checkpoint", type: "command", command: "x --agent gemini", timeout: 30_000 },
      { type: "command", command: "x --agent codex", timeout: 30 },
    ]);
  });
});

describe("what keeps hooks from running", () => {
  const stage = (files: Readonly<Record<string, string>>, env = {}): SettingsPlace => {
    const folder = testFolder();
    for (const [path, text] of Object.entries(files))
      writeTestFile(join(folder, path), text.replaceAll("ROOT", folder));
    return { env, userHome: join(folder, "home"), projectRoot: join(folder, "code", "project") };
  };
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
    { agent: "codex", title: "a file that is no TOML", files: { "home/.codex/config.toml": "[features" }, ids: [] },
  ] as const;
  test.for(cases)("of $agent: $title", ({ agent, files, ids }) => {
    expect(
      settingsOf(agent)
        .hindrances(stage(files))
        .map(({ id }) => id),
    ).toEqual(ids);
  });

  test.for([
    { value: "true", ids: [] },
    { value: "false", ids: ["folder-untrusted"] },
  ])("GEMINI_CLI_TRUST_WORKSPACE=$value", ({ value, ids }) => {
    const place = stage({}, { GEMINI_CLI_TRUST_WORKSPACE: value });
    expect(
      settingsOf("gemini")
        .hindrances(place)
        .map(({ id }) => id),
    ).toEqual(ids);
  });
});
