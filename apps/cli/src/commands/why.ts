import type { Store, StoredStop } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { renderReport } from "../why/render-report.ts";
import { findBlock, lookAround } from "../why/around-stop.ts";
import { reportStop } from "../why/stop-report.ts";
import { withStore } from "../with-store.ts";
import { agentOption } from "./agent-option.ts";
import { refused } from "../cli-error.ts";
import { memoize } from "../memoize.ts";
import { repositoryOf } from "../sessions/repository-of.ts";

interface WhyOptions {
  readonly session?: string;
  readonly agent?: AgentName;
  readonly all?: true;
  readonly json?: true;
}

/** `checkpoint why`: why a stop was blocked or passed. */
export function why(command: Command, context: CommandContext): void {
  command
    .description(
      "Explains a stop: why it was blocked or passed, where its turn began, which file matched which pattern, and which call counted as evidence or why it did not, its outcome and its cost. Defaults to the last stop in this repository, or to the block that let it pass.",
    )
    .argument("[stop]", "another stop, by its number")
    .option("--session <id>", "the last stop of this session, by id or prefix")
    .addOption(agentOption("the last stop of this agent"))
    .option("--all", "the last stop in any repository")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async (stop: string | undefined, { json, ...choice }: WhyOptions) => {
      const { home, cwd, out } = context;
      const report = await withStore(home, async (store) => {
        const found = await findStop(store, cwd, { stop, ...choice });
        const block = await findBlock(store, found);
        // After a block, a person wants to know why it happened; the pass after it explains nothing.
        const shown = stop === undefined && block !== null ? block : found;
        const around = await lookAround(store, shown, context);
        return shown === found
          ? await reportStop(found, { ...around, block: block?.id ?? null, passedAfter: null })
          : await reportStop(shown, { ...around, block: null, passedAfter: found.id });
      });
      out(json === true ? toJson(report) : renderReport(report, context));
    });
}

const HELP = `
The turn is read again from its transcript, up to the stop, and judged by the current rules.
If the transcript is gone, only the record is shown.

Examples:
  $ checkpoint why
  $ checkpoint why 123
  $ checkpoint why --session 3f1c0d77
  $ checkpoint why --all --agent codex
  $ checkpoint why --json | jq '.actions[] | select(.status == "open")'
`;

interface StopChoice {
  /** Its number. */
  readonly stop?: string | undefined;
  /** The id of its session, or a prefix. */
  readonly session?: string | undefined;
  readonly agent?: AgentName | undefined;
  /** Whether to take the last stop in any repository. */
  readonly all?: boolean | undefined;
}

/** The named stop, otherwise the last one in this repository. */
async function findStop(store: Store, cwd: string, choice: StopChoice): Promise<StoredStop> {
  if (choice.stop !== undefined) return numberedStop(store, choice.stop);
  const repository = repositoryOf(cwd);
  // Many stops share a folder.
  const isHere = memoize((folder: string) => repositoryOf(folder) === repository);
  const found = (await store.stops.list({ agent: choice.agent })).find((stop) => {
    if (stop.isCanary) return false;
    if (choice.session !== undefined) return choice.session !== "" && stop.sessionId.startsWith(choice.session);
    return choice.all === true || (stop.projectPath !== null && isHere(stop.projectPath));
  });
  if (found !== undefined) return found;
  const where =
    choice.session !== undefined
      ? `of session ${visible(choice.session)}`
      : choice.all === true
        ? "anywhere"
        : `in ${visible(repository)}`;
  throw refused(
    `no stop${choice.agent === undefined ? "" : ` of ${choice.agent}`} is recorded ${where}`,
    "Run checkpoint doctor to check whether the hook fires, or add --all to search all repositories.",
  );
}

async function numberedStop(store: Store, text: string): Promise<StoredStop> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const [stop] = id === null ? [] : await store.stops.list({ id });
  if (stop !== undefined) return stop;
  const [last] = await store.stops.list({ limit: 1 });
  throw refused(
    id === null ? `${visible(text)} is not the number of a stop` : `there is no stop ${id}`,
    last === undefined ? "None is recorded yet." : `The last one recorded is ${last.id}.`,
  );
}
