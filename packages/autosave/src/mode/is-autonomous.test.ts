import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isAutonomous } from "./is-autonomous.ts";

const root = mkdtempSync(join(tmpdir(), "checkpoint-mode-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const plain = join(root, "plain");
const flagged = join(root, "flagged");
mkdirSync(join(flagged, ".claude"), { recursive: true });
writeFileSync(join(flagged, ".claude", "autonomous-mode.active"), "");

const cases = [
  { how: "nothing", env: {}, userHome: plain, mode: "normal", is: false },
  { how: "the config", env: {}, userHome: plain, mode: "autonomous", is: true },
  { how: "the flag file", env: {}, userHome: flagged, mode: "normal", is: true },
  {
    how: "the flag file of another config folder",
    env: { CLAUDE_CONFIG_DIR: join(flagged, ".claude") },
    userHome: plain,
    mode: "normal",
    is: true,
  },
  { how: "a loop", env: { CLAUDE_LOOP_ACTIVE: "1" }, userHome: plain, mode: "normal", is: true },
  { how: "a loop that is off", env: { CLAUDE_LOOP_ACTIVE: "0" }, userHome: plain, mode: "normal", is: false },
  { how: "an empty variable", env: { CLAUDE_LOOP_ACTIVE: "" }, userHome: plain, mode: "normal", is: false },
] as const;
test.for(cases)("$how: $is", ({ is, ...facts }) => {
  expect(isAutonomous(facts)).toBe(is);
});
