const SHELL = /(?:^|[\\/])(?:bash|sh|zsh|dash|fish|pwsh|powershell)(?:\.exe)?$/i;
const SCRIPT_OPTION = /^-(?:[a-z]*c|Command)$/;

/** The command line that an argument list runs: the script itself where a shell runs it. */
export function commandLine(argv: readonly string[]): string {
  const [program = "", option = "", script] = argv;
  if (argv.length === 3 && script !== undefined && SHELL.test(program) && SCRIPT_OPTION.test(option)) return script;
  return argv.map((argument) => quoted(argument)).join(" ");
}

const quoted = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
