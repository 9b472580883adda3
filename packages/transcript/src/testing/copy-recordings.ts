import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentName } from "../formats/agent-names.ts";

/** A folder of a test's own, and how to get rid of it. */
export interface TestFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** Makes an empty folder. */
export const newFolder = (): TestFolder => {
  const path = mkdtempSync(join(tmpdir(), "transcript-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/**
 * Copies the recordings of an agent, as files that were written after everything they tell of.
 *
 * A clone can be older than the recordings by its clock, and a sub-agent's file that was not written since the prompt is
 * not looked at.
 */
export const copyRecordings = (agent: AgentName): TestFolder => {
  const folder = newFolder();
  cpSync(fileURLToPath(new URL(`../../fixtures/${agent}`, import.meta.url)), folder.path, { recursive: true });
  const later = new Date("2100-01-01T00:00:00Z");
  for (const name of readdirSync(folder.path, { recursive: true, encoding: "utf8" })) {
    utimesSync(join(folder.path, name), later, later);
  }
  return folder;
};
