import { readFileSync } from "node:fs";
import { filesByAge } from "./files-by-age.ts";
import type { Sandbox } from "./sandbox.ts";

/** A thread of the interactive Codex, as its rollout shows it. */
export interface CodexThread {
  readonly id: string;
  readonly path: string;
  /** What users said, in order. */
  readonly userMessages: readonly string[];
  /** What hooks said, in order. */
  readonly hookPrompts: readonly string[];
  /** What began each turn: `user` or `queue`. */
  readonly triggers: readonly string[];
  /** How many turns have ended, in whatever way. */
  readonly ended: number;
}

/** Reads the threads of a sandbox, the oldest in front. */
export function readCodexThreads({ home }: Sandbox): readonly CodexThread[] {
  return filesByAge(home, ".codex/sessions/*/*/*/rollout-*.jsonl").map(readThread);
}

interface Payload {
  readonly type: string;
  readonly item?: {
    readonly type: string;
    readonly content?: readonly { readonly text?: string }[];
    readonly fragments?: readonly { readonly text: string }[];
  };
  readonly turn_attribution?: { readonly turn_trigger: string };
}

function readThread(path: string): CodexThread {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  const events = lines
    .map((line) => JSON.parse(line) as { readonly type: string; readonly payload: Payload })
    .filter(({ type }) => type === "event_msg")
    .map(({ payload }) => payload);
  const items = events.flatMap(({ type, item }) => (type === "item_completed" && item ? [item] : []));
  const textsOf = (kind: string): readonly string[] =>
    items
      .filter(({ type }) => type === kind)
      .map(({ content = [], fragments = [] }) => [...content, ...fragments].map(({ text = "" }) => text).join(""));
  return {
    id: path.slice(-"00000000-0000-0000-0000-000000000000.jsonl".length, -".jsonl".length),
    path,
    userMessages: textsOf("UserMessage"),
    hookPrompts: textsOf("HookPrompt"),
    triggers: events.flatMap(({ turn_attribution: by }) => (by ? [by.turn_trigger] : [])),
    ended: events.filter(({ type }) => type === "task_complete" || type === "turn_aborted").length,
  };
}
