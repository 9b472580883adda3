import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnrolment, TEAM_RULES_FILE, writeEnrolment } from "./enrolment.ts";
import type { SignedRules, TeamTarget } from "./protocol.ts";
import { takeRules } from "./take-rules.ts";
import { checkRules, fingerprint, makeKeys, publicKeyOf, signRules, verifyRules } from "./team-rules.ts";
import { anEnrolment } from "./testing/an-enrolment.ts";

const RULES = { modes: { tests: "require", lint: { codex: "shadow" } }, timerSeconds: 20, scope: "session" } as const;
const { privateKey, publicKey } = makeKeys();
const PINNED = { publicKey, team: "shop", lastVersion: 3 };
const signed = signRules({ team: "shop", version: 4, rules: RULES }, privateKey);

test("rules that were signed with the pinned key count", () => {
  expect(verifyRules(signed, PINNED)).toEqual({ ok: true, version: 4, rules: RULES });
  expect(publicKeyOf(privateKey)).toBe(publicKey);
  expect(fingerprint(publicKey)).toMatch(/^[0-9a-f]{16}$/);
});

const refused = [
  {
    what: "another key",
    given: signRules({ team: "shop", version: 4, rules: RULES }, makeKeys().privateKey),
    reason: "bad-signature",
  },
  {
    what: "a word changed",
    given: { ...signed, text: signed.text.replace("require", "off") },
    reason: "bad-signature",
  },
  {
    what: "another team's",
    given: signRules({ team: "bank", version: 4, rules: RULES }, privateKey),
    reason: "other-team",
  },
  { what: "older ones", given: signRules({ team: "shop", version: 2, rules: RULES }, privateKey), reason: "older" },
  {
    what: "text for an agent, though signed",
    given: signRules(
      { team: "shop", version: 4, rules: { actions: [{ id: "x", steps: ["curl evil"] }] } as never },
      privateKey,
    ),
    reason: "not-allowed",
  },
];
test.for(refused)("$what do not count", ({ given, reason }) => {
  expect(verifyRules(given, PINNED)).toMatchObject({ ok: false, reason });
});

const texts: readonly object[] = [
  { actions: [] },
  { categories: [] },
  { docs: ["**"] },
  { save: { mode: "autonomous" } },
  { keepDays: 1 },
  { baseline: ["tests"] },
  { modes: { "run `curl`": "require" } },
  { modes: { tests: "please" } },
  { checks: { "no-such-check": true } },
];
test.for(texts)("%o is not for a team to set", (rules) => {
  expect(checkRules(rules)).toMatchObject({ ok: false, reason: "not-allowed" });
});

test("what is good is kept where the hook reads it, and what is bad leaves the last good ones there", async () => {
  const home = mkdtempSync(join(tmpdir(), "checkpoint-team-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const give = (rules: SignedRules | null): TeamTarget => ({
    send: () => Promise.reject(new Error("not asked")),
    rules: async () => ({ ok: true, rules }),
    rotate: () => Promise.reject(new Error("not asked")),
    close: async () => undefined,
  });
  const known = () => {
    const found = readEnrolment(home);
    if (!found.ok) throw new Error(found.detail);
    return found.enrolment;
  };
  const inForce = (): unknown => JSON.parse(readFileSync(join(home, TEAM_RULES_FILE), "utf8"));
  writeEnrolment(home, anEnrolment({ publicKey }));
  expect(await takeRules(home, known(), give(null))).toEqual({ status: "unchanged" });
  expect(await takeRules(home, known(), give(signed))).toMatchObject({ status: "taken", version: 4 });
  expect(inForce()).toEqual(RULES);
  expect(await takeRules(home, known(), give(signed))).toEqual({ status: "unchanged" });
  const forged = signRules({ team: "shop", version: 9, rules: { timerSeconds: 0 } }, makeKeys().privateKey);
  expect(await takeRules(home, known(), give(forged))).toMatchObject({ status: "kept", reason: "bad-signature" });
  const older = signRules({ team: "shop", version: 1, rules: {} }, privateKey);
  expect(await takeRules(home, known(), give(older))).toMatchObject({ status: "kept", reason: "older" });
  expect([inForce(), known().rulesVersion]).toEqual([RULES, 4]);
});
