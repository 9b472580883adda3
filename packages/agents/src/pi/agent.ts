import { dirname, join } from "node:path";
import type { Agent, PersonalPlace, SettingsPlace } from "../agent.ts";
import { projectTrust, realPath } from "../folder-trust.ts";
import { readJsonObject } from "../json-file.ts";
import { canary } from "./canary.ts";
import { extension } from "./extension.ts";

const SINCE = "0.87.0";

/** pi. */
export const pi: Agent = {
  name: "pi",
  title: "pi",
  program: "pi",
  packageName: "@earendil-works/pi-coding-agent",
  environment: {
    signs: ["PI_CODING_AGENT"],
    session: "PI_SESSION_ID",
    all: /^(?:AI_AGENT|PI_(?:CODING_AGENT|SESSION_ID|SESSION_FILE|PROVIDER|MODEL|REASONING_LEVEL))$/,
  },
  homeFolder,
  projectFolder: ".pi",
  transcriptFolders: (home) => [join(homeFolder(home), "sessions")],
  settingsFile: (scope, place) =>
    join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".pi"), "extensions", "agent-checkpoint.js"),
  hooksForm: extension,
  settingsSyntax: { comments: true, trailingCommas: true, byteOrderMark: true },
  otherSettingsFiles: () => [],
  events: [
    { name: "UserPromptSubmit", kind: "prompt", since: SINCE },
    // It came with 0.87; before it nothing holds the end of a run in every mode.
    { name: "Stop", kind: "stop", since: SINCE },
  ],
  gateEvent: { name: "PreToolUse", since: SINCE, matcher: null },
  compactionEvent: { name: "PreCompact", since: SINCE },
  timeout: { value: 30, unit: "seconds" },
  hookName: null,
  // Our extension runs a hook in the folder that pi was started in.
  projectFolderWord: ".",
  versionProblem: () => null,
  blockers: () => [],
  trust: (files, place) =>
    projectTrust(files, place, {
      isTrusted: isTrusted(place),
      title: "pi",
      fix: "Start pi in it once and trust the folder, or start it with `--approve`.",
    }),
  nextSteps: (file, place) =>
    file === pi.settingsFile("project", place) && !isTrusted(place)
      ? [
          "Trust the project's folder when pi asks, or start it with `--approve`: without that it loads no extension of a project.",
        ]
      : ["Start open sessions of pi again, or type `/reload`."],
  otherRoute: null,
  managed: null,
  canary,
};

/** The closest decision about the folder or one above it; without one, what the person has set for all. */
function isTrusted(place: SettingsPlace): boolean {
  const decisions = readJsonObject(join(homeFolder(place), "trust.json"));
  for (let folder = realPath(place.projectRoot); ; folder = dirname(folder)) {
    const decision = decisions[folder];
    if (typeof decision === "boolean") return decision;
    if (folder === dirname(folder)) break;
  }
  return readJsonObject(join(homeFolder(place), "settings.json"))["defaultProjectTrust"] === "always";
}

function homeFolder({ env, userHome }: PersonalPlace): string {
  return env["PI_CODING_AGENT_DIR"] || join(userHome, ".pi", "agent");
}
