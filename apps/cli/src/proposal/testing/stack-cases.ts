import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { detectPreset } from "@agent-checkpoint/composer";
import { readRepository } from "@agent-checkpoint/repository";
import { proposalRows } from "../proposal-rows.ts";
import { type ConfigProposal, proposalOf } from "../propose-config.ts";

/** A small repository, as data: `files.txt` in a folder named for what it shows. */
export interface StackCase {
  readonly name: string;
  /** What the folder's name says, in a sentence. */
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
}

const CASES = new URL("../cases/", import.meta.url);

/** Every case, by listing the folders. */
export function loadCases(): readonly StackCase[] {
  return readdirSync(CASES).toSorted().map(loadCase);
}

/** One case by the name of its folder: a title, then each file under a line with its path. */
export function loadCase(name: string): StackCase {
  const text = readFileSync(new URL(`${name}/files.txt`, CASES), "utf8");
  const [title = "", ...parts] = text.split(/^-- (\S+(?: \S+)*) --\n/m);
  const files = parts.flatMap((path, index) => (index % 2 === 0 ? [[path, parts[index + 1] ?? ""] as const] : []));
  return { name, title: title.trim(), files: Object.fromEntries(files) };
}

/** The golden proposal of a case. */
export function proposalPath(name: string): string {
  return fileURLToPath(new URL(`${name}/proposal.md`, CASES));
}

/** The proposal for a folder with these files, all of them tracked. */
export async function proposalIn(folder: string, files: Readonly<Record<string, string>>): Promise<ConfigProposal> {
  writeFiles(folder, files);
  const facts = await readRepository(folder, { tracked: Object.keys(files) });
  return proposalOf(proposalRows(facts, detectPreset(folder)));
}

/** Writes the files of a case into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
