import { bashScript } from "./bash.ts";
import type { CompletionNode } from "./completion-tree.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

/** How each shell is told what can be completed. */
export const SCRIPTS: Readonly<Record<"bash" | "zsh" | "fish", (root: CompletionNode) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
