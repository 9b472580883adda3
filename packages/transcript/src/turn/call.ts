import type { TestReport } from "@agent-checkpoint/reports";
import type { JsonObject } from "../read/json.ts";
import type { ToolKind } from "../types.ts";

/** A tool call as its line tells it, before its result is known. */
export interface Call {
  readonly id: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly inputData: JsonObject;
  readonly command: string | null;
  readonly cwd: string | null;
  readonly files: readonly string[];
  readonly timestamp: Date | null;
  readonly by: "main" | "subagent";
  /** Where the call's line starts, in bytes. */
  readonly offset: number;
}

/** What became of a call, as its result tells it. */
export interface Outcome {
  readonly hadError: boolean | null;
  readonly rejected: boolean;
  readonly exitCode: number | null;
  /** The result's text, cut down to a snippet. */
  readonly snippet: string;
  /** What test runners say in the whole text. */
  readonly reports: readonly TestReport[];
  /** Files that only the result names. */
  readonly files?: readonly string[] | undefined;
}
