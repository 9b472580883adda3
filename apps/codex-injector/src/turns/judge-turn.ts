import {
  concludeStop,
  gatherStopFacts,
  getCheckpointContent,
  judgeStop,
  MESSAGE_PREFIX,
  type Moment,
  type Place,
  type Sent,
} from "@agent-checkpoint/composer";
import { inlineCode } from "@agent-checkpoint/heuristics";
import type { Store } from "@agent-checkpoint/store";
import { chooseRoute, type ChosenRoute, type RouteFacts, routeFromOutside } from "../routes/choose-route.ts";
import type { FinishedTurn, TurnToJudge } from "./live-threads.ts";

/** What a turn is judged with. */
export interface TurnJudging {
  readonly store: Store;
  readonly home: string;
  readonly workingSlug: string | null;
  readonly facts: Omit<RouteFacts, "codexVersion">;
  /** Brings a message into the thread by a route. */
  readonly deliver: (route: "queue" | "tmux", turn: TurnToJudge, message: string) => Promise<Sent>;
}

/** How the judgement of a turn ended. */
export interface TurnOutcome {
  readonly route: ChosenRoute;
  readonly problem: string | null;
}

/** Judges a finished turn as a hook would have, and delivers the message from outside. */
export async function judgeTurn(turn: TurnToJudge, judging: TurnJudging): Promise<TurnOutcome> {
  const { store, home, workingSlug } = judging;
  const { thread, finishedAt } = turn.turn;
  const facts: RouteFacts = { ...judging.facts, codexVersion: thread.cliVersion };
  const chosen = chooseRoute(facts);
  await store.sessions.update("codex", thread.id, {
    projectPath: thread.cwd,
    transcriptPath: turn.turn.rolloutPath,
    route: chosen.route,
  });
  if (chosen.route === null) return { route: chosen, problem: chosen.why };
  const outside = chosen.route === "hook" ? routeFromOutside(facts) : chosen;
  const isLeftToHook = facts.forced === "hook" || (await hasHookSpoken(turn.turn, store));
  if (isLeftToHook || outside.route === null || outside.route === "hook") return { route: chosen, problem: null };

  const { route } = outside;
  const place: Place = { agent: "codex", home, now: finishedAt, workingSlug, route };
  const send = (message: string) => judging.deliver(route, turn, message);
  const startedAt = process.uptime() * 1000;
  const judged = await judgeStop(await gatherStopFacts(momentOf(turn.turn), place, store));
  const { problem } = await concludeStop(judged, { store, send, startedAt });
  return { route: chosen, problem };
}

function momentOf({ thread, rolloutPath, turnId }: FinishedTurn): Moment {
  return { sessionId: thread.id, projectPath: thread.cwd ?? "/", transcriptPath: rolloutPath, promptId: turnId };
}

/**
 * Whether our Stop hook has judged this turn.
 * A block that it recorded but that the rollout does not show never reached the agent: it is given back.
 */
async function hasHookSpoken({ thread, turnId, heardHook }: FinishedTurn, store: Store): Promise<boolean> {
  const stops = await store.stops.list({ agent: "codex", sessionId: thread.id, limit: 20 });
  const byHook = stops.filter((stop) => stop.turn === turnId && stop.route === "hook");
  const blocked = byHook.find(({ decision }) => decision === "block");
  if (blocked !== undefined && !heardHook && turnId !== null) {
    await store.stops.releaseBlock({ agent: "codex", sessionId: thread.id, turns: [turnId], reason: "hook-not-heard" });
    return false;
  }
  return byHook.length > 0;
}

/** What would be sent where, as text for a person; nothing is sent or recorded. */
export async function previewTurn(
  { thread, rolloutPath, turnId, finishedAt }: FinishedTurn,
  home: string,
  facts: Omit<RouteFacts, "codexVersion">,
): Promise<string> {
  const content = await getCheckpointContent({
    agentName: "codex",
    projectPath: thread.cwd ?? "/",
    transcriptPath: rolloutPath,
    workingSlug: null,
    hints: { promptId: turnId ?? undefined, ownMessages: [MESSAGE_PREFIX] },
    now: finishedAt,
    home,
  });
  const { route, why } = chooseRoute({ ...facts, codexVersion: thread.cliVersion });
  const what = content.deliver ? content.message : `nothing (${content.reason})`;
  return `thread ${shown(thread.id)} in ${shown(thread.cwd ?? "an unknown folder")}\nroute ${route ?? "none"}: ${shown(why)}\nwould send:\n${what}\n`;
}

const MAX_PATH_LENGTH = 500;

function shown(text: string): string {
  return inlineCode(text, MAX_PATH_LENGTH).slice(1, -1);
}
