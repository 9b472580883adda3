import { writeNote } from "@agent-checkpoint/git";
import { type Command, Option } from "commander";
import { type Attestation, readAttestation } from "../attest/read-attestation.ts";
import { renderCheckRun, renderCommit, requiredIn, titleOf } from "../attest/render-attestation.ts";
import { failed, refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { wrapText } from "../terminal/layout.ts";
import { createStyle } from "../terminal/style.ts";
import { toJson, visible } from "../terminal/visible.ts";

/** The ref of the notes, which only `--note` writes. */
export const NOTES_REF = "refs/notes/agent-checkpoint";

interface AttestOptions {
  readonly format: "text" | "check-run";
  readonly note?: true;
  readonly json?: true;
}

/** `checkpoint attest`: which stops touched the files of commits, and what had been verified. */
export function attest(command: Command, context: CommandContext): void {
  command
    .description(
      "Says of a commit, or of each commit of a range, which stops touched its files and what had been verified: by the record of this machine, for exactly the content that was committed.",
    )
    .argument("[range]", "a commit or a range", "HEAD")
    .addOption(
      new Option("--format <format>", "text, or Markdown for a check run of your forge")
        .choices(["text", "check-run"])
        .default("text"),
    )
    .option("--note", `also write it as a git note of each commit, under ${NOTES_REF}`)
    .option("--json", "print one JSON value; a note then holds that of its commit")
    .addHelpText("after", HELP)
    .action((range: string, options: AttestOptions) => runAttest(range, options, context));
}

const HELP = `
verified      a green run covered exactly this content
not verified  an agent's turn ended with exactly this content and without such a run
not known     nothing is on record here about this content

Examples:
  $ checkpoint attest
  $ checkpoint attest origin/main.. --json
  $ checkpoint attest origin/main.. --note && git push origin ${NOTES_REF}
  $ checkpoint attest origin/main.. --format check-run > check-run.md
`;

async function runAttest(range: string, { format, note, json }: AttestOptions, context: CommandContext): Promise<void> {
  const { out, err, style } = context;
  const columns = columnsOf(context);
  if (note === true && format === "check-run") throw refused("a note holds text or JSON, not a check run");
  const { root, ...attestation } = await readAttestation(range, context);
  if (json === true) out(toJson({ ...attestation, conclusion: conclusionOf(attestation) }));
  else if (format === "check-run") out(renderCheckRun(attestation.files));
  else {
    for (const commit of attestation.commits) out(`${renderCommit(commit, { style, columns })}\n`);
    out(wrapText(titleOf(attestation.files), { columns }));
  }
  if (note !== true) return;
  const plain = { style: createStyle({ isTerminal: false, env: {} }), columns: Infinity };
  for (const commit of attestation.commits) {
    const text = json === true ? toJson(commit) : renderCommit(commit, plain);
    const written = await writeNote(root, { ref: NOTES_REF, commit: commit.commit, text });
    if (!written.ok) throw failed(`the note cannot be written: ${visible(written.detail)}`);
  }
  err(`Wrote the notes of ${attestation.commits.length} commits to ${NOTES_REF}.\n`);
}

/** A program that reads it gets each sentence on one line. */
function columnsOf({ isTerminal, columns }: CommandContext): number {
  return isTerminal ? columns : Infinity;
}

/** The conclusion of the check run: it guides, so missing evidence alone is not a failure. */
function conclusionOf({ files }: Attestation): "success" | "neutral" {
  return requiredIn(files).every(({ state }) => state === "verified") ? "success" : "neutral";
}

/** `checkpoint verify-range`: whether every required rule has evidence for what a range changes. */
export function verifyRange(command: Command, context: CommandContext): void {
  command
    .description(
      "Exits with 1 if a required rule has no evidence for a file that the range changes, as its last commit has it, and names the file, the rule and the command to run. The evidence is the record of this machine.",
    )
    .argument("<range>", "a range, or one commit")
    .option("--json", "print one JSON value")
    .addHelpText(
      "after",
      "\nExamples:\n  $ checkpoint verify-range origin/main..\n  $ checkpoint proof --range origin/main.. -- npm test && checkpoint verify-range origin/main..\n",
    )
    .action((range: string, { json }: { readonly json?: true }) => runVerifyRange(range, json === true, context));
}

async function runVerifyRange(range: string, isJson: boolean, context: CommandContext): Promise<void> {
  const { out, exit, style } = context;
  const columns = columnsOf(context);
  const { base, head, files } = await readAttestation(range, context);
  const missing = requiredIn(files).filter(({ state }) => state !== "verified");
  if (missing.length > 0) exit(EXIT.found);
  if (isJson) return out(toJson({ base, head, isVerified: missing.length === 0, missing: missing.map(shortened) }));
  for (const { file, rule, state, instruction } of missing)
    out(
      wrapText(`${visible(file)}  ${visible(rule)}: ${visible(instruction)}`, {
        columns,
        first: `${style.bad(state.replace("-", " "))} `,
      }),
    );
  out(wrapText(titleOf(files), { columns }));
  const runs = new Set(missing.flatMap(({ run }) => (run === null ? [] : [run])));
  for (const run of runs) out(`  checkpoint proof --range ${visible(range)} -- ${visible(wordsOf(run))}\n`);
}

/** `proof` starts one program; a line with more than one needs a shell. */
function wordsOf(run: string): string {
  return /[&|;<>$`'"\\*?()]/.test(run) ? `sh -c '${run.replaceAll("'", String.raw`'\''`)}'` : run;
}

type Missing = ReturnType<typeof requiredIn>[number];

function shortened({
  file,
  rule,
  state,
  instruction,
  run,
}: Missing): Pick<Missing, "file" | "rule" | "state" | "instruction" | "run"> {
  return { file, rule, state, instruction, run };
}
