import { asksForTests, type CategoryMatch, matchesAny } from "@agent-checkpoint/categories";
import type { Weighing } from "../weigh-turn.ts";
import type { FileExplanation, PatternMatch } from "./explanation.ts";
import { narrowPattern } from "./narrow-pattern.ts";

/** Which patterns each changed file met, in the order of the files. */
export function explainFiles({ changedFiles, files, rules }: Weighing): readonly FileExplanation[] {
  const documents = new Set(files.documents);
  return changedFiles.map((file): FileExplanation => {
    const matches = files.matches.filter((match) => match.files.includes(file)).map((match) => patternOf(file, match));
    if (matches.length > 0) return { file, status: "covered", matches };
    if (documents.has(file)) return { file, status: "document", pattern: firstMatch(file, rules.docs) };
    return { file, status: "without-rule" };
  });
}

function patternOf(file: string, { category }: CategoryMatch): PatternMatch {
  return {
    category: category.id,
    label: category.label,
    pattern: firstMatch(file, category.include),
    action: category.action,
    asksForTests: asksForTests(file, category),
  };
}

function firstMatch(file: string, globs: readonly string[]): string {
  return narrowPattern(globs.find((glob) => matchesAny(file, [glob])) ?? "", file);
}
