import { readFileSync } from "node:fs";
import { describeProblem, parseConfig, resolveRules, type Rules } from "@agent-checkpoint/categories";
import { CliError } from "../../cli-error.ts";
import { visible } from "../../terminal/visible.ts";
import { EXIT } from "../../exit-codes.ts";

/** Reads the rules of a config file that the person named, over the generic preset where it names none. */
export function readGivenRules(path: string): Rules {
  const parsed = parseConfig(readText(path), path);
  const resolved = parsed.ok ? resolveRules("generic", [{ file: path, config: parsed.config }]) : parsed;
  if (resolved.ok) return resolved.rules;
  throw new CliError(`The rules cannot be used. ${resolved.problems.map(describeProblem).join(" ")}`, {
    exitCode: EXIT.usage,
    advice: "Correct the file, or leave --config out to use the rules of each project.",
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new CliError(`The config file ${visible(path)} cannot be read (${code}).`, {
      exitCode: EXIT.usage,
      advice: "Name a checkpoint.config.json that exists.",
    });
  }
}
