import { assembleCheckpoint, type Checkpoint } from "../assemble-checkpoint.ts";
import type { Listing } from "../find-project.ts";
import { type GatheredFacts, gatherFacts, readTimeline } from "../get-checkpoint-content.ts";
import { type PassReason, reasonByClock, reasonByTasks, reasonByTranscript, type WeighedStop } from "./judge-stop.ts";
import { haveConfigsChanged, recallConfigs } from "../rules/read-configs.ts";
import type { StopFacts } from "./stop-facts.ts";

/** Reads the turn that stops and judges it; `pass` is the reason that is known before. */
export async function weighContent(
  facts: StopFacts,
  pass: PassReason | null,
  listing: Listing | null,
): Promise<WeighedStop> {
  const { event, place, project, session, settled, moved, workingSlug, now } = facts;
  const { transcriptPath } = event;
  const { agent, home } = place;
  const timeline = await readTimeline(transcriptPath, agent, {
    promptId: event.promptId ?? undefined,
    promptText: event.promptText ?? undefined,
    lastMessage: event.lastMessage ?? undefined,
  });
  const written = timeline.hasData ? timeline.prompt?.timestamp : null;
  const promptAt = facts.promptAt ?? written ?? session?.lastMessageSentAt ?? null;
  const haveRulesChanged = haveRulesChangedSincePrompt(facts);
  const turn = {
    agent,
    transcriptPath,
    timeline,
    workingSlug,
    promptAt,
    now,
    session,
    settled,
    moved,
    home,
    haveRulesChanged,
  };
  const byClock = facts.promptAt === null ? reasonByClock({ ...facts, promptAt }) : null;
  const byTasks = reasonByTasks(event.runningTasks ?? [], session?.waitedFor ?? [], timeline);
  const gathered = await gatherFacts(project, turn, listing);
  return {
    facts,
    pass: pass ?? byClock ?? reasonByTranscript(timeline, facts) ?? byTasks,
    promptAt,
    content: { ...withLeftFiles(gathered), timeline },
  };
}

function haveRulesChangedSincePrompt({ session, project, place, promptAt }: StopFacts): boolean {
  const remembered = promptAt === null ? null : recallConfigs(session?.configs);
  return remembered !== null && haveConfigsChanged(remembered, project.root, place.home);
}

/** What an earlier stop asked about in vain is mentioned once more, and only where something else is missing. */
function withLeftFiles(gathered: GatheredFacts): GatheredFacts & { readonly checkpoint: Checkpoint } {
  const { facts, left } = gathered;
  const checkpoint = assembleCheckpoint(facts);
  if (left.length === 0 || checkpoint.reason !== "missing-actions" || !facts.changed.ok)
    return { ...gathered, left: [], checkpoint };
  const all = { ...facts, changed: { ok: true as const, files: [...facts.changed.files, ...left] } };
  return { ...gathered, facts: all, checkpoint: assembleCheckpoint(all) };
}
