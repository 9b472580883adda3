/**
 * Whether a command line is one plain command that only looks, or one of ours. It is read strictly: anything that a
 * shell would expand, redirect or chain is not harmless, so at worst a checkpoint is asked for that was not needed.
 */
export function isHarmless(command: string): boolean {
  const words = plainWords(command);
  if (words === null) return false;
  const [program = "", ...rest] = words;
  if (isOwn(words)) return true;
  if (program === "git") return rest[0] === "status";
  return LOOKING.has(program);
}

/** Programs that write nothing, whatever they are given. */
const LOOKING: ReadonlySet<string> = new Set([
  "cat",
  "file",
  "grep",
  "head",
  "ls",
  "pwd",
  "stat",
  "tail",
  "wc",
  "which",
]);

/** Our own program by its name, by a path, or as node runs it: it asks for no checkpoint before it makes one. */
function isOwn(words: readonly string[]): boolean {
  const [first = "", second = "", third = ""] = words;
  if (/(?:^|\/)checkpoint$/.test(first)) return second === "snapshot";
  if (first === "npx") return second === "checkpoint" && third === "snapshot";
  return /(?:^|\/)node$/.test(first) && /\/checkpoint(?:\.mjs)?$/.test(second) && third === "snapshot";
}

/** The words of one plain command; null for anything else. */
function plainWords(command: string): readonly string[] | null {
  const text = command.trim();
  if (!PLAIN.test(text)) return null;
  return [...text.matchAll(WORD)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"|\\(')/g,
      (_, single?: string, double?: string, quote?: string) => single ?? double ?? quote ?? "",
    ),
  );
}

/**
 * Bare characters that mean nothing to a shell but globs, quotes around what it does not expand, and the quote that
 * stands between two such quotes. One character at a time: a repetition inside the repetition would try every division
 * of every word.
 */
const PART = String.raw`(?:[\w@%+=:,./*?~^-]|'[^']*'|"[^"$\\!` + "`" + String.raw`]*"|\\')+`;
const PLAIN = new RegExp(String.raw`^${PART}(?:[ \t]+${PART})*$`);
const WORD = new RegExp(PART, "g");
