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
import { CHECKPOINT_SCHEMA, HANDOFF } from "./texts.ts";
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
  if (!read.ok) return { ...left, status: "failed", problem: read.detail };
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
