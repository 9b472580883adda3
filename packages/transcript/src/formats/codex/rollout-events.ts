import { dateAt, isObject, type JsonObject, objectAt, objectsAt, parseObject, textAt } from "../../read/json.ts";
import { userMessage } from "./is-prompt.ts";
import { readLine } from "./read-line.ts";
import { isSubAgent } from "./sessions.ts";

/** The event in one line of a rollout of any generation, or null. */
export function parseRolloutLine(text: string): RolloutEvent | null {
  const value = parseObject(text);
  if (value === null) return null;
  const line = readLine({ offset: 0, value });
  const at = dateAt(value, "timestamp");
  if (line.kind === "event") return parseEvent(line.payload, at);
  if (line.kind === "item")
    return parseItem(line.payload, { at, isBare: line.isBare, isPaginated: "ordinal" in value });
  return line.kind === "other" ? parseThread(value) : null;
}

function parseEvent(event: JsonObject, at: Date | null): TurnEvent | null {
  const turnId = textAt(event, "turn_id");
  const message = userMessage("event", event);
  if (message !== null) return { type: "user-message", turnId, at, text: message.text };
  return TURN_EVENTS.get(event["type"])?.(event, { turnId, at }) ?? null;
}

type TurnEventParser = (event: JsonObject, origin: Pick<TurnEvent, "turnId" | "at">) => TurnEvent | null;

const TURN_EVENTS: ReadonlyMap<unknown, TurnEventParser> = new Map<unknown, TurnEventParser>([
  ["task_started", (event, origin) => ({ type: "turn-started", ...origin, startedBy: startedBy(event) })],
  [
    "task_complete",
    (event, origin) => ({
      type: "turn-finished",
      ...origin,
      lastMessage: textAt(event, "last_agent_message"),
      hasError: (event["error"] ?? null) !== null,
    }),
  ],
  ["turn_aborted", (_event, origin) => ({ type: "turn-aborted", ...origin })],
  [
    "item_completed",
    (event, origin) => {
      const item = objectAt(event, "item");
      if (item === null || item["type"] !== "HookPrompt") return null;
      const fragments = objectsAt(item, "fragments").map((fragment) => textAt(fragment, "text") ?? "");
      return { type: "hook-prompt", ...origin, text: fragments.join("\n") };
    },
  ],
]);

const TRIGGERS = ["user", "queue", "exec"] as const;

function startedBy(event: JsonObject): (typeof TRIGGERS)[number] | null {
  const trigger = objectAt(event, "turn_attribution")?.["turn_trigger"];
  return TRIGGERS.find((known) => known === trigger) ?? null;
}

interface ItemOrigin {
  readonly at: Date | null;
  readonly isBare: boolean;
  readonly isPaginated: boolean;
}

/**
 * The model's view counts as a human's message only if nothing else shows it, and as a hook's only in versions without events
 * for it.
 */
function parseItem(item: JsonObject, { at, isBare, isPaginated }: ItemOrigin): TurnEvent | null {
  if (isBare) {
    const message = userMessage("item", item);
    return message === null ? null : { type: "user-message", turnId: null, at, text: message.text };
  }
  const text = isPaginated ? null : hookPromptText(item);
  return text === null ? null : { type: "hook-prompt", turnId: null, at, text };
}

/**
 * The event in one line of a rollout, from its bytes.
 *
 * Most of a rollout is tool output and reasoning, so lines that cannot be an event are not decoded.
 */
export function parseRolloutBytes(line: Buffer): RolloutEvent | null {
  return TELLING_WORDS.some((word) => line.includes(word)) ? parseRolloutLine(line.toString("utf8")) : null;
}

/** Every line with an event has one of these. */
const TELLING_WORDS: readonly string[] = [
  '"task_started"',
  '"task_complete"',
  '"turn_aborted"',
  '"UserMessage"',
  '"HookPrompt"',
  '"user_message"',
  // A line of 2025, or a hook's text in versions without an item for it.
  '"user"',
  '"session_meta"',
  '"instructions"',
];

/** The thread that a line introduces, or null; the first such line of a file is the file's own. */
export function parseThread(line: JsonObject): RolloutEvent | null {
  const meta = line["type"] === "session_meta" ? objectAt(line, "payload") : "instructions" in line ? line : null;
  const id = meta === null ? null : textAt(meta, "id");
  if (meta === null || id === null) return null;
  return {
    type: "thread",
    thread: {
      id,
      cwd: textAt(meta, "cwd"),
      cliVersion: textAt(meta, "cli_version"),
      kind: kindOf(meta),
      startedAt: dateAt(meta, "timestamp") ?? dateAt(line, "timestamp"),
    },
  };
}

/** The name of the program at the terminal; the desktop app and editors share its `source`, not its name. */
const TERMINAL: ReadonlySet<unknown> = new Set(["codex-tui", "codex_cli_rs"]);

/** A session at the terminal that runs in the shared daemon says `vscode`; the oldest say nothing. */
const SHARED_SOURCES: ReadonlySet<unknown> = new Set(["vscode", undefined]);

function kindOf(meta: JsonObject): ThreadKind {
  const { source, originator } = meta;
  if (isSubAgent(meta)) return "sub-agent";
  if (isObject(source)) return "other";
  if (source === "exec" || originator === "codex_exec") return "exec";
  if (source === "cli") return "interactive";
  return SHARED_SOURCES.has(source) && TERMINAL.has(originator) ? "interactive" : "other";
}

/** What a hook told the model, from a message of a rollout before 0.148; null if it is another message. */
export function hookPromptText(item: JsonObject): string | null {
  if (item["type"] !== "message" || item["role"] !== "user") return null;
  const prompts = objectsAt(item, "content")
    .map((part) => HOOK_PROMPT.exec(textAt(part, "text") ?? "")?.[1])
    .filter((text) => text !== undefined);
  return prompts.length === 0 ? null : prompts.map((text) => unescape(text)).join("\n");
}

const HOOK_PROMPT = /^\s*<hook_prompt\b[^>]*>([^]*)<\/hook_prompt>\s*$/;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
]);

function unescape(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
}

/** Who a thread answers: a human at the terminal, a script, another agent, or unknown. */
export type ThreadKind = "interactive" | "exec" | "sub-agent" | "other";

/** The thread that a rollout is the record of. */
export interface Thread {
  readonly id: string;
  readonly cwd: string | null;
  readonly cliVersion: string | null;
  readonly kind: ThreadKind;
  readonly startedAt: Date | null;
}

/** An event of a rollout; `turnId` is null if the line does not name its turn. */
export type RolloutEvent =
  | { readonly type: "thread"; readonly thread: Thread }
  | {
      readonly type: "turn-started";
      readonly turnId: string | null;
      readonly at: Date | null;
      /** Where the turn's first message came from; null if Codex does not say, as for `/compact`. */
      readonly startedBy: "user" | "queue" | "exec" | null;
    }
  | {
      readonly type: "user-message" | "hook-prompt";
      readonly turnId: string | null;
      readonly at: Date | null;
      readonly text: string;
    }
  | {
      readonly type: "turn-finished";
      readonly turnId: string | null;
      readonly at: Date | null;
      readonly lastMessage: string | null;
      readonly hasError: boolean;
    }
  | { readonly type: "turn-aborted"; readonly turnId: string | null; readonly at: Date | null };

/** An event of a turn, which is any but the thread's own. */
export type TurnEvent = Exclude<RolloutEvent, { readonly type: "thread" }>;
