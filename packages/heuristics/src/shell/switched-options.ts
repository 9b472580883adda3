import type { Statement } from "unbash";

/** What a `set` switches on and off: by their letters, and by their names behind `-o`; operands end them. */
export function switchedOptions({ command }: Statement): ReadonlyMap<string, boolean> {
  const switched = new Map<string, boolean>();
  if (command.type !== "Command" || command.name?.value !== "set") return switched;
  const words = command.args.map((word) => (word.type === "Word" ? word.value : word.text)).values();
  for (const word of words) {
    if (!/^[-+][A-Za-z]+$/.test(word)) break;
    const isOn = word.startsWith("-");
    for (const letter of word.slice(1)) {
      const option = letter === "o" ? words.next().value : letter;
      if (option !== undefined) switched.set(option === "errexit" ? "e" : option, isOn);
    }
  }
  return switched;
}
