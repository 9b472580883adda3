import type { Snooze } from "@agent-checkpoint/store";
import type { Surroundings } from "../surroundings.ts";
import { renderTable } from "../terminal/table.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { sayUntil } from "./say-until.ts";
import type { SnoozeOptions } from "./snooze-options.ts";
import { describeScope, isSameScope, snoozeScope } from "./snooze-scope.ts";

/** Shows what is snoozed: everywhere, or in the scope that is meant. */
export async function showSnoozes(
  options: SnoozeOptions,
  surroundings: Surroundings,
  where: "here" | "everywhere",
): Promise<void> {
  const { out, home } = surroundings;
  const now = surroundings.now();
  const snoozes = await withStore(home, async (store) => {
    const all = await store.snoozes.list(now);
    if (where === "everywhere") return all;
    const scope = await snoozeScope(store, surroundings, options);
    return all.filter((snooze) => isSameScope(snooze.scope, scope));
  });
  out(options.json === true ? toJson({ snoozes }) : render(snoozes, now, where));
}

function render(snoozes: readonly Snooze[], now: Date, where: "here" | "everywhere"): string {
  if (snoozes.length === 0) return where === "here" ? "Nothing is snoozed here.\n" : "Nothing is snoozed.\n";
  return renderTable(
    [{ heading: "UNTIL" }, { heading: "STOPS" }, { heading: "BY" }, { heading: "REASON" }],
    snoozes.map(({ scope, until, madeBy, reason }) => [
      sayUntil(until, now),
      describeScope(scope),
      visible(madeBy),
      visible(reason ?? ""),
    ]),
  );
}
