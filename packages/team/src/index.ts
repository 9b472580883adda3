export {
  type Enrolment,
  type EnrolmentResult,
  hashOf,
  isDatabase,
  makeCode,
  makeToken,
  problemOfUrl,
  readEnrolment,
  removeEnrolment,
  targetKey,
  TEAM_RULES_FILE,
  writeEnrolment,
} from "./enrolment.ts";
export { batchText, type HttpPlace, httpTarget, request } from "./http-target.ts";
export {
  BATCH,
  type BatchAnswer,
  type CheckedRow,
  checkLine,
  enrolAnswer,
  type EnrolAnswer,
  enrolRequest,
  type EnrolRequest,
  type Role,
  ROLES,
  type SignedRules,
  signedRules,
  type TargetRefusal,
  type TeamRow,
  type TeamTarget,
} from "./protocol.ts";
export { type SyncOptions, type SyncResult, syncTeam } from "./sync-team.ts";
export { type TakenRules, takeRules } from "./take-rules.ts";
export {
  checkRules,
  fingerprint,
  makeKeys,
  publicKeyOf,
  type RulesResult,
  signRules,
  type TeamRules,
  verifyRules,
} from "./team-rules.ts";
export { outcomeRow, type Privacy, PRIVACY, rowId, type Sender, stopRow } from "./team-rows.ts";
