import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findLockOwner } from "@agent-checkpoint/files";
import { parse } from "smol-toml";
import type { Agent, Blocker, HooksFile, PersonalPlace, Problem, SettingsPlace, TrustFinding } from "../agent.ts";
import { asObject } from "../json-file.ts";
import { REPOSITORY_WORD } from "../program/hook-command.ts";
import { isAtLeast } from "../program/installed.ts";
import { onThisMachine, registersUs } from "../settings/managed.ts";
import { canary } from "./canary.ts";
import { type HookTrust, readHookTrust } from "./hook-trust.ts";
import { CODEX_HOOKS, CODEX_MANAGED, REQUIREMENTS } from "./requirements.ts";

/** Codex. */
export const codex: Agent = {
  name: "codex",
  title: "Codex",
  program: "codex",
  packageName: "@openai/codex",
  environment: {
    signs: ["CODEX_THREAD_ID", "CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
    session: "CODEX_THREAD_ID",
    all: /^CODEX_(?:THREAD_ID|CI|SANDBOX|SANDBOX_NETWORK_DISABLED)$/,
  },
  homeFolder,
  projectFolder: ".codex",
  transcriptFolders: (home) => ["sessions", "archived_sessions"].map((folder) => join(homeFolder(home), folder)),
  settingsFile: (scope, place) =>
    join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".codex"), "hooks.json"),
  hooksForm: CODEX_HOOKS,
  // How it takes a byte order mark was not measured.
  settingsSyntax: { comments: false, trailingCommas: false, byteOrderMark: true },
  otherSettingsFiles: (place) => [onThisMachine(REQUIREMENTS, place)],
  events: [
    { name: "UserPromptSubmit", kind: "prompt", since: "0.124.0" },
    { name: "Stop", kind: "stop", since: "0.124.0" },
  ],
  // Codex remembers a trusted hook by a hash; whether a matcher is part of it is not known.
  gateEvent: { name: "PreToolUse", since: "0.125.0", matcher: null },
  compactionEvent: null,
  timeout: { value: 30, unit: "seconds" },
  hookName: null,
  projectFolderWord: REPOSITORY_WORD,
  versionProblem: () => null,
  blockers,
  trust,
  nextSteps,
  // Its screens were recorded from this version on.
  otherRoute: { command: "checkpoint-codex watch", since: "0.125.0", find: findWatcher },
  managed: CODEX_MANAGED,
  canary,
};

function homeFolder({ env, userHome }: PersonalPlace): string {
  return env["CODEX_HOME"] || join(userHome, ".codex");
}

function configFile(place: PersonalPlace): string {
  return join(homeFolder(place), "config.toml");
}

/** The feature that runs hooks, by its name and the one it had before 0.130. */
const SWITCHES = ["hooks", "codex_hooks"] as const;

function blockers(place: SettingsPlace): readonly Blocker[] {
  const requirements = onThisMachine(REQUIREMENTS, place);
  const files = new Set([configFile(place), join(place.projectRoot, ".codex", "config.toml"), requirements]);
  const off = [...files].flatMap((file): readonly Blocker[] => {
    const features = asObject(readToml(file)["features"]);
    const key = SWITCHES.find((name) => features[name] === false);
    if (key === undefined) return [];
    const what = `\`${key} = false\` stands under \`[features]\`: Codex runs no hooks.`;
    const fix =
      file === requirements ? "Ask whoever manages this machine to take that line out." : "Take that line out.";
    return [{ id: "hooks-off", file, what, fix }];
  });
  return [...off, ...managedOnly(requirements)];
}

/** Hooks of the person and the project are silent if only managed ones may run, and none of those is ours. */
function managedOnly(file: string): readonly Blocker[] {
  if (readToml(file)["allow_managed_hooks_only"] !== true || registersUs([file], "Stop", CODEX_HOOKS)) return [];
  const what =
    "`allow_managed_hooks_only` is true: Codex runs none of your own hooks, and none of the managed ones is ours.";
  const fix = "Ask whoever manages this machine to add what `checkpoint init --managed --agent codex` prints.";
  return [{ id: "hooks-off", file, what, fix }];
}

/** The first Codex that runs no hook before a person has trusted it. */
const GATED_SINCE = "0.129.0";

function isGated(version: string | null): boolean {
  return version === null || isAtLeast(version, GATED_SINCE);
}

/** Codex runs a hook only after its user has looked at it; nothing of ours does that for them. */
function nextSteps(file: string, place: SettingsPlace, version: string | null): readonly string[] {
  if (!isGated(version)) return [];
  const hooks = readHookTrust(file, configFile(place));
  if (hooks.length > 0 && hooks.every(({ trust }) => trust === "trusted")) return [];
  return [
    'Start `codex` and trust them: choose "Review hooks" if it asks, else type /hooks. Until you do, Codex skips them without a word.',
  ];
}

/** The first versions with a gate do not ask at the start. */
const REVIEW =
  'Start codex and trust it: choose "Review hooks" if it asks, else type /hooks; nothing of ours does that for you.';

const UNTRUSTED: readonly (Problem & { readonly state: Exclude<HookTrust, "trusted"> })[] = [
  { state: "untrusted", what: "not trusted, so Codex skips it without a word", fix: REVIEW },
  { state: "changed", what: "changed since it was trusted, so Codex skips it without a word", fix: REVIEW },
  { state: "off", what: "switched off", fix: "Switch it on again in codex, with /hooks." },
];

function trust(files: readonly HooksFile[], place: SettingsPlace, version: string | null): readonly TrustFinding[] {
  if (!isGated(version)) return [];
  const findings = files.flatMap((file) => trustOf(file, place));
  const problems = findings.filter(({ ok }) => !ok);
  return problems.length > 0 ? problems : findings;
}

function trustOf({ path, scope }: HooksFile, place: SettingsPlace): readonly TrustFinding[] {
  const events = new Set(codex.events.map(({ name }) => name));
  const hooks = readHookTrust(path, configFile(place)).filter(({ event }) => events.has(event));
  if (hooks.length > 0 && scope === "project" && !isTrustedProject(place)) {
    const what = `${place.projectRoot} is not a trusted project: Codex does not look at ${path}`;
    return [{ ok: false, what, fix: "Start codex in it once and trust the folder." }];
  }
  const namesOf = (state: HookTrust) =>
    hooks
      .filter(({ trust }) => trust === state)
      .map(({ event }) => event)
      .join(" and ");
  const trusted = namesOf("trusted");
  return [
    ...UNTRUSTED.flatMap(({ state, what, fix }): readonly TrustFinding[] => {
      const names = namesOf(state);
      return names === "" ? [] : [{ ok: false, what: `${names} of ${path}: ${what}`, fix }];
    }),
    ...(trusted === "" ? [] : [{ ok: true, what: trusted } as const]),
  ];
}

function isTrustedProject(place: SettingsPlace): boolean {
  const projects = asObject(readToml(configFile(place))["projects"]);
  return asObject(projects[place.projectRoot])["trust_level"] === "trusted";
}

/** The process of `checkpoint-codex watch`, by the lock that it holds in the store's folder. */
function findWatcher(home: string): string | null {
  const owner = findLockOwner(join(home, "codex-injector.lock"));
  return owner === null ? null : `process ${owner.pid}`;
}

function readToml(file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
