import { PRESETS, type RuleMode, type Rules } from "@agent-checkpoint/categories";
import { expect, test } from "vitest";
import { modesOf } from "./assemble-checkpoint.ts";

const { generic, teleclaude } = PRESETS;
const REMARKS = ["edit-without-read", "wide-change", "working-slug", "config-changed"];
const all = (mode: RuleMode) => Object.fromEntries(REMARKS.map((id) => [id, mode]));

const defaults: { rules: Rules; modes: Readonly<Record<string, RuleMode>> }[] = [
  {
    rules: generic,
    modes: { tests: "require", "failed-command": "require", "verification-gap": "advise", ...all("advise") },
  },
  { rules: teleclaude, modes: { tests: "require", "failed-command": "require", ...all("require") } },
];
test.for(defaults)("the defaults of the preset $rules.preset", ({ rules, modes }) => {
  expect(modesOf(rules)).toMatchObject(modes);
});

const given: {
  title: string;
  rules: Partial<Rules>;
  moved?: Record<string, RuleMode>;
  claude: RuleMode;
  gemini: RuleMode;
}[] = [
  { title: "for all agents", rules: { modes: { tests: "shadow" } }, claude: "shadow", gemini: "shadow" },
  { title: "for one agent", rules: { modes: { tests: { gemini: "advise" } } }, claude: "require", gemini: "advise" },
  { title: "moved by the program", rules: {}, moved: { tests: "advise" }, claude: "advise", gemini: "advise" },
  {
    title: "a person's word over the program's",
    rules: { modes: { tests: { gemini: "require" } } },
    moved: { tests: "advise" },
    claude: "advise",
    gemini: "require",
  },
];
test.for(given)("a mode $title", ({ rules, moved, claude, gemini }) => {
  const merged = { ...generic, ...rules };
  expect([modesOf(merged, "claude", moved)["tests"], modesOf(merged, "gemini", moved)["tests"]]).toEqual([
    claude,
    gemini,
  ]);
});

test("a check that is switched off stays off whatever its mode, and no mode comes from the prototype of objects", () => {
  const checks = { ...generic.checks, "wide-change": false };
  expect(modesOf({ ...generic, checks, modes: { "wide-change": "require" } })["wide-change"]).toBe("off");
  const actions = [{ ...generic.actions[0]!, id: "constructor" }];
  expect(modesOf({ ...generic, actions })).toMatchObject({ constructor: "require" });
});
