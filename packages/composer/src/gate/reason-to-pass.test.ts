import { PRESETS } from "@agent-checkpoint/categories";
import { expect, test } from "vitest";
import type { StopEvent } from "./events.ts";
import { reasonByClock, reasonToPass, type RecordedStop, type StopClock } from "./judge-stop.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

const event: StopEvent = {
  type: "stop",
  sessionId: "s",
  projectPath: "/home/dev/project",
  transcriptPath: null,
  promptId: "p",
  isRepeated: false,
  exemption: null,
  promptText: null,
  lastMessage: null,
};

type StopState = RecordedStop & StopClock;

const judged: StopState = {
  event,
  wasBlocked: false,
  isSnoozed: false,
  promptAt: at(0),
  checkpointAt: null,
  timerSeconds: 30,
  now: at(60),
};

const everything = { ...event, isRepeated: true, exemption: "plan-mode", sessionId: null } as const;

const cases: { title: string; state: Partial<StopState>; reason: string | null }[] = [
  { title: "a stop like any other is judged", state: {}, reason: null },
  {
    title: "the flag goes before everything",
    state: { event: everything, wasBlocked: true, now: at(1) },
    reason: "asked-before",
  },
  {
    title: "the record before a snooze",
    state: { event: { ...everything, isRepeated: false }, wasBlocked: true, isSnoozed: true },
    reason: "already-blocked",
  },
  {
    title: "a snooze before the exemptions",
    state: { event: { ...everything, isRepeated: false }, isSnoozed: true },
    reason: "snoozed",
  },
  {
    title: "the exemptions before the session",
    state: { event: { ...everything, isRepeated: false } },
    reason: "plan-mode",
  },
  {
    title: "the session before the timer",
    state: { event: { ...event, sessionId: null }, now: at(1) },
    reason: "no-session",
  },
  { title: "29.9 seconds after the prompt", state: { now: at(29.9) }, reason: "timer" },
  { title: "30 seconds after the prompt", state: { now: at(30) }, reason: null },
  {
    title: "20 seconds after the prompt, under quiet rules",
    state: { timerSeconds: PRESETS.generic.timerSeconds, now: at(20) },
    reason: null,
  },
  {
    title: "20 seconds after the prompt, under teleclaude's",
    state: { timerSeconds: PRESETS.teleclaude.timerSeconds, now: at(20) },
    reason: "timer",
  },
  { title: "soon after a checkpoint, long after the prompt", state: { checkpointAt: at(50) }, reason: "timer" },
  { title: "a timer of 0 never passes", state: { timerSeconds: 0, now: at(0) }, reason: null },
  { title: "a clock that went back is too soon", state: { now: at(-5) }, reason: "timer" },
  { title: "no prompt time", state: { promptAt: null }, reason: "no-prompt-time" },
  {
    title: "no prompt time, but a checkpoint just now",
    state: { promptAt: null, checkpointAt: at(59) },
    reason: "timer",
  },
];
test.for(cases)("$title: $reason", ({ state, reason }) => {
  const stop = { ...judged, ...state };
  expect(reasonToPass(stop) ?? reasonByClock(stop)).toBe(reason);
});
