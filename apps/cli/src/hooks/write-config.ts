import { describeProblem } from "@agent-checkpoint/categories";
import { replaceFile } from "@agent-checkpoint/files";
import { planConfigFile } from "../proposal/plan-config-file.ts";
import type { ConfigReport } from "./run-init.ts";
import { describeFault, unifiedDiff } from "./settings-file.ts";

/** Writes a config for a repository that has none; an existing one is kept. */
export async function writeConfig(root: string, isDryRun: boolean): Promise<Omit<ConfigReport, "sessions">> {
  const plan = await planConfigFile(root);
  const { path, proposal } = plan;
  const { preset, found, checks, notes } = proposal;
  const report = { file: path, preset, found, checks, notes, missing: "", problem: null, diff: null };
  if (plan.status === "keep") {
    const [problem] = plan.problems;
    return {
      ...report,
      status: "kept",
      missing: plan.missing,
      problem: problem === undefined ? null : describeProblem(problem),
    };
  }
  if (isDryRun) return { ...report, status: "written", diff: unifiedDiff(path, null, proposal.text) };
  try {
    return { ...report, status: replaceFile(path, null, proposal.text) ? "written" : "kept" };
  } catch (error) {
    return { ...report, status: "failed", problem: describeFault(error) };
  }
}
