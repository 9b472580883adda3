import { DEFAULT_INTEGRATIONS, INTEGRATIONS_FILE, parseIntegrations } from "@agent-checkpoint/phases";
import { handoffBody } from "./handoff-body.ts";
import { putPart, withoutPart } from "./managed-block.ts";
import { CHECKPOINT_SCHEMA, HANDOFF } from "./texts.ts";

/** What a file is to say. */
export interface FilePlan {
  /** The new text; null if the file stays as it is. */
  readonly after: string | null;
  /** What is wrong with the file that is there. */
  readonly problem: string | null;
}

/** A file that `init` puts into a project when it is asked to. */
export interface ProjectFile {
  /** The path from the project's root. */
  readonly name: string;
  readonly kind: "protocols" | "integrations";
  /** What it is to say, by what it says now; null stands for no file. */
  readonly plan: (before: string | null) => FilePlan;
}

/** The files, in the order in which they are written. */
export const PROJECT_FILES: readonly ProjectFile[] = [
  {
    name: ".claude/protocols/checkpoint-schema.md",
    kind: "protocols",
    plan: (before) => planPart("checkpoint-schema", before, () => CHECKPOINT_SCHEMA),
  },
  {
    name: ".claude/sub-agents/protocols/handoff.md",
    kind: "protocols",
    plan: (before) => planPart("handoff", before, (others) => handoffBody(HANDOFF, others)),
  },
  { name: INTEGRATIONS_FILE, kind: "integrations", plan: planIntegrations },
];

/** Our part of a document, beside what others have written there. */
function planPart(name: string, before: string | null, bodyFor: (others: string) => string): FilePlan {
  const part = { text: before ?? "", name };
  const managed = putPart(part, bodyFor(withoutPart(part)));
  if (!managed.ok) return { after: null, problem: managed.problem };
  return { after: managed.text === before ? null : managed.text, problem: null };
}

/** A config where there is none; one that is there is a person's, and is only looked at. */
function planIntegrations(before: string | null): FilePlan {
  if (before === null) return { after: `${JSON.stringify(DEFAULT_INTEGRATIONS, null, 2)}\n`, problem: null };
  const result = parseIntegrations(before);
  return { after: null, problem: result.ok ? null : result.problems.join("; ") };
}
