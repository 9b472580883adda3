export type { Invitation } from "./database/administer.ts";
export {
  connectDatabase,
  type ConnectOptions,
  prepareDatabase,
  type PrepareOptions,
  type TeamDatabase,
} from "./database/connect.ts";
export { databaseTarget, enrolAtDatabase } from "./database/machine-calls.ts";
export type { LogLine } from "./http/make-app.ts";
export { inviteAtDatabase, keepDatabase } from "./keep-database.ts";
export { problemOfListening, type ServedTeam, type ServeOptions, serveTeam } from "./serve-team.ts";
