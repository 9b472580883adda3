import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionFacts } from "../../fixtures/src/index.ts";
import { stageRepository } from "./stage-repository.ts";
import { OWN_CONFIG } from "./own-config.ts";
import { stageTranscript } from "./stage-transcript.ts";

/** A repository of so many files, and a transcript of work in it of so many megabytes. */
export interface Place {
  readonly files: number;
  readonly megabytes: number;
  /** Whether the repository has a config; false by default. */
  readonly hasConfig?: boolean;
}

/** The files of a run, all in one temporary folder. */
export interface Stage {
  readonly folder: string;
  /** The environment of every program: a home of its own, and nothing of the caller's but the path. */
  readonly env: Readonly<Record<string, string>>;
  /** A CommonJS file with nothing in it. */
  readonly emptyFile: string;
  readonly project: (place: Place) => string;
  /** A repository of 100 files with the configs of the alternatives. */
  readonly alternativesProject: string;
  readonly transcript: (place: Place) => string;
  /** The session of the place's transcript. */
  readonly facts: (place: Place) => SessionFacts;
  readonly remove: () => void;
}

/** What a stage is set with. */
export interface StageWishes {
  readonly places: readonly Place[];
  /** The configs of the alternatives, by file; null if there are no alternatives. */
  readonly configs: Readonly<Record<string, string>> | null;
  readonly say: (text: string) => void;
}

/** Lays out the places that candidates need. */
export async function setStage({ places, configs, say }: StageWishes): Promise<Stage> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-bench-"));
  const promptAt = new Date(Date.now() - 5 * 60_000);
  const project = ({ files, hasConfig = false }: Place): string =>
    join(folder, `${files}-files${hasConfig ? "-and-a-config" : ""}`);
  const transcript = (place: Place): string => `${project(place)}-${place.megabytes}-mb.jsonl`;
  const facts = (place: Place): SessionFacts => ({
    sessionId: "5e551015-0000-4000-8000-000000000001",
    promptId: "5e551015-0000-4000-8000-000000000002",
    prompt: "Make the retry loop back off",
    projectPath: project(place),
    promptAt,
    lastMessage: "Done, it works.",
  });
  const stage: Stage = {
    folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: join(folder, "user"), LANG: "C.UTF-8" },
    emptyFile: join(folder, "empty.cjs"),
    project,
    alternativesProject: join(folder, "alternatives"),
    transcript,
    facts,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  try {
    mkdirSync(join(folder, "user"));
    writeFileSync(stage.emptyFile, "");
    for (const place of places) await lay(place, stage, say);
    if (configs !== null) await stageRepository(stage.alternativesProject, 100, configs);
    return stage;
  } catch (error) {
    stage.remove();
    throw error;
  }
}

async function lay(place: Place, stage: Stage, say: (text: string) => void): Promise<void> {
  const { files, megabytes, hasConfig = false } = place;
  if (!existsSync(stage.project(place))) {
    say(`a repository of ${files.toLocaleString("en-US")} files${hasConfig ? " and a config" : ""}`);
    await stageRepository(stage.project(place), files, hasConfig ? OWN_CONFIG : {});
  }
  if (existsSync(stage.transcript(place))) return;
  say(`a transcript of ${megabytes} MB`);
  stageTranscript(stage.transcript(place), megabytes, stage.facts(place));
}
