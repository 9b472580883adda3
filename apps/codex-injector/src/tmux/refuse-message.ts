/** Why a text must not be pasted into a composer. */
export type MessageFault = "empty" | "control-character" | "command-prefix" | "open-mention";

/** Says why a text must not be pasted, or null where it may be. */
export function refuseMessage(message: string): MessageFault | null {
  return FAULTS.find(({ pattern }) => pattern.test(message))?.fault ?? null;
}

const FAULTS: readonly { readonly fault: MessageFault; readonly pattern: RegExp }[] = [
  // A paste is known again by its letters.
  { fault: "empty", pattern: /^[^\p{L}\p{N}]*$/u },
  // An escape would end the bracketed paste, and what follows it would count as keys.
  { fault: "control-character", pattern: /[^\P{Cc}\n\t]/u },
  // `!` runs a shell command, `/` a command of Codex, `@` opens a choice of files.
  { fault: "command-prefix", pattern: /^\s*[!/@]/ },
  // With the cursor behind such a word a choice is open, and Enter would take its first entry.
  { fault: "open-mention", pattern: /(?:^|\s)[@$]\S*$/ },
];
