const MAX_WORDS = 40;
const MAX_LENGTH = 300;

/** Commands in the spellings that people use; `beside` tells which package managers are used. */
export function evidenceOf(commands: readonly string[], beside: readonly string[] = commands): readonly string[] {
  const managers = [...new Set(beside.flatMap((command) => /^(pnpm|yarn|bun)\b/.exec(command)?.[1] ?? []))];
  const words = commands.flatMap((command) => [
    ...spellings(command),
    ...(isProgram(command) ? managers.flatMap((manager) => throughManager(manager, command)) : []),
  ]);
  return [...new Set(words)].filter((one) => one.length <= MAX_LENGTH && !/[$'"*]/.test(one)).slice(0, MAX_WORDS);
}

/** Whether a package manager may start it as a program of an installed package. */
function isProgram(command: string): boolean {
  return /^(?!(?:npm|npx|pnpm|yarn|bun|bunx|make|just|task|deno|node|tsx|cargo|go|mise|docker)\b)[a-z][\w-]*(?: |$)/.test(
    command,
  );
}

/** The ways to type a command: scripts of package.json are started with and without `run`. */
function spellings(command: string): readonly string[] {
  const script = command === "bun test" ? null : /^(npm|pnpm|yarn|bun)(?: run)? ([\w:@./-]+)$/.exec(command);
  if (script === null) {
    const file = command.replace(/^\.\//, "");
    if (/^\S+\.py$/.test(command)) return [command, `python ${file}`];
    return /^\S+\.sh$/.test(command) ? [command, `bash ${file}`, `sh ${file}`] : [command];
  }
  const [, manager = "", name = ""] = script;
  const short = manager === "bun" || (manager === "npm" && name !== "test") ? [] : [`${manager} ${name}`];
  return [
    ...short,
    `${manager} run ${name}`,
    ...(manager !== "npm" && name === "test" ? ["npm test"] : []),
    `npm run ${name}`,
    ...(manager === "npm" && name === "test" ? ["npm t"] : []),
  ];
}

function throughManager(manager: string, program: string): readonly string[] {
  if (manager === "bun") return [`bun run ${program}`];
  return manager === "pnpm" ? [`pnpm ${program}`, `pnpm exec ${program}`] : [`${manager} ${program}`];
}
