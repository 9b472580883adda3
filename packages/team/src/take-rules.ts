import { join } from "node:path";
import { ensureHome, writeWhole } from "@agent-checkpoint/files";
import { type Enrolment, TEAM_RULES_FILE, writeEnrolment } from "./enrolment.ts";
import type { TeamTarget } from "./protocol.ts";
import { verifyRules } from "./team-rules.ts";

/** What happened to the team's rules: a new version was taken, nothing is new, or the last valid ones are kept. */
export type TakenRules =
  | { readonly status: "taken"; readonly version: number; readonly enrolment: Enrolment }
  | { readonly status: "unchanged" }
  | { readonly status: "kept"; readonly reason: string; readonly detail: string };

/** Fetches the team's rules and writes those that are signed with the pinned key where the hook reads them. */
export async function takeRules(home: string, enrolment: Enrolment, target: TeamTarget): Promise<TakenRules> {
  const answer = await target.rules();
  if (!answer.ok) return { status: "kept", reason: answer.reason, detail: answer.detail };
  if (answer.rules === null || answer.rules.version === enrolment.rulesVersion) return { status: "unchanged" };
  if (enrolment.publicKey === null)
    return { status: "kept", reason: "no-key", detail: "no key was pinned when this machine joined; join again" };
  const pinned = { publicKey: enrolment.publicKey, team: enrolment.team, lastVersion: enrolment.rulesVersion };
  const verified = verifyRules(answer.rules, pinned);
  if (!verified.ok) return { status: "kept", reason: verified.reason, detail: verified.detail };
  ensureHome(home);
  writeWhole(join(home, TEAM_RULES_FILE), `${JSON.stringify(verified.rules, null, 2)}\n`, { mode: 0o600 });
  const known = { ...enrolment, rulesVersion: verified.version };
  writeEnrolment(home, known);
  return { status: "taken", version: verified.version, enrolment: known };
}
