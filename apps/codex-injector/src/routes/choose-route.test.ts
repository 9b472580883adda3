import { expect, test } from "vitest";
import { chooseRoute, type RouteFacts } from "./choose-route.ts";

const all: RouteFacts = { forced: null, codexVersion: "0.166.0", isHookTrusted: true, hasQueue: true, hasTmux: true };

const cases: { title: string; facts: Partial<RouteFacts>; route: string | null }[] = [
  { title: "a trusted hook", facts: {}, route: "hook" },
  { title: "an untrusted hook", facts: { isHookTrusted: false }, route: "queue" },
  { title: "a Codex from before the hooks were on", facts: { codexVersion: "0.123.9" }, route: null },
  { title: "a Codex whose screen is not known", facts: { codexVersion: "0.118.0" }, route: null },
  {
    title: "the first Codex whose screen is known",
    facts: { isHookTrusted: false, codexVersion: "0.125.0" },
    route: "tmux",
  },
  { title: "a Codex from before the queue", facts: { isHookTrusted: false, codexVersion: "0.148.2" }, route: "tmux" },
  { title: "the first Codex with the queue", facts: { isHookTrusted: false, codexVersion: "0.149.0" }, route: "queue" },
  { title: "a later major", facts: { isHookTrusted: false, codexVersion: "1.0.0" }, route: "queue" },
  { title: "a codex program without the queue", facts: { isHookTrusted: false, hasQueue: false }, route: "tmux" },
  { title: "an unknown version", facts: { codexVersion: null }, route: null },
  { title: "nothing at all", facts: { codexVersion: null, hasTmux: false }, route: null },
  { title: "the user's word", facts: { forced: "tmux" }, route: "tmux" },
];
test.for(cases)("$title: $route", ({ facts, route }) => {
  expect(chooseRoute({ ...all, ...facts }).route).toBe(route);
});
