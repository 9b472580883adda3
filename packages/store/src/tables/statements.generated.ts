// Written by `node packages/store/scripts/write-statements.ts` from the queries of the tables; do not edit.
import type { QueryName } from "./connection.ts";

/** Every query of the store as it was compiled: its text, and the names of its parameters in order. */
export const STATEMENTS: Readonly<
  Record<QueryName, { readonly sql: string; readonly parameters: readonly string[] }>
> = {
  findSession: { sql: `select * from "sessions" where "agent" = ? and "sessionId" = ?`, parameters: ["agent","sessionId"] },
  listSessions: { sql: `select * from "sessions" where "agent" = coalesce(?, "agent") order by "lastSeenAt" desc, "sessionId"`, parameters: ["agent"] },
  putSession: { sql: `insert into "sessions" ("agent", "sessionId", "projectPath", "transcriptPath", "workingSlug", "firstSeenAt", "lastSeenAt", "lastMessageSentAt", "lastCheckpointAt", "currentTurn", "lastBlockedTurn", "lastStopAt", "touchedFiles", "readUpTo", "baseline", "route", "contextMark", "head", "waitedFor", "configs") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ("agent", "sessionId") do update set "agent" = "excluded"."agent", "sessionId" = "excluded"."sessionId", "projectPath" = "excluded"."projectPath", "transcriptPath" = "excluded"."transcriptPath", "workingSlug" = "excluded"."workingSlug", "firstSeenAt" = "excluded"."firstSeenAt", "lastSeenAt" = "excluded"."lastSeenAt", "lastMessageSentAt" = "excluded"."lastMessageSentAt", "lastCheckpointAt" = "excluded"."lastCheckpointAt", "currentTurn" = "excluded"."currentTurn", "lastBlockedTurn" = "excluded"."lastBlockedTurn", "lastStopAt" = "excluded"."lastStopAt", "touchedFiles" = "excluded"."touchedFiles", "readUpTo" = "excluded"."readUpTo", "baseline" = "excluded"."baseline", "route" = "excluded"."route", "contextMark" = "excluded"."contextMark", "head" = "excluded"."head", "waitedFor" = "excluded"."waitedFor", "configs" = "excluded"."configs"`, parameters: ["agent","sessionId","projectPath","transcriptPath","workingSlug","firstSeenAt","lastSeenAt","lastMessageSentAt","lastCheckpointAt","currentTurn","lastBlockedTurn","lastStopAt","touchedFiles","readUpTo","baseline","route","contextMark","head","waitedFor","configs"] },
  releaseSession: { sql: `update "sessions" set "lastCheckpointAt" = null, "lastBlockedTurn" = null where "agent" = ? and "sessionId" = ? and "lastBlockedTurn" = ?`, parameters: ["agent","sessionId","turn"] },
  deleteSession: { sql: `delete from "sessions" where "agent" = ? and "sessionId" = ?`, parameters: ["agent","sessionId"] },
  pruneSessions: { sql: `delete from "sessions" where "lastSeenAt" < ?`, parameters: ["before"] },
  insertStop: { sql: `insert into "stops" ("agent", "sessionId", "projectPath", "repository", "turn", "at", "decision", "reason", "actions", "observations", "messageLength", "durationMs", "route", "isCanary", "trail", "save") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, parameters: ["agent","sessionId","projectPath","repository","turn","at","decision","reason","actions","observations","messageLength","durationMs","route","isCanary","trail","save"] },
  findStop: { sql: `select * from "stops" where "id" = ?`, parameters: ["id"] },
  listStops: { sql: `select * from "stops" where "at" >= ? and "isCanary" = coalesce(?, "isCanary") and "agent" = coalesce(?, "agent") and "sessionId" = coalesce(?, "sessionId") order by "at" desc, "id" desc limit ?`, parameters: ["since","isCanary","agent","sessionId","limit"] },
  listStopsOfSession: { sql: `select * from "stops" where "at" >= ? and "isCanary" = coalesce(?, "isCanary") and "agent" = ? and "sessionId" = ? order by "at" desc, "id" desc limit ?`, parameters: ["since","isCanary","agent","sessionId","limit"] },
  releaseStop: { sql: `update "stops" set "decision" = 'pass', "reason" = ? where "agent" = ? and "sessionId" = ? and "turn" = ? and "decision" = 'block'`, parameters: ["reason","agent","sessionId","turn"] },
  pruneStops: { sql: `delete from "stops" where "at" < ?`, parameters: ["before"] },
  findBlock: { sql: `select "at" from "blocks" where "agent" = ? and "sessionId" = ? and "turn" = ?`, parameters: ["agent","sessionId","turn"] },
  insertBlock: { sql: `insert into "blocks" ("agent", "sessionId", "turn", "at") values (?, ?, ?, ?)`, parameters: ["agent","sessionId","turn","at"] },
  deleteBlock: { sql: `delete from "blocks" where "agent" = ? and "sessionId" = ? and "turn" = ?`, parameters: ["agent","sessionId","turn"] },
  pruneBlocks: { sql: `delete from "blocks" where "at" < ?`, parameters: ["before"] },
  listSnoozes: { sql: `select * from "snoozes" where "until" > ? and "from" <= ? order by "until", "id"`, parameters: ["at","at"] },
  insertSnooze: { sql: `insert into "snoozes" ("scope", "from", "until", "reason", "madeBy", "madeIn") values (?, ?, ?, ?, ?, ?)`, parameters: ["scope","from","until","reason","madeBy","madeIn"] },
  endSnoozes: { sql: `update "snoozes" set "until" = ? where "until" > ? and "scope" = ?`, parameters: ["at","at","scope"] },
  pruneSnoozes: { sql: `delete from "snoozes" where "until" < ?`, parameters: ["before"] },
  insertPhaseEvent: { sql: `insert into "phase_events" ("projectPath", "command", "feature", "phase", "status", "at", "headCommit") values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`, parameters: ["projectPath","command","feature","phase","status","at","headCommit"] },
  listPhaseEvents: { sql: `select * from "phase_events" where "projectPath" = ? order by "at" desc, "id" desc`, parameters: ["projectPath"] },
  deletePhaseEvents: { sql: `delete from "phase_events" where "projectPath" = ?`, parameters: ["projectPath"] },
  prunePhaseEvents: { sql: `delete from "phase_events" where "at" < ?`, parameters: ["before"] },
  listProofs: { sql: `select * from "proofs" where "root" = ? order by "at" desc limit 1000`, parameters: ["root"] },
  putProof: { sql: `insert into "proofs" ("root", "file", "mark", "settled", "at") values (?, ?, ?, ?, ?) on conflict ("root", "file") do update set "mark" = "excluded"."mark", "settled" = "excluded"."settled", "at" = "excluded"."at"`, parameters: ["root","file","mark","settled","at"] },
  pruneProofs: { sql: `delete from "proofs" where "at" < ?`, parameters: ["before"] },
  insertSave: { sql: `insert into "saves" ("agent", "sessionId", "projectPath", "at", "trigger", "outcome", "percent", "commit", "checkpoint", "files", "leftOut", "section", "detail", "durationMs") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id"`, parameters: ["agent","sessionId","projectPath","at","trigger","outcome","percent","commit","checkpoint","files","leftOut","section","detail","durationMs"] },
  updateSave: { sql: `update "saves" set "outcome" = ?, "detail" = ? where "id" = ?`, parameters: ["outcome","detail","id"] },
  listSaves: { sql: `select * from "saves" where "agent" = coalesce(?, "agent") and "at" >= ? order by "at" desc, "id" desc`, parameters: ["agent","since"] },
  pruneSaves: { sql: `delete from "saves" where "at" < ?`, parameters: ["before"] },
  readPrunedAt: { sql: `select "value" from "meta" where "key" = 'pruned_at'`, parameters: [] },
  putPrunedAt: { sql: `insert into "meta" ("key", "value") values ('pruned_at', ?) on conflict ("key") do update set "value" = ?`, parameters: ["at","at"] },
};
