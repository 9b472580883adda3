import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { CHECK_IDS, type CheckId, type Config, RULE_MODES } from "@agent-checkpoint/categories";
import * as v from "valibot";
import type { SignedRules } from "./protocol.ts";

const ruleId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "a rule's id"));
const mode = v.picklist(RULE_MODES);
const delivery = v.picklist(["deliver", "silent"]);

/**
 * The rules that a team may set: how loud each rule is, thresholds and switches. Nothing in them is text that an agent
 * reads, nothing runs, and nothing deletes a record: whoever has the key could otherwise instruct every agent at once.
 */
export type TeamRules = Pick<
  Config,
  "modes" | "checks" | "timerSeconds" | "captureOnly" | "allClear" | "untracked" | "scope"
>;

const checks = Object.fromEntries(CHECK_IDS.map((id) => [id, v.optional(v.boolean())])) as Record<
  CheckId,
  v.OptionalSchema<v.BooleanSchema<undefined>, undefined>
>;

const rulesSchema: v.GenericSchema<unknown, TeamRules> = v.strictObject({
  modes: v.optional(
    v.pipe(
      v.record(ruleId, v.union([mode, v.record(ruleId, mode)])),
      v.check((rules) => Object.keys(rules).length <= 200, "at most 200 rules"),
    ),
  ),
  checks: v.optional(v.strictObject(checks)),
  timerSeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(86_400))),
  captureOnly: v.optional(delivery),
  allClear: v.optional(delivery),
  untracked: v.optional(v.boolean()),
  scope: v.optional(v.picklist(["tree", "session"])),
});

/** What is signed: rules with the team that they are for, and a number that only grows. */
export interface RulesDocument {
  readonly team: string;
  readonly version: number;
  readonly rules: TeamRules;
}

const documentSchema: v.GenericSchema<unknown, RulesDocument> = v.strictObject({
  team: v.string(),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  rules: rulesSchema,
});

/** Rules that may be used, or why not. */
export type RulesResult<Value> =
  | ({ readonly ok: true } & Value)
  | { readonly ok: false; readonly reason: string; readonly detail: string };

/** Checks rules that an admin has written. */
export function checkRules(value: unknown): RulesResult<{ readonly rules: TeamRules }> {
  const parsed = v.safeParse(rulesSchema, value);
  if (parsed.success) return { ok: true, rules: parsed.output };
  const [issue] = parsed.issues;
  return { ok: false, reason: "not-allowed", detail: `${v.getDotPath(issue) ?? "rules"}: ${issue.message}` };
}

/** Signs rules with an admin's private key. */
export function signRules(document: RulesDocument, privateKey: string): SignedRules {
  const text = JSON.stringify(document);
  const signature = sign(null, Buffer.from(text), createPrivateKey(privateKey)).toString("base64");
  return { version: document.version, text, signature };
}

/** What rules must be to count on a machine: signed with the pinned key, for this team, and no older than the last ones. */
export interface Pinned {
  readonly publicKey: string;
  readonly team: string;
  readonly lastVersion: number;
}

/** Verifies rules that came from a team. */
export function verifyRules(
  { text, signature }: SignedRules,
  pinned: Pinned,
): RulesResult<{
  readonly version: number;
  readonly rules: TeamRules;
}> {
  const key = createPublicKey({ key: Buffer.from(pinned.publicKey, "base64"), format: "der", type: "spki" });
  if (!verify(null, Buffer.from(text), key, Buffer.from(signature, "base64")))
    return { ok: false, reason: "bad-signature", detail: "the rules are not signed with the key that was pinned" };
  const parsed = v.safeParse(documentSchema, JSON.parse(text));
  if (!parsed.success) return { ok: false, reason: "not-allowed", detail: parsed.issues[0].message };
  const { team, version, rules } = parsed.output;
  if (team !== pinned.team) return { ok: false, reason: "other-team", detail: `the rules are those of ${team}` };
  if (version < pinned.lastVersion)
    return { ok: false, reason: "older", detail: `version ${version} came after ${pinned.lastVersion}` };
  return { ok: true, version, rules };
}

/** A new pair of keys: the private one as PEM, the public one as it travels. */
export function makeKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  return { privateKey: pem, publicKey: publicKeyOf(pem) };
}

/** The public key that belongs to a private one. */
export function publicKeyOf(privateKey: string): string {
  return createPublicKey(createPrivateKey(privateKey)).export({ format: "der", type: "spki" }).toString("base64");
}

/** A few letters that tell one key from another; an invitation carries them, so that no server can put in another key. */
export function fingerprint(publicKey: string): string {
  return createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex").slice(0, 16);
}
