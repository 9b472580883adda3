import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { createPage, type Page } from "../hooks/page.ts";
import { projectRoot } from "../phase/project-root.ts";
import { toJson } from "../terminal/to-json.ts";
import { type ProjectFileReport, type ProjectFilesRequest, writeProjectFiles } from "./write-project-files.ts";

/** How the files are asked for. */
export interface ProjectFilesOptions {
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
