import { hashOf } from "../enrolment.ts";
import type { Enrolment } from "../enrolment.ts";

/** A machine's enrolment, with the given fields in place of its own. */
export function anEnrolment(fields: Partial<Enrolment> = {}): Enrolment {
  return {
    url: "http://127.0.0.1:9",
    token: `ckm_${hashOf("token").slice(0, 43)}`,
    machine: 1,
    role: "machine",
    team: "shop",
    salt: "salt",
    privacy: "names",
    since: new Date(0).toISOString(),
    publicKey: null,
    rulesVersion: 0,
    program: [],
    ...fields,
  };
}
