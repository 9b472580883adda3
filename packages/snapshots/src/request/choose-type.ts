import type { CheckpointType } from "../checkpoint-type.ts";
import { SafetyError } from "../trouble.ts";
import type { ScopeItem } from "./parse-scope.ts";

/** Which types each kind of item can be kept by; the first that the place allows is the rule's choice. */
const TYPES_OF: Readonly<Record<ScopeItem["kind"], readonly CheckpointType[]>> = {
  path: ["git_stash", "file_backup"],
  state: ["state_snapshot"],
  sqlite: ["database_savepoint"],
  postgres: ["database_savepoint"],
};

/** The type of a checkpoint: the one asked for where it fits the scope, else by rule. */
export function chooseType(
  scope: readonly ScopeItem[],
  { asked, hasGit }: { readonly asked: CheckpointType | null; readonly hasGit: boolean },
): CheckpointType {
  const [first, ...others] = [...new Set(scope.map(({ kind }) => TYPES_OF[kind]))];
  if (first === undefined) throw new SafetyError("bad-input", "The scope is empty.");
  if (others.some((types) => types[0] !== first[0])) {
    throw new SafetyError("mixed-scope", "The scope mixes files, state and databases.", "Make one checkpoint of each.");
  }
  const possible = first.filter((type) => type !== "git_stash" || hasGit);
  const [chosen] = asked === null ? possible : possible.filter((type) => type === asked);
  if (chosen !== undefined) return chosen;
  if (asked === "git_stash" && first.includes("git_stash")) {
    throw new SafetyError(
      "bad-input",
      "`git_stash` needs a git work tree, and there is none here.",
      "Use file_backup.",
    );
  }
  throw new SafetyError("bad-input", `\`${asked}\` cannot keep this scope.`, `It is kept by ${first.join(" or ")}.`);
}
