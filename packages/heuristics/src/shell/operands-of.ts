/** The arguments that are no options; `--` ends the options. Options that take a value in the next word are named. */
export function operandsOf(args: readonly string[], valued: readonly string[] = []): readonly string[] {
  const operands: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") return [...operands, ...args.slice(index + 1)];
    if (valued.includes(word)) index += 1;
    else if (!word.startsWith("-") || word === "-") operands.push(word);
  }
  return operands;
}
