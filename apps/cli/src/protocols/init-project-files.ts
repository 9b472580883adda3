import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { replaceFile } from "@agent-checkpoint/files";
import { DEFAULT_INTEGRATIONS, INTEGRATIONS_FILE, parseIntegrations } from "@agent-checkpoint/phases";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { createPage, type Page } from "../terminal/page.ts";
import { describeFault, readSettings, unifiedDiff } from "../hooks/settings-file.ts";
import { projectRoot } from "../phase/project-phases.ts";
import { extendRequestSchema, findPart, handoffBody, putPart } from "./managed-block.ts";
import { toJson } from "../terminal/visible.ts";

interface ProjectFilesOptions {
  readonly protocols?: true;
  readonly integrations?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Writes the protocols' documents and the integrations config into the project, and reports on each file. */
export async function initProjectFiles(options: ProjectFilesOptions, context: CommandContext): Promise<void> {
  const { ask, out, exit } = context;
  const isDryRun = options.dryRun === true;
  const root = projectRoot(context);
  const page = createPage(context);
  const wanted = PROJECT_FILES.filter(({ kind }) => options[kind] === true);
  const writeAll = (isOnlyShown: boolean) => wanted.map((file) => writeProjectFile(root, file, isOnlyShown));
  if (ask !== null && options.json !== true && options.yes !== true && !isDryRun) {
    const touched = writeAll(true).filter(({ status }) => status === "written" || status === "changed");
    const lines = touched.map(({ file, status }) =>
      page.line("step", `${file}${status === "written" ? "  (new)" : ""}`),
    );
    const question = [page.paragraph("These files would be written:"), ...lines, "\nWrite them? [y/N] "].join("");
    if (touched.length > 0 && !/^y(?:es)?$/i.test((await ask(question)).trim()))
      throw refused("not confirmed: nothing was written.");
  }
  const files = writeAll(isDryRun);
  out(options.json === true ? toJson({ isDryRun, root, files }) : render(files, isDryRun, page));
  if (files.some(({ status }) => status === "failed")) exit(EXIT.failed);
  else if (files.some(({ status }) => status === "refused")) exit(EXIT.found);
}

function render(files: readonly ProjectFileReport[], isDryRun: boolean, page: Page): string {
  const lines = files.map((report) => renderFile(report, isDryRun, page));
  return [...lines, ...(isDryRun ? [page.paragraph("This was a dry run: nothing was written.")] : [])].join("");
}

function renderFile({ file, status, problem, diff }: ProjectFileReport, isDryRun: boolean, page: Page): string {
  if (status === "failed") return page.line("bad", `${file} could not be written: ${problem}.`);
  if (status === "refused") return page.line("warn", `${file} was left as it is: ${problem}.`);
  if (status === "unchanged") return page.line("good", `${file} exists already; nothing to change.`);
  const what = status === "written" ? "written" : "added to";
  const said = page.line(isDryRun ? "step" : "good", `${file} ${isDryRun ? `would be ${what}` : `was ${what}`}.`);
  return diff === null ? said : `${said}${page.diff(diff)}`;
}

/** The new text of a file. */
export interface FilePlan {
  /** Null if the file stays as it is. */
  readonly after: string | null;
  /** What is wrong with the existing file. */
  readonly problem: string | null;
}

/** A file that `init` writes into a project on request. */
interface ProjectFile {
  /** The path from the project's root. */
  readonly name: string;
  /** The option that requests it. */
  readonly kind: "protocols" | "integrations";
  /** The new text for the current one; null if there is no file. */
  readonly plan: (before: string | null) => FilePlan;
}

/** The files, in the order in which they are written. */
export const PROJECT_FILES: readonly ProjectFile[] = [
  {
    name: ".claude/protocols/checkpoint-schema.md",
    kind: "protocols",
    plan: (before) => planPart("checkpoint-schema", before, () => CHECKPOINT_SCHEMA),
  },
  {
    name: ".claude/sub-agents/protocols/handoff.md",
    kind: "protocols",
    plan: (before) => planPart("handoff", before, (others) => handoffBody(HANDOFF, others), extendRequestSchema),
  },
  { name: INTEGRATIONS_FILE, kind: "integrations", plan: planIntegrations },
];

/** Our part of a document, beside what others have written there. */
function planPart(
  name: string,
  before: string | null,
  bodyFor: (others: string) => string,
  extend: (text: string) => string = (text) => text,
): FilePlan {
  const text = extend(before ?? "");
  const part = findPart(text, name);
  if (part.status === "broken") return { after: null, problem: part.problem };
  const after = putPart(text, name, { part, body: bodyFor(part.status === "there" ? part.before + part.after : text) });
  return { after: after === before ? null : after, problem: null };
}

/** The default config; an existing one belongs to the user and is only validated. */
function planIntegrations(before: string | null): FilePlan {
  if (before === null) return { after: `${JSON.stringify(DEFAULT_INTEGRATIONS, null, 2)}\n`, problem: null };
  const result = parseIntegrations(before);
  return { after: null, problem: result.ok ? null : result.problems.join("; ") };
}

/** What was done with a file. */
interface ProjectFileReport {
  readonly file: string;
  /** `refused` is a file that was left as it is, and cannot be used or added to. */
  readonly status: "written" | "changed" | "unchanged" | "refused" | "failed";
  readonly problem: string | null;
  /** The change as a unified diff, in a dry run. */
  readonly diff: string | null;
}

function writeProjectFile(root: string, { name, plan }: ProjectFile, isDryRun: boolean): ProjectFileReport {
  const file = join(root, name);
  const left = { file, problem: null, diff: null };
  if (leadsOutside(root, file))
    return { ...left, status: "refused", problem: "it lies behind a link that leads out of the project" };
  const read = readSettings(file);
  if (!read.ok) return { ...left, status: "failed", problem: read.message };
  const { after, problem } = plan(read.text);
  if (after === null) return { ...left, status: problem === null ? "unchanged" : "refused", problem };
  const status = read.text === null ? "written" : "changed";
  if (isDryRun) return { ...left, status, diff: unifiedDiff(file, read.text, after) };
  try {
    if (replaceFile(file, read.text, after)) return { ...left, status };
    return { ...left, status: "failed", problem: "another program changed it at the same moment" };
  } catch (error) {
    return { ...left, status: "failed", problem: describeFault(error) };
  }
}

/** Whether the existing part of a path really lies outside the project. */
function leadsOutside(root: string, path: string): boolean {
  if (!existsSync(path)) return path !== root && leadsOutside(root, dirname(path));
  const [home, real] = [realpathSync(root), realpathSync(path)];
  return real !== home && !real.startsWith(home + sep);
}

// Written by scripts/write-protocol-texts.ts from docs/checkpoint-schema.md and docs/handoff.md.

/** The text of docs/checkpoint-schema.md. */
export const CHECKPOINT_SCHEMA: string =
  '# The phase file of a command\n\nLong commands run in phases and get interrupted. A phase file (`UnifiedCheckpoint`) records how far a command got, so that\nthe next run, in another process or on another day, resumes exactly there. One file holds one run of one command, with or\nwithout a feature:\n\n| file | of |\n| --- | --- |\n| `.claude/state/{command}-checkpoint.json` | a command without a feature |\n| `.claude/state/{command}-{feature}.json` | a command for a feature |\n\nThe folder is below the root of the repository (of each worktree), or in the project\'s folder if there is no repository. It\nis created when needed, and its own `.gitignore` keeps it out of git. It also holds locks, drafts and files that were set\naside; nothing is written anywhere else. In a file name, a feature keeps letters, digits and `._-`; every other character is\npercent-encoded, so that `a/b` and `a-b` are two files. A feature named `checkpoint` becomes `%63heckpoint`.\n\n## UnifiedCheckpoint\n\n```ts\ninterface UnifiedCheckpoint {\n  command: "start" | "design" | "reconcile" | "research" | "implement" | "ship" | "review";\n  feature: string | null;\n  version: 1;\n  revision: number; // goes up by one with every save\n  head_commit: string | null; // HEAD at the last save\n  base_commit: string | null; // HEAD when the run began, or when its move was accepted\n  started_at: string; // ISO 8601\n  updated_at: string; // ISO 8601\n  completed_at?: string | null; // ISO 8601, once the command is done\n  state: {\n    // derived from `phases` on every save\n    current_phase: string | null;\n    completed_phases: string[];\n    pending_phases: string[];\n  };\n  phases: {\n    [phase: string]: {\n      status: "pending" | "in_progress" | "complete" | "failed" | "skipped";\n      started_at?: string | null;\n      updated_at?: string | null;\n      context_summary?: string | null; // at most 500 tokens\n      files_created?: string[] | null;\n      files_modified?: string[] | null;\n      error?: string | null;\n    };\n  };\n  gate?: {\n    ship_allowed: boolean;\n    blockers: string[];\n    head_commit?: string | null; // the commit that was looked at\n  } | null;\n  events: { at: string; phase: string | null; status: string; head_commit: string | null }[]; // the newest 100 steps\n}\n```\n\nThe order of the phases is the order of their keys. Unknown fields are preserved, at every level. The JSON Schema is\n`@agent-checkpoint/phases/schema.json`.\n\n## The commands\n\nEvery command uses `command`, `feature`, `version`, `revision`, the commits, the times, `state`, `phases` and `events`.\nThey differ in the following:\n\n| command | usual phases | files of a phase | `gate` | what the summaries contain |\n| --- | --- | --- | --- | --- |\n| `start` | `branch`, `issue` | none | no | the branch, the issue |\n| `design` | `research`, `plan`, `specify` | `files_created`: the documents | no | decisions, constraints, open questions |\n| `reconcile` | `compare`, `apply` | `files_modified`: plans and code | no | where plan and code differ, and which one was changed |\n| `research` | `discover`, `synthesize` | `files_created`: notes | no | findings with the files they come from |\n| `implement` | `prepare`, `build`, `validate` | `files_created`, `files_modified`: code and tests | no | what was built where, the results of the checks |\n| `ship` | `preflight`, `commit`, `push` | none | yes | the checks, the commit, the pull request |\n| `review` | `analyze`, `report` | none | no | the findings and their severity |\n\nThese phases are the usual ones; a run may have others. A phase\'s name has at most 100 letters, digits, spaces and `._:/-`,\nand begins with a letter.\n\n## Phases\n\n| status | means | in `state` |\n| --- | --- | --- |\n| `pending` | still to come | `pending_phases` |\n| `in_progress` | being worked on | the first one is `current_phase` |\n| `complete` | done | `completed_phases` |\n| `failed` | tried; `error` says why it did not work | |\n| `skipped` | left out on purpose | |\n\nA phase may change from any status to any other, with one exception: a `complete` phase stays complete, unless the change\nhas `reopen: true`. A late message must not undo finished work. An `error` is cleared when the phase is tried again.\n\nA command **resumes** in the phase in progress, otherwise in the first failed one, otherwise in the first pending one, with\nthe summary of the nearest completed phase before it (or after it, if there is none before). When the command is done, both\nare null. Completing a command makes phases in progress `complete` and pending ones `skipped`; failed ones stay failed. The\nfirst work after that begins a new run with new phases; `events` continue.\n\n## Rules\n\n- **Summaries** have at most 500 tokens, counted by white space, and every save checks every summary before anything is\n  written. A second limit rejects text that has few words but is large: more than 1500 tokens as a model counts them, or\n  more than 12000 bytes.\n- **`head_commit`** is HEAD at every save. Loading warns if HEAD is now ahead of it, behind it, diverged from it, or in\n  an unknown relation. An update does not remove the warning: it then refers to `base_commit`, until the move is accepted.\n- **The gate** applies to its own `head_commit`. Loaded at another HEAD it has `ship_allowed: false`.\n- **Versions**: an older document is read as the current version, and the next save writes it so. A newer one is neither\n  read nor overwritten.\n- **Writers** take turns through a lock and replace the file in one step, so readers see the old text or the new one. A whole\n  phase file is saved only over the `revision` that it was loaded with.\n- **A file that is not a valid phase file** is renamed to `….corrupt-<time>-<id>`, and the command starts over.\n\n## Example\n\n```json\n{\n  "command": "implement",\n  "feature": "sign-out",\n  "version": 1,\n  "revision": 4,\n  "head_commit": "2f0b3c0e6a4f1d5b8c7e9a1234567890abcdef12",\n  "base_commit": "2f0b3c0e6a4f1d5b8c7e9a1234567890abcdef12",\n  "started_at": "2026-03-02T09:00:00.000Z",\n  "updated_at": "2026-03-02T09:40:00.000Z",\n  "state": { "current_phase": "build", "completed_phases": ["prepare"], "pending_phases": ["validate"] },\n  "phases": {\n    "prepare": {\n      "status": "complete",\n      "started_at": "2026-03-02T09:00:00.000Z",\n      "updated_at": "2026-03-02T09:10:00.000Z",\n      "context_summary": "Sessions live in src/session.ts. Follow the pattern of signIn. Tests: tests/session.test.ts."\n    },\n    "build": {\n      "status": "in_progress",\n      "started_at": "2026-03-02T09:12:00.000Z",\n      "updated_at": "2026-03-02T09:40:00.000Z",\n      "files_modified": ["src/session.ts"]\n    },\n    "validate": { "status": "pending" }\n  },\n  "events": [\n    { "at": "2026-03-02T09:00:00.000Z", "phase": null, "status": "in_progress", "head_commit": "2f0b3c0e6a4f1d5b8c7e9a1234567890abcdef12" }\n  ]\n}\n```\n';

/** The text of docs/handoff.md. */
export const HANDOFF: string =
  '# Handoff between agents\n\nAn orchestrator hands a task to a sub-agent, and the sub-agent returns a result. Each phase passes a summary to the next,\nnot the work itself. The summary has to be small, and a program checks that it is.\n\n## Request Schema\n\nFrom the orchestrator to the sub-agent:\n\n```json\n{\n  "task_id": "sign-out-3",\n  "phase": "build",\n  "mode": "code",\n  "context": {\n    "feature": "sign-out",\n    "spec_path": "specs/sign-out.md",\n    "relevant_files": ["src/session.ts"],\n    "constraints": ["no new dependency"],\n    "previous_summary": "Sessions live in src/session.ts. Follow the pattern of signIn."\n  },\n  "instructions": "Add signOut, with tests.",\n  "expected_output": "files_changed"\n}\n```\n\n| field | type | required | meaning |\n| --- | --- | --- | --- |\n| `task_id` | string | yes | identifies the task; the response repeats it |\n| `phase` | string | yes | the phase of the command that the task belongs to |\n| `mode` | enum | yes | the kind of work, see [Mode](#mode) |\n| `context.feature` | string | yes | the feature |\n| `context.spec_path` | string | no | the path of its specification |\n| `context.relevant_files` | list of strings | no | files to read |\n| `context.constraints` | list of strings | no | constraints to respect |\n| `context.previous_summary` | string | no | the summary of the previous phase, see [Previous Summary](#previous-summary) |\n| `instructions` | string | yes | what the sub-agent should do |\n| `expected_output` | string | no | what it should return |\n\n## Response Schema\n\nFrom the sub-agent to the orchestrator:\n\n```json\n{\n  "task_id": "sign-out-3",\n  "phase": "build",\n  "status": "complete",\n  "decision": "PROCEED",\n  "findings": { "files_modified": ["src/session.ts", "tests/session.test.ts"] },\n  "context_summary": "signOut added to src/session.ts beside signIn. 4 tests in tests/session.test.ts, all pass.",\n  "issues": []\n}\n```\n\n| field | type | required | meaning |\n| --- | --- | --- | --- |\n| `task_id` | string | yes | the `task_id` of the request |\n| `phase` | string | no | the `phase` of the request |\n| `status` | enum | yes | `complete`, `partial` or `blocked` |\n| `decision` | enum | yes | `PROCEED`: continue; `STOP`: halt and tell the user; `CLARIFY`: ask the user |\n| `findings` | object | no | what the phase found or created |\n| `context_summary` | string | yes | what the next phase needs to know, in at most 500 tokens |\n| `tokens_used` | number | no | the tokens that the task used |\n| `issues` | list of strings | no | problems on the way |\n\n## Context Summary Guidelines\n\nA summary states what the next phase needs in order to begin, and not how it was found.\n\n| include | leave out |\n| --- | --- |\n| paths of the files that matter | contents of files: the next phase can read them |\n| decisions, each with its reason in a few words | rejected alternatives |\n| patterns to follow, and where they are | searches that were made |\n| constraints that were discovered | errors that are fixed |\n| what is still open | steps of reasoning |\n\nThe limit is 500 tokens. Most good summaries have fewer than 100: three to six sentences, or a short list.\n\n## Mode\n\nEvery request has a `mode`, the kind of work that the sub-agent should do:\n\n| mode | work |\n| --- | --- |\n| `plan` | decide what to do, and in which order |\n| `code` | write code and its tests |\n| `ui` | write what a person sees and uses |\n| `docs` | write documentation |\n| `eval` | judge a result against criteria |\n| `reconcile` | bring a plan and the code into agreement |\n| `research` | investigate, change nothing |\n\n## Previous Summary\n\n`context.previous_summary` is the summary of the previous phase. Its former name, `previous_findings`, is still accepted,\nwith a warning. A request that has both is accepted if they are equal, and rejected if they differ.\n\n## Enforcement\n\nA program checks the limit: `@agent-checkpoint/phases`.\n\n| call | checks | returns |\n| --- | --- | --- |\n| `validateHandoffRequest(request)` | the fields, `mode`, the previous summary | `{ valid, errors, warnings, message }` |\n| `validateHandoffResponse(response, request)` | the fields, `context_summary`, that `task_id` matches the request | `{ valid, errors, warnings, message }` |\n| `validateContextSummary(summary, maxTokens = 500)` | one summary | `{ valid, tokenCount, limit, error? }` |\n\n- A token is a run of characters between white space: `text.split(/\\s+/).filter(Boolean).length`.\n- A summary above the limit is rejected with `Context summary exceeds 500 token limit (actual: X tokens)`.\n- A second limit catches text without spaces. Above 1500 tokens as a model counts them (by `gpt-tokenizer` if it is installed, otherwise a token for four bytes) it is rejected\n  with `Context summary exceeds 1500 estimated tokens (estimated: X tokens)`, above 12000 bytes with\n  `Context summary exceeds 12000 bytes (actual: X bytes)`.\n- A rejected payload is not passed on: `message` is null. Nothing is truncated; the sender shortens it.\n- Saving a phase file checks the summary of every phase in the same way, before anything is written.\n\n```js\nconst { validateHandoffResponse } = require("@agent-checkpoint/phases");\n\nconst { valid, errors, message } = validateHandoffResponse(response, request);\nif (!valid) throw new Error(errors.join("\\n"));\n```\n';
