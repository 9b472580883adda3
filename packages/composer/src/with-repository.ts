import { TESTS_ACTION } from "@agent-checkpoint/categories";
import { assembleCheckpoint, type CheckpointFacts } from "./assemble-checkpoint.ts";

/**
 * The facts of a stop, with those of the repository if the verdict depends on them.
 *
 * Facts about a repository only ever take the question for tests away, so a stop that asks for none does not pay for
 * reading them.
 */
export async function withRepository<Facts extends CheckpointFacts>(facts: Facts): Promise<Facts> {
  const { rules: loaded, repository, place } = facts;
  const step = loaded.ok ? loaded.rules.actions.find(({ id }) => id === TESTS_ACTION)?.steps[0] : undefined;
  if (repository !== undefined || step === undefined || step.evidence.length > 0) return facts;
  if (assembleCheckpoint(facts).result?.actions.some(({ id }) => id === TESTS_ACTION) !== true) return facts;
  const { readRepository } = await import("@agent-checkpoint/repository");
  return { ...facts, repository: await readRepository(place.projectPath) };
}
