import type { ToolCallRecord } from "../types.ts";
import type { Part, SubAgent } from "./calls.ts";

/**
 * Puts the calls of each sub-agent after the call that started it, those of its own sub-agents included.
 *
 * A sub-agent whose start is not in sight, because it runs since an earlier turn, stands where its first call belongs
 * by time.
 */
export const placeSubAgents = (main: Part, subAgents: readonly SubAgent[]): readonly ToolCallRecord[] => {
  if (subAgents.length === 0) return main.records;
  const waiting = subAgentsByStarter(main, subAgents);
  const take = (starter: string | null): readonly ToolCallRecord[] => {
    const started = waiting.get(starter) ?? [];
    waiting.delete(starter);
    return started.flatMap(({ part }) => withSubAgents(part.records));
  };
  const withSubAgents = (records: readonly ToolCallRecord[]): readonly ToolCallRecord[] =>
    records.flatMap((record) => [record, ...take(record.id)]);
  return [...take(null), ...withSubAgents(main.records)];
};

const subAgentsByStarter = (main: Part, subAgents: readonly SubAgent[]): Map<string | null, readonly SubAgent[]> => {
  const parts = [main, ...subAgents.map(({ part }) => part)];
  const starters = new Map(parts.flatMap((part) => [...part.starters]));
  const ids = new Set(parts.flatMap(({ records }) => records.map(({ id }) => id)));
  const grouped = new Map<string | null, readonly SubAgent[]>();
  for (const subAgent of subAgents.toSorted((one, other) => startOf(one) - startOf(other))) {
    const named = starters.get(subAgent.key);
    const starter = named !== undefined && ids.has(named) ? named : lastBefore(main.records, startOf(subAgent));
    grouped.set(starter, [...(grouped.get(starter) ?? []), subAgent]);
  }
  return grouped;
};

const startOf = ({ part }: SubAgent): number => part.records[0]?.timestamp?.getTime() ?? 0;

const lastBefore = (records: readonly ToolCallRecord[], moment: number): string | null =>
  records.findLast(({ timestamp }) => timestamp !== null && timestamp.getTime() <= moment)?.id ?? null;
