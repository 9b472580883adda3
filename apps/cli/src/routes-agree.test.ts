import { join } from "node:path";
import {
  AGENT_KITS,
  loadScenarios,
  PROMPT_AT,
  type Scenario,
  SCENARIO_AGENTS,
  type ScenarioAgent,
} from "@agent-checkpoint/fixtures";
import { openStore, type StoredStop } from "@agent-checkpoint/store";
import { readRepository } from "@agent-checkpoint/repository";
import { readTurns } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { judgeTurn as judgeByInjector } from "../../codex-injector/src/turns/judge-turn.ts";
import { runHook } from "../../hook-receiver/src/run-hook.ts";
import type { Preview } from "./commands/preview.ts";
import { judgeTurn as judgeByReplay } from "./replay/judge/judge-turn.ts";
import { createRulesFinder } from "./replay/judge/replay-rules.ts";
import type { Stats } from "./stats/build-stats.ts";
import { runCheckpoint } from "./testing/run-checkpoint.ts";
import { scratchFolder } from "./testing/scratch-folder.ts";
import { stageSession } from "./testing/stage-session.ts";
import type { StopReport } from "./why/stop-report.ts";

/** What a route made of a stop; the message is null if none was sent. */
interface Verdict {
  readonly reason: string;
  readonly message: string | null;
  readonly actions: readonly string[];
  readonly observations: readonly string[];
}

const scenarios = loadScenarios();

async function stage(scenario: Scenario, agent: ScenarioAgent) {
  const folder = scratchFolder();
  const home = join(folder, "home");
  const session = await stageSession(scenario, { agent, folder, home });
  const { project, transcriptPath, facts, stoppedAt } = session;
  const events = AGENT_KITS[agent].events(facts, transcriptPath);
  const slug = scenario.slug === undefined ? {} : { CHECKPOINT_WORKING_SLUG: scenario.slug };
  const call = async (event: object, at: Date): Promise<string | null> => {
    const answers: { readonly reason?: string }[] = [];
    await runHook({
      argv: ["--agent", agent],
      env: {
        HOME: folder,
        CHECKPOINT_HOME: home,
        CHECKPOINT_NOW: at.toISOString(),
        [events.projectVariable]: project,
        ...slug,
      },
      stdin: JSON.stringify(event),
      answer: (text) => void answers.push(JSON.parse(text) as { readonly reason?: string }),
    });
    return answers[0]?.reason ?? null;
  };
  const ask = async <Report>(command: string): Promise<Report> => {
    const around = { cwd: project, userHome: folder, home, now: () => stoppedAt, env: slug };
    return JSON.parse((await runCheckpoint([command, "--json"], around)).stdout) as Report;
  };
  return {
    ...session,
    home,
    ask,
    prompt: () => call(events.prompt, PROMPT_AT),
    stop: () => call(events.stop, stoppedAt),
  };
}

async function lastStop(home: string): Promise<StoredStop> {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const [stop] = await opened.store.stops.list({ limit: 1 });
  await opened.store.close();
  if (stop === undefined) throw new Error("no stop is recorded");
  return stop;
}

function recorded({ reason, actions, observations }: StoredStop, message: string | null): Verdict {
  return { reason, message, actions, observations: observations.map(({ text }) => text) };
}

function previewed({ deliver, reason, message, actions, observations }: Preview): Verdict {
  return { reason, message: deliver ? message : null, actions, observations };
}

/** What an explanation says again of a stop; what was not judged by its files is not explained. */
function explained({ stop, actions, observations }: StopReport): Pick<Verdict, "actions" | "observations"> {
  const open = actions?.filter(({ status }) => status === "open").map(({ id }) => id);
  return { actions: open ?? stop.actions, observations: observations?.map(({ text }) => text) ?? [] };
}

const rotated = scenarios.map((scenario, index) => ({
  scenario,
  agent: SCENARIO_AGENTS[index % SCENARIO_AGENTS.length] ?? "claude",
  name: scenario.name,
}));
test.for(rotated)("hook, preview, why and stats agree: $name, $agent", async ({ scenario, agent }) => {
  const { home, ask, prompt, stop } = await stage(scenario, agent);
  await prompt();
  const preview = previewed(await ask<Preview>("preview"));
  const message = await stop();
  const hook = recorded(await lastStop(home), message);
  expect(preview).toEqual(hook);
  expect(explained(await ask<StopReport>("why"))).toEqual({ actions: hook.actions, observations: hook.observations });
  expect((await ask<Stats>("stats")).unknown.map(({ why }) => why)).not.toContain("rules-changed");
});

const withRollout = scenarios.filter(({ turn }) => turn !== null);
test.for(withRollout)("hook and injector agree: $name", async (scenario) => {
  const byHook = await stage(scenario, "codex");
  await byHook.prompt();
  const message = await byHook.stop();
  const hook = recorded(await lastStop(byHook.home), message);
  const { home, project, transcriptPath, facts, stoppedAt } = await stage(scenario, "codex");
  const opened = await openStore(home, { now: () => stoppedAt });
  if (!opened.ok) throw new Error(opened.detail);
  const sent: string[] = [];
  const thread = {
    id: facts.sessionId,
    cwd: project,
    cliVersion: "0.125.0",
    kind: "interactive",
    startedAt: PROMPT_AT,
  } as const;
  const turn = { thread, rolloutPath: transcriptPath, turnId: facts.promptId, finishedAt: stoppedAt, heardHook: false };
  const live = { isStillLast: () => true, hasReceived: () => true };
  await judgeByInjector(
    { turn, live },
    {
      store: opened.store,
      home,
      workingSlug: scenario.slug ?? null,
      facts: { forced: "queue", isHookTrusted: false, hasQueue: true, hasTmux: false },
      deliver: async (_route, _turn, text) => {
        sent.push(text);
        return { ok: true };
      },
    },
  );
  await opened.store.close();
  expect(recorded(await lastStop(home), sent[0] ?? null)).toEqual(hook);
});

/** A replay refuses a broken config, and a config that the turn wrote is a changed file for git only if it differs. */
const CONFIGS: ReadonlySet<string> = new Set(["config-broken", "config-changed-in-the-turn"]);

/** Scenarios in which the turn's own edits are all that git lists, so that a replay sees the same files. */
const replayable = withRollout.filter(({ turn, modified = [], added = [], deleted = [], repository, slug, name }) => {
  const edited = (turn ?? []).flatMap((step) => ("edit" in step ? [step.edit] : "write" in step ? [step.write] : []));
  const changed = [...modified, ...added, ...deleted];
  const isSame = new Set(edited).size === changed.length && changed.every((file) => edited.includes(file));
  return isSame && repository !== false && slug === undefined && !CONFIGS.has(name);
});
test.for(replayable)("hook and replay agree: $name", async (scenario) => {
  const { home, prompt, stop, project, transcriptPath, stoppedAt } = await stage(scenario, "claude");
  await prompt();
  const message = await stop();
  const { reason } = await lastStop(home);
  const rules = createRulesFinder({ given: null, home, lentRoot: null })(project);
  const [turn] = [...readTurns(transcriptPath, "claude", {})];
  if (!rules.ok || turn === undefined) throw new Error("the scenario could not be replayed");
  // The recorded lines end soon after the prompt; the scenario says when it stopped.
  const stopped = { ...turn, ending: { kind: "stopped", at: stoppedAt } } as const;
  const judged = judgeByReplay(stopped, { agentName: "claude", rules, repository: await readRepository(project) });
  expect(judged).toMatchObject(message === null ? { kind: "passed", reason } : { kind: "blocked", reason, message });
});

test("most scenarios can be replayed", () => {
  expect(replayable.length).toBeGreaterThan(8);
});
