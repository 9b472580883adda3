import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { settingsText } from "../testing/settings-text.ts";
import { isSameForOthers } from "./foreign-settings.ts";
import { planRegistration } from "./plan-registration.ts";
import { planRemoval } from "./plan-removal.ts";
import { readRegistrations } from "./read-registrations.ts";
import type { WantedHook } from "./wanted-hook.ts";

const WANTED: readonly WantedHook[] = ["UserPromptSubmit", "Stop"].map((event) => ({
  event,
  args: "--agent claude",
  hook: {
    type: "command",
    command: "[ -x /node ] && [ -f /checkpoint-hook.cjs ] || exit 0; exec /node /checkpoint-hook.cjs --agent claude",
    timeout: 30,
  },
}));

const RUNS = { numRuns: 1000 };

test("what is put in can be taken out again, to the byte", () => {
  fc.assert(
    fc.property(settingsText(), (text) => {
      const removal = planRemoval(registered(text));
      expect(removal.ok && removal.text).toBe(text);
    }),
    RUNS,
  );
});

test("a second time changes nothing", () => {
  fc.assert(
    fc.property(settingsText(), (text) => {
      const once = registered(text);
      expect(registered(once)).toBe(once);
    }),
    RUNS,
  );
});

test("everything that was there is still there, in the same order, and ours comes last", () => {
  fc.assert(
    fc.property(settingsText(), (text) => {
      const after = registered(text);
      const now = registrationsOf(after);
      expect(now.filter(({ isOurs }) => !isOurs)).toEqual(registrationsOf(text));
      expect(
        now
          .filter(({ isOurs }) => isOurs)
          .map(({ event }) => event)
          .toSorted(),
      ).toEqual(["Stop", "UserPromptSubmit"]);
      for (const { event, groupIndex } of now.filter(({ isOurs }) => isOurs)) {
        expect(groupIndex).toBe(groupsOf(after, event).length - 1);
      }
      expect({ ...valueOf(after), hooks: null }).toEqual({ ...valueOf(text), hooks: null });
      expect(isSameForOthers(text, after)).toBe(true);
    }),
    RUNS,
  );
});

const damage = [
  { what: "a setting is gone", after: `{ "hooks": { "Stop": [{ "hooks": [{ "command": "a" }] }] } }` },
  { what: "a hook is gone", after: `{ "model": "x", "hooks": { "Stop": [{ "hooks": [] }] } }` },
  { what: "an event is gone", after: `{ "model": "x" }` },
  { what: "a hook is another", after: `{ "model": "x", "hooks": { "Stop": [{ "hooks": [{ "command": "b" }] }] } }` },
];
test.for(damage)("it is seen that $what", ({ after }) => {
  const before = `{ "model": "x", "hooks": { "Stop": [{ "hooks": [{ "command": "a" }] }] } }`;
  expect(isSameForOthers(before, after)).toBe(false);
});

function registered(text: string): string {
  const plan = planRegistration(text, WANTED);
  if (!plan.ok) throw new Error(JSON.stringify(plan.problem));
  return plan.text;
}

function registrationsOf(text: string) {
  const result = readRegistrations(text);
  return result.ok ? result.registrations.map((registration) => ({ ...registration, line: 0 })) : [];
}

function valueOf(text: string): Record<string, unknown> {
  return parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }) as Record<string, unknown>;
}

function groupsOf(text: string, event: string): readonly unknown[] {
  return (valueOf(text)["hooks"] as Record<string, unknown[]>)[event] ?? [];
}
