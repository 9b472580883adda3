import { parseArgs, type ParseArgsConfig } from "node:util";
import { errorMessage } from "@agent-checkpoint/files";
import type { Route } from "@agent-checkpoint/store";
import { runNotify } from "./commands/notify.ts";
import { runStatus } from "./commands/status.ts";
import { runWatch } from "./commands/watch.ts";
import { settingsFrom } from "./settings.ts";

const HELP = `checkpoint-codex: delivers the checkpoint into live Codex sessions

  checkpoint-codex watch [--once] [--dry-run]   follow the sessions and deliver
  checkpoint-codex notify JSON                  for notify = [...] in config.toml
  checkpoint-codex status [--json]              who is watching, and what was delivered

  --route hook|queue|tmux   force a route
  --codex PATH              the codex program to call (default: codex)
  --tmux-socket NAME        the tmux server, as in tmux -L NAME
  --help                    this text

Exit codes: 0 done, 1 failed, 2 invalid call, 3 another instance is watching.
State and log: $CHECKPOINT_HOME. Sessions: $CODEX_HOME/sessions.
`;

const OPTIONS = {
  once: { type: "boolean" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  route: { type: "string" },
  codex: { type: "string" },
  "tmux-socket": { type: "string" },
} as const satisfies ParseArgsConfig["options"];

const ROUTES: readonly Route[] = ["hook", "queue", "tmux"];

/** Runs a command of the program and returns its exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const parsed = parse(argv);
  if (typeof parsed === "string") return usage(parsed);
  const { values, positionals } = parsed;
  const [command, ...rest] = positionals;
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  const forced = ROUTES.find((route) => route === values.route) ?? null;
  if (values.route !== undefined && forced === null)
    return usage(`--route should be hook, queue or tmux; found ${values.route}`);
  const settings = settingsFrom(process.env, { forced, codex: values.codex, tmuxSocket: values["tmux-socket"] });
  if (command === "watch")
    return runWatch(settings, { once: values.once === true, dryRun: values["dry-run"] === true });
  if (command === "status") return runStatus(settings, { json: values.json === true });
  if (command === "notify" && rest[0] !== undefined) return runNotify(settings, rest.at(-1) ?? "");
  return usage(
    command === undefined
      ? "a command is missing"
      : command === "notify"
        ? "notify needs Codex's JSON"
        : `unknown command ${command}`,
  );
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return errorMessage(error);
  }
}

function usage(problem: string): number {
  console.error(`checkpoint-codex: ${problem}\n\n${HELP}`);
  return 2;
}
