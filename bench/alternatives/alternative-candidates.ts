import { claudeEvents, recordedEvent } from "../../fixtures/src/index.ts";
import type { Candidate } from "../candidate.ts";
import type { Place, Stage } from "../staging/stage.ts";
import { ALTERNATIVES, type Alternative, type AlternativeEvent } from "./alternatives.ts";

/** An alternative with one transcript. */
export interface AlternativeCase extends Place {
  readonly id: string;
  readonly label: string;
  readonly alternative: Alternative;
}

/** Every alternative with each of its transcripts. */
export const ALTERNATIVE_CASES: readonly AlternativeCase[] = ALTERNATIVES.flatMap((alternative) =>
  alternative.megabytes.map((megabytes) => ({
    id: readsTranscript(alternative) ? `${alternative.id}-${megabytes}` : alternative.id,
    label: readsTranscript(alternative) ? `${alternative.label}, transcript of ${megabytes} MB` : alternative.label,
    alternative,
    files: 100,
    megabytes,
  })),
);

export function readsTranscript({ megabytes }: Alternative): boolean {
  return megabytes.length > 1;
}

/** An alternative as something to measure; `folder` is where packages are installed. */
export function alternativeCandidate(one: AlternativeCase, folder: string, stage: Stage): Candidate {
  const { id, label, alternative } = one;
  const [program, ...args] = alternative.start(folder);
  const cwd = stage.alternativesProject;
  const command = {
    program,
    args,
    cwd,
    env: { ...stage.env, CLAUDE_PROJECT_DIR: cwd },
    stdin: JSON.stringify(eventOf(alternative.event, one, stage)),
  };
  return {
    id,
    label,
    kind: "alternative",
    answer: { holding: alternative.holding },
    next: () => ({ measured: [command] }),
  };
}

function eventOf(event: AlternativeEvent, place: Place, stage: Stage): object {
  const project = stage.alternativesProject;
  const { stop } = claudeEvents({ ...stage.facts(place), projectPath: project }, stage.transcript(place));
  if (event.type === "stop") return stop;
  const { session_id, transcript_path, cwd } = stop;
  return {
    ...recordedEvent("claude/pre-tool-use-bash"),
    session_id,
    transcript_path,
    cwd,
    tool_name: event.tool,
    tool_input: event.input(project),
  };
}
