import { namesEvidence } from "../evidence/matches-evidence.ts";
import { findSightings } from "../evidence/find-sightings.ts";
import type { Turn, TurnCall } from "../turn/read-turn.ts";
import type { CandidateVerdict } from "./explanation.ts";

/** A call that has a wanted command's words in its line without having run it. */
export interface Mention {
  readonly call: TurnCall;
  readonly verdict: Extract<CandidateVerdict, { readonly status: "mentioned" | "dry-run" }>;
}

/** The calls that look like one of the commands and are none: an `echo`, a commit message, a comment, a dry run. */
export function findMentions(turn: Turn, commands: readonly string[]): readonly Mention[] {
  const runs = new Set(findSightings(turn, commands).map(({ call }) => call));
  return turn.calls
    .filter((call) => call.record.kind === "shell" && !runs.has(call))
    .flatMap((call) => {
      const verdict = mentionIn(call, commands);
      return verdict === null ? [] : [{ call, verdict }];
    });
}

function mentionIn({ record, commands: run }: TurnCall, commands: readonly string[]): Mention["verdict"] | null {
  if (run.some(({ argv }) => commands.some((wanted) => namesEvidence(argv, wanted)))) return { status: "dry-run" };
  const words = commands.map(wordsOf);
  const isNamed = (text: string) => words.some((pattern) => pattern.test(text));
  if (!isNamed(record.command ?? "")) return null;
  const naming = run.find(({ argv }) => isNamed(argv.slice(1).join(" ")));
  return { status: "mentioned", by: naming?.argv[0] ?? null };
}

/** The words of a command after one another, and not as a part of longer ones. */
function wordsOf(command: string): RegExp {
  const words = command
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (words.length === 0) return NEVER;
  return new RegExp(String.raw`(?<![\w./-])${words.join(String.raw`\s+`)}(?![\w/-]|\.\w)`);
}

const NEVER = /(?!)/;
