import { join } from "node:path";
import { alternativeCandidate } from "./alternatives/alternative-candidates.ts";
import type { Candidate } from "./candidate.ts";
import type { ChosenCases } from "./choose-cases.ts";
import { type Build, type HookCase, idIn, newSession } from "./hook-cases.ts";
import type { Command } from "./measuring/command.ts";
import { recordGitCalls } from "./staging/record-git-calls.ts";
import type { Stage } from "./staging/stage.ts";
import { EDITED_FILE } from "./staging/stage-repository.ts";

/** Everything that a run measures, the floor first. */
export async function candidatesOf(
  { hook, alternatives, git }: ChosenCases,
  { builds, folder, stage }: { builds: readonly Build[]; folder: string; stage: Stage },
): Promise<readonly Candidate[]> {
  // Builds may ask git different things; what the last one asks counts.
  const asked = builds.slice(-1).flatMap((build) => git.map((one) => gitCandidates(one, build, stage)));
  return [
    ...floors(stage),
    ...(await Promise.all(asked)).flat(),
    ...builds.flatMap((build) => hookCandidates(hook, build, stage)),
    ...alternatives.map((one) => alternativeCandidate(one, folder, stage)),
  ];
}

/** Bare node, and node with an empty file. */
function floors({ folder, env, emptyFile }: Stage): readonly Candidate[] {
  const node = (args: readonly string[]): Command => ({ program: process.execPath, args, cwd: folder, env });
  return [
    candidate("floor", "node -e 0", node(["-e", "0"])),
    candidate("empty-file", "node with an empty CommonJS file", node([emptyFile])),
  ];

  function candidate(id: string, label: string, command: Command): Candidate {
    return { id, label, kind: "floor", answer: "nothing", next: () => ({ measured: [command] }) };
  }
}

/** A build of the hook with each of the given events. */
function hookCandidates(cases: readonly HookCase[], build: Build, stage: Stage): readonly Candidate[] {
  return cases.map((one) => ({
    id: idIn(build, one.id),
    label: build.name === "" ? one.label : `${one.label} (${build.name})`,
    kind: "hook",
    answer: one.answer,
    next: () => one.events(newSession(build, one, stage)),
  }));
}

/** In the repository of a blocking stop: git's plain answer, and just what the stop asks git, started alone. */
async function gitCandidates(one: HookCase, build: Build, stage: Stage): Promise<readonly Candidate[]> {
  const { files, events } = one;
  const { measured } = events(newSession({ ...build, name: "asking-git" }, one, stage));
  const asked = await Promise.all(measured.map((stop) => recordGitCalls(join(stage.folder, `git-${files}`), stop)));
  const cwd = stage.project(one);
  const plain: Command = { program: "git", args: ["diff", "--name-only", "HEAD"], cwd, env: stage.env };
  const where = `${files.toLocaleString("en-US")} files`;
  return [
    candidate(`git-diff-${files}`, `git diff --name-only HEAD, ${where}`, [plain], EDITED_FILE),
    // Of several questions not each has an answer.
    candidate(`git-own-${files}`, `git as a blocking stop asks it, ${where}`, asked.flat(), ""),
  ];

  function candidate(id: string, label: string, measured: readonly Command[], holding: string): Candidate {
    return { id, label, kind: "git", answer: { holding }, next: () => ({ measured }) };
  }
}
