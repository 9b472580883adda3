import type { LanguageName } from "@agent-checkpoint/categories";
import type { PlacedProject } from "../stack.ts";

/** The language whose preset fits best: that of the root's project before an inner one's, with tests before without. */
export function mainLanguage(projects: readonly PlacedProject[]): LanguageName | null {
  const rank = ({ folder, tests }: PlacedProject) => (tests.length > 0 ? 0 : 2) + (folder === "." ? 0 : 1);
  return projects.toSorted((one, other) => rank(one) - rank(other))[0]?.language ?? null;
}
