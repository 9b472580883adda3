import type { Command, Statement } from "unbash";

/** How a command line prints the exit status of a command before: `echo "exit: $?"`. */
export interface StatusShown {
  /** The printed text, with `$?` in place of the status. */
  readonly text: string;
  /** Whether it is the status of a pipeline's first command: `${PIPESTATUS[0]}`. */
  readonly isOfFirst: boolean;
}

const STATUS = /\$\{?(?:\?|status\b|LASTEXITCODE\b|PIPESTATUS\[0\]|pipestatus\[1\])\}?/;

/** What the statements after a command print of its status, directly or through a variable. */
export function statusShown(statements: readonly Statement[], index: number): StatusShown | null {
  const next = commandAt(statements, index + 1);
  if (next === null) return null;
  const variable = takenBy(next);
  if (variable === null) return shownBy(next, STATUS);
  const isOfFirst = /pipestatus/i.test(variable.value);
  const use = new RegExp(String.raw`\$\{?${variable.name}\b\}?`);
  for (let at = index + 2; at < statements.length; at += 1) {
    const later = commandAt(statements, at);
    const shown = later === null ? null : shownBy(later, use);
    if (shown !== null) return { ...shown, isOfFirst };
  }
  return null;
}

/** The exit status that an output shows for a text; null if it shows none. */
export function readStatus(output: string, { text }: StatusShown): number | null {
  const [before = "", after = ""] = text.split("$?");
  const start = escaped(before.replaceAll(/\$\{?\w+\}?/g, ""));
  const found = [...output.matchAll(new RegExp(String.raw`${start}(\d{1,3})(?!\d)${escaped(after.slice(0, 3))}`, "g"))];
  const digits = found.at(-1)?.[1];
  return digits === undefined ? null : Number(digits);
}

function commandAt(statements: readonly Statement[], index: number): Command | null {
  const command = statements[index]?.command;
  return command?.type === "Command" ? command : null;
}

/** `code=$?` */
function takenBy({ name, prefix }: Command): { readonly name: string; readonly value: string } | null {
  const [first] = prefix;
  if (name !== undefined || first?.type !== "Assignment") return null;
  const [, variable, value] = /^(\w+)=(.*)$/s.exec(first.text) ?? [];
  return variable !== undefined && value !== undefined && STATUS.test(value) ? { name: variable, value } : null;
}

function shownBy({ name, args }: Command, status: RegExp): StatusShown | null {
  const words = args.map((word) => (word.type === "Word" ? word.value : word.text));
  if (name?.value === "printf") {
    const [format = "", ...values] = words;
    const used = values.find((value) => status.test(value));
    const text = format.replace(/\\n$/, "").replace(/%[sd]/, "$$?");
    return used === undefined || !text.includes("$?") ? null : { text, isOfFirst: /pipestatus/i.test(used) };
  }
  const text = words.filter((word) => !/^-[neE]+$/.test(word)).join(" ");
  const found = name?.value === "echo" ? status.exec(text)?.[0] : undefined;
  return found === undefined ? null : { text: text.replace(found, "$$?"), isOfFirst: /pipestatus/i.test(found) };
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
