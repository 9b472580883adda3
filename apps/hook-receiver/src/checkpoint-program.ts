import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The words that start `checkpoint` from an agent's shell: by its name where that is found, else the program beside this one. */
export function checkpointProgram(env: NodeJS.ProcessEnv): readonly string[] {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  if (folders.some((folder) => isRunnable(join(folder, "checkpoint")))) return ["checkpoint"];
  const beside = join(__dirname, "checkpoint.mjs");
  return existsSync(beside) ? [process.execPath, beside] : ["npx", "checkpoint"];
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
