import { ANSWERS_THAT_COUNT, findProject, listMoved, weighRules } from "@agent-checkpoint/composer";
import type { Answer, Store } from "@agent-checkpoint/store";

/** A rule of a repository that its answers show to be noise, and the command that makes it more silent there. */
export interface NoisyRule {
  readonly rule: string;
  readonly repository: string;
  /** The one agent that does not hear it; null if none does. */
  readonly agent: string | null;
  /** How many of the known answers that count were ignored or waived. */
  readonly left: number;
  readonly known: number;
  readonly command: string;
}

/** With fewer answers that were ignored or waived, no rule is noise, and it need not be looked at. */
const MIN_LEFT = 8;

/** The rules that are noise in their repositories as their configs are now, by their answers since a time, the noisiest first. */
export async function findNoise(store: Store, since: Date, home: string): Promise<readonly NoisyRule[]> {
  const found: NoisyRule[] = [];
  for (const [repository, own] of await store.outcomes.left(since, MIN_LEFT)) {
    const { rules } = await findProject(repository, home);
    if (!rules.ok) continue;
    for (const { rule, suggestion } of weighRules(rules.rules, await listMoved(store, repository, rules), own)) {
      if (suggestion === null || suggestion.mode === "require") continue;
      const { mode, agent } = suggestion;
      const known = own.filter((one) => one.rule === rule && one.mode !== "shadow" && one.outcome !== "unknown");
      const heard = known.filter((one) => agent === null || one.agent === agent).slice(0, ANSWERS_THAT_COUNT);
      const command = `checkpoint rules set ${rule} ${mode}${agent === null ? "" : ` --agent ${agent}`}`;
      const ignored = heard.filter(({ outcome }) => isLeft(outcome)).length;
      found.push({ rule, repository, agent, left: ignored, known: heard.length, command });
    }
  }
  return found.toSorted((one, other) => other.left - one.left);
}

function isLeft(outcome: Answer["outcome"]): boolean {
  return outcome === "ignored" || outcome === "waived";
}
