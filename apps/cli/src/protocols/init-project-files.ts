import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { replaceFile } from "@agent-checkpoint/files";
import { DEFAULT_INTEGRATIONS, INTEGRATIONS_FILE, parseIntegrations } from "@agent-checkpoint/phases";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { createPage, type Page } from "../terminal/page.ts";
import { describeFault, readSettings, unifiedDiff } from "../hooks/settings-file.ts";
import { projectRoot } from "../phase/project-phases.ts";
import { extendRequestSchema, handoffBody, putPart, withoutPart } from "./managed-block.ts";
import { toJson } from "../terminal/visible.ts";
import { CHECKPOINT_SCHEMA, HANDOFF } from "./texts.ts";

/** How the files are asked for. */
interface ProjectFilesOptions {
  readonly protocols?: true;
  readonly integrations?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Writes the protocols' documents and the integrations config into the project, and says what became of each file. */
export async function initProjectFiles(options: ProjectFilesOptions, context: CommandContext): Promise<void> {
  const root = projectRoot(context);
  const request: ProjectFilesRequest = {
    kinds: [
      ...(options.protocols === true ? ["protocols" as const] : []),
      ...(options.integrations === true ? ["integrations" as const] : []),
    ],
    isDryRun: options.dryRun === true,
  };
  const page = createPage(context);
  if (options.json !== true && options.yes !== true && !request.isDryRun) await confirm(root, request, context, page);
  const files = writeProjectFiles(root, request);
  const { out, exit } = context;
  out(
    options.json === true ? toJson({ isDryRun: request.isDryRun, root, files }) : render(files, request.isDryRun, page),
  );
  if (files.some(({ status }) => status === "failed")) exit(EXIT.failed);
  else if (files.some(({ status }) => status === "refused")) exit(EXIT.found);
}

/** Asks the person at the terminal, where there is one and something would be written. */
async function confirm(root: string, request: ProjectFilesRequest, { ask }: CommandContext, page: Page): Promise<void> {
  const planned = writeProjectFiles(root, { ...request, isDryRun: true });
  const touched = planned.filter(({ status }) => status === "written" || status === "changed");
  if (ask === null || touched.length === 0) return;
  const files = touched.map(({ file, status }) => page.line("step", `${file}${status === "written" ? "  (new)" : ""}`));
  const question = [page.paragraph("These files would be written:"), ...files, "\nWrite them? [y/N] "].join("");
  if (!/^y(?:es)?$/i.test((await ask(question)).trim()))
    throw new CliError("not confirmed: nothing was written.", { exitCode: EXIT.usage });
}

function render(files: readonly ProjectFileReport[], isDryRun: boolean, page: Page): string {
  const lines = files.map((report) => renderFile(report, isDryRun, page));
  return [...lines, ...(isDryRun ? [page.paragraph("This was a dry run: nothing was written.")] : [])].join("");
}

function renderFile({ file, status, problem, diff }: ProjectFileReport, isDryRun: boolean, page: Page): string {
  if (status === "failed") return page.line("bad", `${file} could not be written: ${problem}.`);
  if (status === "refused") return page.line("warn", `${file} was left as it is: ${problem}.`);
  if (status === "unchanged") return page.line("good", `${file} is there already; nothing to change.`);
  const what = status === "written" ? "written" : "added to";
  const said = page.line(isDryRun ? "step" : "good", `${file} ${isDryRun ? `would be ${what}` : `was ${what}`}.`);
  return diff === null ? said : `${said}${page.diff(diff)}`;
}

/** What a file is to say. */
export interface FilePlan {
  /** The new text; null if the file stays as it is. */
  readonly after: string | null;
  /** What is wrong with the file that is there. */
  readonly problem: string | null;
}

/** A file that `init` puts into a project when it is asked to. */
interface ProjectFile {
  /** The path from the project's root. */
  readonly name: string;
  readonly kind: "protocols" | "integrations";
  /** What it is to say, by what it says now; null stands for no file. */
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
  const part = { text: extend(before ?? ""), name };
  const managed = putPart(part, bodyFor(withoutPart(part)));
  if (!managed.ok) return { after: null, problem: managed.problem };
  return { after: managed.text === before ? null : managed.text, problem: null };
}

/** A config where there is none; one that is there is a person's, and is only looked at. */
function planIntegrations(before: string | null): FilePlan {
  if (before === null) return { after: `${JSON.stringify(DEFAULT_INTEGRATIONS, null, 2)}\n`, problem: null };
  const result = parseIntegrations(before);
  return { after: null, problem: result.ok ? null : result.problems.join("; ") };
}

/** Which files are wanted, and whether they are only to be shown. */
interface ProjectFilesRequest {
  readonly kinds: readonly ProjectFile["kind"][];
  readonly isDryRun: boolean;
}

/** What became of a file. */
interface ProjectFileReport {
  readonly file: string;
  /** `refused` is a file that was left as it is, and cannot be used or added to. */
  readonly status: "written" | "changed" | "unchanged" | "refused" | "failed";
  readonly problem: string | null;
  /** The change as a unified diff, in a dry run. */
  readonly diff: string | null;
}

/** Writes the wanted files into a project, beside what is there. */
function writeProjectFiles(root: string, { kinds, isDryRun }: ProjectFilesRequest): ProjectFileReport[] {
  return PROJECT_FILES.filter(({ kind }) => kinds.includes(kind)).map((file) => writeFile(root, file, isDryRun));
}

function writeFile(root: string, { name, plan }: ProjectFile, isDryRun: boolean): ProjectFileReport {
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

/** Whether a path, as far as it is there, really lies outside of the project. */
function leadsOutside(root: string, path: string): boolean {
  if (!existsSync(path)) return path !== root && leadsOutside(root, dirname(path));
  const [home, real] = [realpathSync(root), realpathSync(path)];
  return real !== home && !real.startsWith(home + sep);
}
