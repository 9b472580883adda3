import type { Store } from "@agent-checkpoint/store";
import { appendLog } from "@agent-checkpoint/store/log";
import { givenMode } from "../assemble-checkpoint.ts";
import { findProject, listMoved } from "../find-project.ts";
import type { Settling } from "./settle-outcomes.ts";
import { weighRules } from "./weigh-rules.ts";

const WINDOW_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Where a config says `"noise": "auto"`, moves each rule to `advise` whose answers show it to be noise, and back once
 * they show that it is heard. A mode that a config gives stays as it is. Each move is a line of the log.
 */
export async function moveRules(store: Store, { home, now }: Settling): Promise<void> {
  const answers = await store.outcomes.list({ since: new Date(now.getTime() - WINDOW_MS) });
  for (const repository of new Set(answers.flatMap((answer) => answer.repository ?? []))) {
    const { rules } = await findProject(repository, home);
    if (!rules.ok || rules.rules.noise !== "auto") continue;
    const moved = await listMoved(store, repository, rules);
    const { rules: own } = rules;
    // If a config gives the mode, the answers decide nothing.
    const open = answers.filter(
      ({ rule, agent, repository: place }) => place === repository && givenMode(own, rule, agent) === undefined,
    );
    for (const { rule, mode: from, counts, suggestion } of weighRules(own, moved, open)) {
      if (suggestion === null) continue;
      const { mode, agent } = suggestion;
      // A rule that only the preset made quieter is not made louder again.
      const wasMoved = moved.some((one) => one.rule === rule && one.agent === (agent ?? ""));
      if (mode === "require" && !wasMoved) continue;
      await store.modes.move(repository, { rule, agent: agent ?? "", mode, since: now });
      const { done, partly, ignored, waived } = counts;
      const move = { repository, rule, agent: agent ?? undefined, from, to: mode, done, partly, ignored, waived };
      appendLog(home, { level: "info", event: "rule-moved", ...move }, now);
    }
  }
}
