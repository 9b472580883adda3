import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseObject, textAt } from "../../read/json.ts";
import { isWrittenSince, listFiles } from "../../read/list-files.ts";
import type { SubAgent } from "../../turn/part.ts";
import { readPeriod } from "../../turn/read-period.ts";
import type { Format } from "../format.ts";
import { newCollector } from "./collect-line.ts";
import { readEntries } from "./read-entries.ts";

/**
 * Reads the sub-agents of a session.
 *
 * They stand in `<session>/subagents/`, those of workflows in folders below it; 2.0 wrote them beside the main file,
 * among those of other sessions, where only the ones that this turn's calls name are ours.
 */
export const readSubAgents: Format["readSubAgents"] = ({ path }, period, starters) => {
  const folder = dirname(path);
  const own = listFiles(join(folder, basename(path, ".jsonl"), "subagents"), { name: AGENT_FILE, depth: 2 });
  const beside = [...starters.keys()].filter(isFileName).map((agentId) => join(folder, `agent-${agentId}.jsonl`));
  return [...own, ...beside]
    .filter((file) => isWrittenSince(file, period.since))
    .map((file): SubAgent => {
      const { records, starters: nested } = readPeriod(file, period, { readEntries, newCollector });
      const key = basename(file, ".jsonl").slice("agent-".length);
      const starter = starters.has(key) ? null : starterFromMeta(file);
      return { key, part: { records, starters: starter === null ? nested : new Map(nested).set(key, starter) } };
    })
    .filter(({ part }) => part.records.length > 0);
};

const AGENT_FILE = /^agent-.+\.jsonl$/;

const isFileName = (agentId: string): boolean => /^[\w-]+$/.test(agentId);

/** A sub-agent that is still running has no result to name it, but a note beside its file names the call. */
const starterFromMeta = (file: string): string | null => {
  try {
    return textAt(parseObject(readFileSync(file.replace(/\.jsonl$/, ".meta.json"), "utf8")) ?? {}, "toolUseId");
  } catch {
    return null;
  }
};
