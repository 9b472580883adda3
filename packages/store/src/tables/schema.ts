import { CREATE_META } from "./meta.ts";
import { CREATE_PHASE_EVENTS } from "./phase-events.ts";
import { CREATE_PROOFS } from "./proofs.ts";
import { CREATE_SAVES } from "./saves.ts";
import { ADD_TO_SESSIONS, CREATE_SESSIONS } from "./sessions.ts";
import { CREATE_SNOOZES } from "./snoozes.ts";
import { CREATE_STOPS } from "./stops.ts";

/**
 * The steps from an empty file to today's tables, in order: `user_version` counts the steps taken.
 * A released step never changes; later steps only add tables and columns, because older programs go on writing.
 */
export const MIGRATIONS: readonly string[] = [
  [CREATE_SESSIONS, CREATE_STOPS, CREATE_SNOOZES, CREATE_PHASE_EVENTS, CREATE_PROOFS, CREATE_SAVES, CREATE_META].join(
    "\n",
  ),
  ADD_TO_SESSIONS,
];
