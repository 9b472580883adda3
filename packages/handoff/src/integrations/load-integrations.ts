import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProjectRoot } from "../project/find-project-root.ts";
import { CheckpointError } from "../report/checkpoint-error.ts";
import { sharedReporter } from "../report/log-error.ts";
import type { Reporter } from "../report/reporter.ts";
import { parseIntegrations } from "./parse-integrations.ts";
import { DISABLED_INTEGRATIONS, type Integrations } from "./schema.ts";

/** Where the integrations config lies in a project. */
export const INTEGRATIONS_FILE = ".claude/config/integrations.json";

/** The integrations of a project; all are disabled where there is no config, or one that cannot be used. */
export function loadIntegrations(root?: string, reporter: Reporter = sharedReporter): Integrations {
  return reporter.attempt(() => {
    const path = join(root ?? findProjectRoot(), INTEGRATIONS_FILE);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return DISABLED_INTEGRATIONS;
    if (!stats.isFile()) throw new CheckpointError("invalid", `${INTEGRATIONS_FILE} is no regular file`);
    const result = parseIntegrations(readFileSync(path, "utf8"));
    if (!result.ok) throw new CheckpointError("invalid", `${INTEGRATIONS_FILE}: ${result.problems.join("; ")}`);
    for (const warning of result.warnings) reporter.warn(`${INTEGRATIONS_FILE}: ${warning}`);
    return result.integrations;
  }, DISABLED_INTEGRATIONS);
}
