import { type Entry, newTally, readEntriesBackwards } from "../read/backwards.ts";
import { readEntriesForwards, readHead } from "../read/forwards.ts";
import { dateAt, type JsonObject } from "../read/json.ts";
import { callsIn, type Collection, EMPTY_PART, newCollection, pairCalls } from "../turn/calls.ts";
import { digest } from "../turn/find-turns.ts";
import { knownUsage, usageRange } from "../turn/known-usage.ts";
import type { ContextUsage, Session, ToolCallRecord, TurnEnding, TurnPrompt } from "../types.ts";
import type { Format } from "./format.ts";

/** What differs between agents whose transcripts are one JSON object per line, each with a `timestamp`. */
export interface LinesDialect extends Pick<Format, "findTranscript" | "late"> {
  /** The session that one of the first lines names; null if the line is of another agent, or names none. */
  readonly sessionOf: (line: JsonObject, path: string) => Session | null;
  /** What a person said in a line; null if it is something else, whatever it looks like. */
  readonly promptOf: (line: JsonObject) => Prompt | null;
  /** What the main agent says in a line; null if it says nothing there. */
  readonly replyOf: (line: JsonObject) => string | null;
  /**
   * Whether a line before a prompt shows that the prompt is not a person's (true), that it is (false), or says nothing
   * about it (null).
   */
  readonly refutes?: (line: JsonObject, prompt: Prompt) => boolean | null;
  /** Texts of which each prompt, and each line that may refute one, mentions at least one. */
  readonly mentions: readonly string[];
  /** Adds the calls and the outcomes of a line. */
  readonly collect: (into: Collection, entry: Entry, by: ToolCallRecord["by"]) => void;
  /** How a turn that ends with this line ended; null if the line does not show it. */
  readonly endOf: (line: JsonObject) => TurnEnding["kind"] | null;
  /** Absent if the agent has no sub-agents, or writes what they do into the same file. */
  readonly readSubAgents?: Format["readSubAgents"];
  /** How full the context was at a line; null if the line does not tell. Absent if none does. */
  readonly usageOf?: (line: JsonObject) => LineUsage | "compacted" | null;
}

/** The context of the model as a line tells of it; the window is null if the line does not name it. */
export type LineUsage = Pick<ContextUsage & { readonly status: "known" }, "tokens" | "window" | "model">;

/** The words of a prompt, and the agent's own id of it. */
export interface Prompt {
  readonly text: string;
  readonly id: string | null;
}

/** The format of an agent whose transcripts are one JSON object per line. */
export function jsonLines(dialect: LinesDialect): Format {
  const { sessionOf, collect, endOf, mentions, promptOf, refutes, replyOf, usageOf, readSubAgents, ...rest } = dialect;

  const readSession: Format["readSession"] = ({ path, file }) => {
    for (const { value } of readHead(file)) {
      const session = sessionOf(value, path);
      if (session !== null) return session;
    }
    return null;
  };

  const spokenIn = (line: JsonObject, ownMessages: readonly string[]): Prompt | null => {
    const prompt = promptOf(line);
    return prompt === null || ownMessages.some((own) => own !== "" && prompt.text.startsWith(own)) ? null : prompt;
  };

  const newCollector: Format["newCollector"] = (_transcript, by) => {
    const into = newCollection();
    return {
      take: (entry) => collect(into, entry, by),
      part: (range) => ({ records: pairCalls(callsIn(into, range), into.outcomes), starters: into.starters }),
    };
  };

  const readTurn: Format["readTurn"] = (transcript, { ownMessages = [] }) => {
    if (readSession(transcript) === null) return { status: "refused", reason: "not-a-transcript" };
    const { file } = transcript;
    const tally = newTally();
    const collector = newCollector(transcript, "main");
    let hasFailed: boolean | null = null;
    let opening: (Entry & { readonly prompt: Prompt }) | null = null;
    for (const entry of readEntriesBackwards(file, tally)) {
      const verdict = opening === null ? null : (refutes?.(entry.value, opening.prompt) ?? null);
      if (verdict === false) break;
      if (verdict === true) opening = null;
      collector.take(entry);
      const end = endOf(entry.value);
      if (opening === null && end !== null) hasFailed ??= end === "failed";
      const prompt: Prompt | null = opening === null ? spokenIn(entry.value, ownMessages) : null;
      if (prompt !== null) opening = { ...entry, prompt };
      if (opening !== null && refutes === undefined) break;
    }
    const isKnown = opening !== null || tally.isCutShort;
    return {
      status: "read",
      prompt: opening === null ? null : turnPrompt(opening, opening.prompt),
      part: isKnown ? collector.part({ from: opening?.offset ?? 0, to: file.size }) : EMPTY_PART,
      isWhole: !tally.isCutShort,
      skippedLines: tally.skippedLines,
      ...(hasFailed === true && { hasFailed }),
    };
  };

  const readContextUsage: Format["readContextUsage"] = ({ file }) => {
    if (usageOf === undefined) return { status: "unknown", reason: "no-usage" };
    for (const { value } of readEntriesBackwards(file, newTally(), usageRange(file))) {
      const usage = usageOf(value);
      if (usage === "compacted") return { status: "unknown", reason: "compacted" };
      if (usage !== null) return knownUsage({ ...usage, source: "transcript", timestamp: dateAt(value, "timestamp") });
    }
    return { status: "unknown", reason: "no-usage" };
  };

  return {
    ...rest,
    readSubAgents: readSubAgents ?? (() => []),
    readContextUsage,
    readEntries: (transcript, tally, range) => readEntriesBackwards(transcript.file, tally, range),
    readSession,
    newCollector,
    readTurn,
    prepare: (transcript) => transcript,
    readForwards: ({ file }, wanted) => readEntriesForwards(file, wanted),
    newTurnScan: (_transcript, { ownMessages = [] }) => {
      let before: JsonObject[] = [];
      return {
        mentions,
        take: ({ value: line }) => {
          const prompt = spokenIn(line, ownMessages);
          const verdict =
            prompt === null ? null : firstVerdict(before, (earlier) => refutes?.(earlier, prompt) ?? null);
          before = [line, ...before.slice(0, MAX_LINES_BEFORE)];
          return prompt === null || verdict === true ? null : { kind: "opens" };
        },
      };
    },
    endingOf: (entries) => {
      for (const { value } of entries) {
        const kind = endOf(value);
        if (kind !== null) return { kind, at: dateAt(value, "timestamp") };
      }
      return { kind: "unfinished", at: null };
    },
    promptText: ({ value }) => promptOf(value)?.text ?? null,
    replyText: ({ value }) => replyOf(value) || null,
  };
}

/** The lines that may refute a prompt stand right before it. */
const MAX_LINES_BEFORE = 16;

function firstVerdict(lines: readonly JsonObject[], ask: (line: JsonObject) => boolean | null): boolean | null {
  for (const line of lines) {
    const verdict = ask(line);
    if (verdict !== null) return verdict;
  }
  return null;
}

function turnPrompt({ offset, value }: Entry, { text, id }: Prompt): TurnPrompt {
  return {
    offset,
    text,
    get digest() {
      return digest(text);
    },
    timestamp: dateAt(value, "timestamp"),
    id,
  };
}
