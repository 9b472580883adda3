import type { NamedConfig, Rules } from "@agent-checkpoint/categories";
import { findProject, listMoved, type RuleStanding, settleOutcomes, weighRules } from "@agent-checkpoint/composer";
import type { MovedRule, Outcome } from "@agent-checkpoint/store";
import { memoize } from "../memoize.ts";
import { mainRepositoryOf } from "../sessions/repository-of.ts";
import { withStore } from "../with-store.ts";

/** A rule in force here, with where its mode comes from: a config file, the default, or the program since a day. */
export interface RuleRow extends RuleStanding {
  readonly source: string;
}

/** What is on record about the rules of a repository. */
export interface RuleRecord {
  /** Newest first. */
  readonly outcomes: readonly Outcome[];
  readonly moved: readonly MovedRule[];
}

/** Reads the record of a repository; what is final and not recorded yet is settled first. */
export async function readRecord(home: string, now: Date, root: string): Promise<RuleRecord> {
  const { repository, rules } = await findProject(root, home);
  const { outcomes, moved } = await withStore(home, async (store) => {
    await settleOutcomes(store, { home, now });
    return { outcomes: await store.outcomes.list(), moved: await listMoved(store, repository, rules) };
  });
  const repositories = memoize(mainRepositoryOf);
  const here = mainRepositoryOf(root);
  return {
    outcomes: outcomes.filter((one) => one.repository !== null && repositories(one.repository) === here),
    moved,
  };
}

/** A row for each rule, and a further one for each agent that has a mode of its own. */
export function rowsOf(
  rules: Rules,
  configs: readonly NamedConfig[],
  { outcomes, moved }: RuleRecord,
): readonly RuleRow[] {
  return weighRules(rules, moved, outcomes).map((row) => ({ ...row, source: sourceOf(row, configs, moved) }));
}

function sourceOf(
  { rule, kind, agent, mode }: RuleStanding,
  configs: readonly NamedConfig[],
  moved: readonly MovedRule[],
): string {
  const giver = configs.findLast(
    ({ config }) =>
      Object.hasOwn(config.modes ?? {}, rule) || (kind === "check" && Object.hasOwn(config.checks ?? {}, rule)),
  );
  if (giver !== undefined) return giver.file;
  const own = moved.find((one) => one.rule === rule && one.agent === (agent ?? "") && one.mode === mode);
  return own === undefined ? "default" : `auto, ${own.since.toISOString().slice(0, 10)}`;
}
