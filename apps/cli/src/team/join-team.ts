import { existsSync, readFileSync, realpathSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInRunnerCache, stableNodePath, stablePackagePath } from "@agent-checkpoint/agents";
import { ensureHome, writeWhole } from "@agent-checkpoint/files";
import {
  enrolAnswer,
  type EnrolAnswer,
  type EnrolRequest,
  fingerprint,
  hashOf,
  isDatabase,
  makeKeys,
  makeToken,
  type Privacy,
  problemOfUrl,
  publicKeyOf,
  request,
  type TargetRefusal,
  writeEnrolment,
} from "@agent-checkpoint/team";
import * as v from "valibot";
import { failed, refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";

export interface JoinOptions {
  readonly code: string;
  readonly name?: string | undefined;
  readonly privacy: Privacy;
  readonly history?: true | undefined;
}

/** The file with the key that an admin signs rules with. */
export const KEY_FILE = "team-key.pem";

/** Joins a team with a code, and remembers it in the person's home. */
export async function joinTeam(url: string, options: JoinOptions, context: CommandContext): Promise<EnrolAnswer> {
  const { home, now, env } = context;
  const problem = problemOfUrl(url);
  if (problem !== null) throw refused(problem);
  const [code = "", pin] = options.code.split(".");
  const token = makeToken();
  const publicKey = ownPublicKey(home);
  const name = (options.name ?? hostname()).slice(0, 100);
  const answer = await enrol(url, { code, tokenHash: hashOf(token), name, publicKey });
  if (!answer.ok) throw failed(`the team did not take this machine: ${answer.detail}`, "Ask an admin for a new code.");
  // The code came from an admin, not from the server: it says which key rules are signed with.
  if (pin !== undefined && (answer.publicKey === null || fingerprint(answer.publicKey) !== pin))
    throw failed(
      "the server names another key than the invitation; it is not trusted",
      "Ask the admin who invited you.",
    );
  writeEnrolment(home, {
    url,
    token,
    machine: answer.machine,
    role: answer.role,
    team: answer.team,
    salt: answer.salt,
    privacy: options.privacy,
    since: options.history === true ? new Date(0).toISOString() : now().toISOString(),
    publicKey: answer.publicKey,
    rulesVersion: 0,
    program: ownProgram(env["PATH"]),
  });
  return answer;
}

async function enrol(url: string, body: EnrolRequest): Promise<({ readonly ok: true } & EnrolAnswer) | TargetRefusal> {
  if (isDatabase(url)) return (await import("@agent-checkpoint/service")).enrolAtDatabase(url, body);
  const answer = await request({ url, token: "" }, "/v1/enrol", { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) return answer;
  const parsed = v.safeParse(enrolAnswer, answer.value);
  if (parsed.success) return { ok: true, ...parsed.output };
  return { ok: false, reason: "later", detail: "this is no team's service" };
}

/** The public key of this home, whose private one is made at the first time; only an admin's is ever used. */
function ownPublicKey(home: string): string {
  const path = join(home, KEY_FILE);
  if (existsSync(path)) return publicKeyOf(readFileSync(path, "utf8"));
  const { privateKey, publicKey } = makeKeys();
  ensureHome(home);
  writeWhole(path, privateKey, { mode: 0o600 });
  return publicKey;
}

/** Where the built program lies: beside this code, or in the repository's tree. */
const PLACES = ["./checkpoint.mjs", "../../dist/checkpoint.mjs"];

/** How the hook's worker starts this program; it does not if the program lies in a cache that is emptied. */
export function ownProgram(path: string | undefined): readonly string[] {
  const program = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (program === undefined || isInRunnerCache(program)) return [];
  return [stableNodePath(process.execPath, path), stablePackagePath(realpathSync(program))];
}
