export { findEvidence, type Evidence } from "./evidence/find-evidence.ts";
export { inlineCode } from "./inline-code.ts";
export { runHeuristics } from "./run-heuristics.ts";
export { parseCommandLine, type ShellCommand } from "./shell/parse-command-line.ts";
export { isInProject, joinPath, type ProjectPlace, toProjectPath } from "./turn/project-path.ts";
export { type FileChange, readTurn, type Turn, type TurnCall } from "./turn/read-turn.ts";
export type { CheckpointContext, CheckpointResult, Observation, RequiredAction } from "./types.ts";
