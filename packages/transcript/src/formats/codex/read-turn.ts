import { newCollector } from "./calls.ts";
import { userMessage } from "./is-prompt.ts";
import { readLine, type RolloutLine } from "./read-line.ts";
import type { Format } from "../format.ts";
import { type Entry, newTally, readEntriesBackwards } from "../../read/backwards.ts";
import { dateAt, textAt } from "../../read/json.ts";
import { EMPTY_PART } from "../../turn/calls.ts";
import { digest } from "../../turn/find-turns.ts";
import type { TurnPrompt } from "../../types.ts";

/** A prompt in a line. */
export interface Prompt {
  readonly entry: Entry;
  readonly text: string;
  /** Whether an event reports it; without events it is only known from the model's view. */
  readonly isCertain: boolean;
}

/**
 * Reads the turn that is at the end of a Codex rollout.
 *
 * A message sent while the agent works is a prompt of its own, unless the hook names the turn: that began with the
 * first. What stands before the prompt is read on as far as the turn's id.
 */
export const readTurn: Format["readTurn"] = (transcript, { promptId, ownMessages = [] }) => {
  const tally = newTally();
  const collector = newCollector(transcript, "main");
  let isCodex = false;
  let prompt: Prompt | null = null;
  let uncertain: Prompt | null = null;
  let turnId: string | null = null;
  for (const entry of readEntriesBackwards(transcript.file, tally)) {
    const line = readLine(entry);
    if (line.kind === "foreign") continue;
    isCodex = true;
    if (prompt !== null && promptId === undefined && isWork(line)) break;
    collector.take(entry);
    const found = promptIn(entry, line, ownMessages);
    if (found?.isCertain === false) uncertain ??= found;
    if (found?.isCertain === true && (prompt === null || promptId !== undefined)) prompt = found;
    if (prompt === null) continue;
    turnId ??= "payload" in line ? textAt(line.payload, "turn_id") : null;
    if (isTurnStart(line)) break;
  }
  if (!isCodex) return { status: "refused", reason: "not-a-transcript" };
  const opening = prompt ?? uncertain;
  const isKnown = opening !== null || tally.isCutShort;
  return {
    status: "read",
    prompt: opening === null ? null : turnPrompt(opening, turnId),
    part: isKnown ? collector.part({ from: opening?.entry.offset ?? 0, to: transcript.file.size }) : EMPTY_PART,
    isWhole: !tally.isCutShort,
    skippedLines: tally.skippedLines,
  };
};

/** The prompt in a line, or null. */
export function promptIn(entry: Entry, line: RolloutLine, ownMessages: readonly string[]): Prompt | null {
  if (line.kind !== "event" && line.kind !== "item") return null;
  const message = userMessage(line.kind, line.payload);
  if (message === null || ownMessages.some((own) => own !== "" && message.text.startsWith(own))) return null;
  return { entry, text: message.text, isCertain: line.kind === "event" || line.isBare };
}

function isTurnStart(line: RolloutLine): boolean {
  return line.kind === "event" && line.payload["type"] === "task_started";
}

/** Whether a line belongs to an earlier turn: before a prompt Codex writes only messages to the model. */
function isWork(line: RolloutLine): boolean {
  return (
    (line.kind === "item" && (line.payload["type"] !== "message" || line.payload["role"] === "assistant")) ||
    (line.kind === "event" && TURN_ENDS.has(line.payload["type"]))
  );
}

const TURN_ENDS: ReadonlySet<unknown> = new Set(["task_complete", "turn_aborted"]);

function turnPrompt({ entry, text }: Prompt, id: string | null): TurnPrompt {
  return {
    offset: entry.offset,
    text,
    get digest() {
      return digest(text);
    },
    timestamp: dateAt(entry.value, "timestamp"),
    id,
  };
}

/**
 * Looks for the prompts of a Codex rollout.
 *
 * A message that is sent while the agent works joins the running turn, known by its id; the hook gets that id at the stop.
 */
export const newTurnScan: Format["newTurnScan"] = (_transcript, { ownMessages = [] }) => {
  let running: string | null = null;
  let asked: string | null = null;
  return {
    mentions: ["user_message", "UserMessage", "user", "task_started"],
    take: (entry) => {
      const line = readLine(entry);
      if (line.kind !== "event" && line.kind !== "item") return null;
      if (line.kind === "event" && line.payload["type"] === "task_started") running = textAt(line.payload, "turn_id");
      const prompt = promptIn(entry, line, ownMessages);
      if (prompt === null) return null;
      if (!prompt.isCertain) return { kind: "may-open" };
      if (running !== null && running === asked) return { kind: "goes-on", turnId: running };
      asked = running;
      return { kind: "opens" };
    },
  };
};
