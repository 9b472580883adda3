import type { StoredSave } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { mainRepositoryOf } from "../sessions/repository-of.ts";
import { counted, wrapText } from "../terminal/layout.ts";
import { withStore } from "../with-store.ts";

export interface SaveStats {
  readonly tried: number;
  readonly committed: number;
  readonly refused: number;
  readonly failed: number;
  readonly nothingToDo: number;
  /** The share of commits among attempts with something to save; null if there were none. */
  readonly successRate: number | null;
  /** Attempts per day, from the first day to the last. */
  readonly perDay: number | null;
  readonly outcomes: Readonly<Record<string, number>>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function buildSaveStats(saves: readonly StoredSave[]): SaveStats {
  const count = (prefix: string) => saves.filter(({ outcome }) => outcome.startsWith(prefix)).length;
  const [committed, refused, failed, nothingToDo] = ["committed", "refused:", "failed:", "nothing-to-do"].map(count);
  const meant = saves.length - (nothingToDo ?? 0);
  const times = saves.map(({ at }) => at.getTime());
  const days = Math.max(1, (Math.max(...times) - Math.min(...times)) / DAY_MS);
  const outcomes: Record<string, number> = {};
  for (const { outcome } of saves) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return {
    tried: saves.length,
    committed: committed ?? 0,
    refused: refused ?? 0,
    failed: failed ?? 0,
    nothingToDo: nothingToDo ?? 0,
    successRate: meant === 0 ? null : (committed ?? 0) / meant,
    perDay: saves.length === 0 ? null : saves.length / days,
    outcomes,
  };
}

/** Reads and counts the saves of a repository, or of all. */
export async function readSaveStats(query: {
  readonly home: string;
  readonly since: Date | null;
  readonly agent: AgentName | null;
  readonly project: string | null;
}): Promise<SaveStats> {
  const { home, since, agent, project } = query;
  const saves = await withStore(home, (store) =>
    store.saves.list({ since: since ?? undefined, agent: agent ?? undefined }),
  );
  return buildSaveStats(
    saves.filter(
      ({ projectPath }) => project === null || (projectPath !== null && mainRepositoryOf(projectPath) === project),
    ),
  );
}

/** The figures in a sentence; empty without saves. */
export function renderSaveStats(stats: SaveStats, columns: number): string {
  const { tried, committed, successRate, perDay, outcomes } = stats;
  if (tried === 0) return "";
  const rate = successRate === null ? "" : ` (${Math.round(successRate * 100)} % of those with something to save)`;
  const others = Object.entries(outcomes)
    .filter(([outcome]) => !outcome.startsWith("committed"))
    .map(([outcome, times]) => `${times} ${outcome}`)
    .join(", ");
  return wrapText(
    `Autosave and checkpoint save: ${counted(tried, "attempt")}, ${(perDay ?? 0).toFixed(1)} per day; ${committed} committed${rate}${others === "" ? "" : `; ${others}`}.`,
    { columns },
  );
}
