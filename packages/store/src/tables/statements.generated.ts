// Written by `node packages/store/scripts/write-statements.ts` from the queries of the tables; do not edit.
import type { QueryName } from "./connection.ts";

/** Every query of the store as it was compiled: its text, and the names of its parameters in order. */
export const STATEMENTS: Readonly<
  Record<QueryName, { readonly sql: string; readonly parameters: readonly string[] }>
> = {
  findSession: { sql: `select * from "sessions" where "agent" = ? and "session_id" = ?`, parameters: ["agent","sessionId"] },
  listSessions: { sql: `select * from "sessions" where "agent" = coalesce(?, "agent") order by "last_seen_at" desc, "session_id"`, parameters: ["agent"] },
  putSession: { sql: `insert into "sessions" ("agent", "session_id", "project_path", "transcript_path", "working_slug", "first_seen_at", "last_seen_at", "last_message_sent_at", "last_checkpoint_at", "current_turn", "last_blocked_turn", "last_stop_at", "touched_files", "read_up_to", "baseline", "route", "context_mark", "head", "waited_for", "configs") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict ("agent", "session_id") do update set "agent" = "excluded"."agent", "session_id" = "excluded"."session_id", "project_path" = "excluded"."project_path", "transcript_path" = "excluded"."transcript_path", "working_slug" = "excluded"."working_slug", "first_seen_at" = "excluded"."first_seen_at", "last_seen_at" = "excluded"."last_seen_at", "last_message_sent_at" = "excluded"."last_message_sent_at", "last_checkpoint_at" = "excluded"."last_checkpoint_at", "current_turn" = "excluded"."current_turn", "last_blocked_turn" = "excluded"."last_blocked_turn", "last_stop_at" = "excluded"."last_stop_at", "touched_files" = "excluded"."touched_files", "read_up_to" = "excluded"."read_up_to", "baseline" = "excluded"."baseline", "route" = "excluded"."route", "context_mark" = "excluded"."context_mark", "head" = "excluded"."head", "waited_for" = "excluded"."waited_for", "configs" = "excluded"."configs"`, parameters: ["agent","session_id","project_path","transcript_path","working_slug","first_seen_at","last_seen_at","last_message_sent_at","last_checkpoint_at","current_turn","last_blocked_turn","last_stop_at","touched_files","read_up_to","baseline","route","context_mark","head","waited_for","configs"] },
  releaseSession: { sql: `update "sessions" set "last_checkpoint_at" = null, "last_blocked_turn" = null where "agent" = ? and "session_id" = ? and "last_blocked_turn" = ?`, parameters: ["agent","sessionId","turn"] },
  deleteSession: { sql: `delete from "sessions" where "agent" = ? and "session_id" = ?`, parameters: ["agent","sessionId"] },
  pruneSessions: { sql: `delete from "sessions" where "last_seen_at" < ?`, parameters: ["before"] },
  insertStop: { sql: `insert into "stops" ("agent", "session_id", "project_path", "turn", "stopped_at", "decision", "reason", "actions", "observations", "message_length", "duration_ms", "route", "is_canary", "trail", "save") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, parameters: ["agent","session_id","project_path","turn","stopped_at","decision","reason","actions","observations","message_length","duration_ms","route","is_canary","trail","save"] },
  findStop: { sql: `select * from "stops" where "id" = ?`, parameters: ["id"] },
  listStops: { sql: `select * from "stops" where "stopped_at" >= ? and "is_canary" = coalesce(?, "is_canary") and "agent" = coalesce(?, "agent") and "session_id" = coalesce(?, "session_id") order by "stopped_at" desc, "id" desc limit ?`, parameters: ["since","isCanary","agent","sessionId","limit"] },
  listStopsOfSession: { sql: `select * from "stops" where "stopped_at" >= ? and "is_canary" = coalesce(?, "is_canary") and "agent" = ? and "session_id" = ? order by "stopped_at" desc, "id" desc limit ?`, parameters: ["since","isCanary","agent","sessionId","limit"] },
  releaseStop: { sql: `update "stops" set "decision" = 'pass', "reason" = ? where "agent" = ? and "session_id" = ? and "turn" = ? and "decision" = 'block'`, parameters: ["reason","agent","sessionId","turn"] },
  pruneStops: { sql: `delete from "stops" where "stopped_at" < ?`, parameters: ["before"] },
  findBlock: { sql: `select "blocked_at" from "blocks" where "agent" = ? and "session_id" = ? and "turn" = ?`, parameters: ["agent","sessionId","turn"] },
  insertBlock: { sql: `insert into "blocks" ("agent", "session_id", "turn", "blocked_at") values (?, ?, ?, ?)`, parameters: ["agent","sessionId","turn","at"] },
  deleteBlock: { sql: `delete from "blocks" where "agent" = ? and "session_id" = ? and "turn" = ?`, parameters: ["agent","sessionId","turn"] },
  pruneBlocks: { sql: `delete from "blocks" where "blocked_at" < ?`, parameters: ["before"] },
  listSnoozes: { sql: `select * from "snoozes" where "until_at" > ? and "from_at" <= ? order by "until_at", "id"`, parameters: ["at","at"] },
  insertSnooze: { sql: `insert into "snoozes" ("scope", "project_path", "agent", "session_id", "from_at", "until_at", "reason", "made_by", "made_in") values (?, ?, ?, ?, ?, ?, ?, ?, ?)`, parameters: ["scope","project_path","agent","session_id","from_at","until_at","reason","made_by","made_in"] },
  endSnoozes: { sql: `update "snoozes" set "until_at" = ? where "until_at" > ? and "scope" = ? and "project_path" is ? and "agent" is ? and "session_id" is ?`, parameters: ["at","at","scope","project_path","agent","session_id"] },
  pruneSnoozes: { sql: `delete from "snoozes" where "until_at" < ?`, parameters: ["before"] },
  insertPhaseEvent: { sql: `insert into "phase_events" ("project_path", "command", "feature", "phase", "status", "happened_at", "head_commit") values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`, parameters: ["project_path","command","feature","phase","status","happened_at","head_commit"] },
  listPhaseEvents: { sql: `select * from "phase_events" where "project_path" = ? order by "happened_at" desc, "id" desc`, parameters: ["projectPath"] },
  deletePhaseEvents: { sql: `delete from "phase_events" where "project_path" = ?`, parameters: ["projectPath"] },
  prunePhaseEvents: { sql: `delete from "phase_events" where "happened_at" < ?`, parameters: ["before"] },
  listProofs: { sql: `select * from "proofs" where "root" = ? order by "settled_at" desc limit 1000`, parameters: ["root"] },
  putProof: { sql: `insert into "proofs" ("root", "file", "mark", "settled", "settled_at") values (?, ?, ?, ?, ?) on conflict ("root", "file") do update set "mark" = "excluded"."mark", "settled" = "excluded"."settled", "settled_at" = "excluded"."settled_at"`, parameters: ["root","file","mark","settled","settled_at"] },
  pruneProofs: { sql: `delete from "proofs" where "settled_at" < ?`, parameters: ["before"] },
  insertSave: { sql: `insert into "saves" ("agent", "session_id", "project_path", "saved_at", "trigger", "outcome", "percent", "commit_id", "checkpoint_id", "files", "left_out", "section", "detail", "duration_ms") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id"`, parameters: ["agent","session_id","project_path","saved_at","trigger","outcome","percent","commit_id","checkpoint_id","files","left_out","section","detail","duration_ms"] },
  updateSave: { sql: `update "saves" set "outcome" = ?, "detail" = ? where "id" = ?`, parameters: ["outcome","detail","id"] },
  listSaves: { sql: `select * from "saves" where "agent" = coalesce(?, "agent") and "saved_at" >= ? order by "saved_at" desc, "id" desc`, parameters: ["agent","since"] },
  pruneSaves: { sql: `delete from "saves" where "saved_at" < ?`, parameters: ["before"] },
  readPrunedAt: { sql: `select "value" from "meta" where "key" = 'pruned_at'`, parameters: [] },
  putPrunedAt: { sql: `insert into "meta" ("key", "value") values ('pruned_at', ?) on conflict ("key") do update set "value" = ?`, parameters: ["at","at"] },
};
