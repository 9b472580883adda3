import { join } from "node:path";
import { type ConfigProblem, parseConfig } from "@agent-checkpoint/categories";
import { CONFIG_FILE } from "@agent-checkpoint/composer";
import { readConfigText } from "../config/check-config.ts";
import { type ConfigProposal, missingRows, proposeConfig } from "./propose-config.ts";

/**
 * What is to become of a repository's config file.
 * One that exists is a person's: it is kept as it is, and what it lacks is only shown.
 */
export type ConfigPlan =
  | { readonly status: "write"; readonly path: string; readonly proposal: ConfigProposal }
  | {
      readonly status: "keep";
      readonly path: string;
      readonly proposal: ConfigProposal;
      /** What is wrong with the file that is there. */
      readonly problems: readonly ConfigProblem[];
      /** Rows that it does not have, as text to be put into it; empty where it lacks none, or cannot be read. */
      readonly missing: string;
    };

/** Decides what is to become of the config file of a repository. */
export async function planConfigFile(root: string): Promise<ConfigPlan> {
  const path = join(root, CONFIG_FILE);
  const { rows, ...proposal } = await proposeConfig(root);
  const read = readConfigText(path);
  if (read.status === "missing") return { status: "write", path, proposal };
  const kept = { status: "keep", path, proposal } as const;
  if (read.status === "unreadable") {
    const problem = { file: CONFIG_FILE, key: "", expected: "a readable file", found: read.code };
    return { ...kept, problems: [problem], missing: "" };
  }
  const parsed = parseConfig(read.text, CONFIG_FILE);
  return parsed.ok
    ? { ...kept, problems: [], missing: missingRows(rows, parsed.config) }
    : { ...kept, problems: parsed.problems, missing: "" };
}
