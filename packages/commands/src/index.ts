export { absolutePath, below, isInProject, joinPath, type ProjectPlace, toProjectPath } from "./project-path.ts";
export { INTERPRETERS, isInterpreter, NO_RUNNERS, PROGRAMS, type RunKind } from "./runs/programs.ts";
export { kindOfName, type KnownRun, knownRun, nameOfRun, onlyTells, type Run, runOf } from "./runs/run-of.ts";
export { commandShape, shapeOfWords } from "./shell/command-shape.ts";
export { type FileEffects, fileEffects, isFormatter, isTidier } from "./shell/file-effects.ts";
export { affordablePart, type Mask, parseCommandLine, type ShellCommand } from "./shell/parse-command-line.ts";
export { readStatus } from "./shell/status-shown.ts";
export { operandsOf, unwrap } from "./shell/unwrap.ts";
export { TARGET_RUNNERS, VALUED_OPTIONS } from "./shell/wrappers.ts";
