import { gatherStopFacts, type StopRecords, weighStop } from "@agent-checkpoint/composer";
import { inspectStore, openStore } from "@agent-checkpoint/store";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { Environment } from "../environment.ts";
import { type ChosenSession, chooseSession, type PreviewChoice, type StoreIfAny } from "../sessions/choose-session.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { describeReason } from "../why/describe-reason.ts";
import { agentOption } from "./agent-option.ts";

/** `checkpoint preview`: the message that a stop would give now. */
export function preview(command: Command, context: CommandContext): void {
  command
    .description(
      "Prints the message that a stop in this folder would give right now, and on stderr whether it would reach the agent or why the stop would pass. Uses the newest session in this repository, or only the changed files if there is none. Nothing is sent or recorded.",
    )
    .option("--session <id>", "another session, by id or prefix")
    .addOption(agentOption("the newest session of this agent"))
    .option("--transcript <file>", "the session of this transcript")
    .option("--files-only", "ignore sessions, judge only the changed files")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async ({ json, ...choice }: PreviewChoice & { readonly json?: true }) => {
      const { out, err, isTerminal } = context;
      const found = await previewHere(context, choice);
      if (json === true) return out(toJson(found));
      out(isTerminal ? `${found.message.split("\n").map(visible).join("\n")}\n\n` : found.message);
      return err(`${summary(found)}\n`);
    });
}

const HELP = `
When piped, stdout is exactly the message.

Examples:
  $ checkpoint preview
  $ checkpoint preview --agent codex
  $ checkpoint preview --transcript ~/.claude/projects/-home-me-app/3f1c0d77.jsonl
  $ checkpoint preview --json | jq .deliver
`;

function summary({ deliver, sentence, agent, sessionId, filesAlone }: Preview): string {
  const what = deliver ? "A stop now would be blocked with this message" : "A stop now would pass without this message";
  const of =
    filesAlone === null
      ? `${agent} session ${visible(sessionId ?? "by its transcript")}`
      : `files alone: ${filesAlone}`;
  return `${what} (${of}). ${visible(sentence)}`;
}

/** The result of a stop right now; `--json` prints it. */
export interface Preview {
  /** Whether the agent would get the message. */
  readonly deliver: boolean;
  readonly reason: string;
  readonly sentence: string;
  readonly message: string;
  /** Null if no session was used. */
  readonly agent: AgentName | null;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  /** Why no session was used; null if one was. */
  readonly filesAlone: string | null;
  /** The files that the message is about; null if git cannot tell. */
  readonly changedFiles: readonly string[] | null;
  readonly actions: readonly string[];
  readonly observations: readonly string[];
  readonly problem: string | null;
}

/** Judges a stop in this folder as it would be now, and records nothing. */
async function previewHere(around: Environment, choice: PreviewChoice): Promise<Preview> {
  return withStoreIfAny(around.home, async (records) => {
    const chosen = await chooseSession(records, around, choice);
    const session: ChosenSession = "none" in chosen ? FILES_ALONE : chosen;
    const now = around.now();
    const { sessionId, transcriptPath } = session;
    const facts = await gatherStopFacts(
      { sessionId, projectPath: around.cwd, transcriptPath, promptId: null },
      {
        agent: session.agent,
        home: around.home,
        now,
        workingSlug: around.env["CHECKPOINT_WORKING_SLUG"] || null,
        route: "hook",
      },
      records.store === null ? NO_RECORDS : underTodaysRules(records.store),
    );
    const { pass, promptAt, content } = await weighStop(facts);
    const { checkpoint } = content;
    // Without a session there is no turn that could be too young or blocked already.
    const isOpen = pass === null || sessionId === null;
    const { deliver, reason } = isOpen ? checkpoint : { deliver: false, reason: pass };
    const actions = checkpoint.result?.actions.map(({ id }) => id) ?? [];
    const secondsAfterPrompt =
      promptAt === null ? null : Math.max(0, Math.round((now.getTime() - promptAt.getTime()) / 1000));
    const isAlone = "none" in chosen;
    return {
      deliver,
      reason,
      sentence: describeReason({ decision: deliver ? "block" : "pass", reason, actions, secondsAfterPrompt }),
      message: checkpoint.message,
      agent: isAlone ? null : session.agent,
      sessionId,
      transcriptPath,
      filesAlone: isAlone ? chosen.none : null,
      changedFiles: content.facts.changed.ok ? content.facts.changed.files : null,
      actions,
      observations: checkpoint.result?.observations ?? [],
      problem: isAlone ? null : checkpoint.problem,
    };
  });
}

/** The next stop follows another prompt, so today's rules apply to it. */
function underTodaysRules(store: StopRecords): StopRecords {
  const list: StopRecords["sessions"]["list"] = async (filter) =>
    (await store.sessions.list(filter)).map((session) => ({ ...session, configs: undefined }));
  return { ...store, sessions: { list } };
}

/** The message is the same for every agent. */
const FILES_ALONE: ChosenSession = { agent: AGENT_NAMES[0], sessionId: null, transcriptPath: null };

const NO_RECORDS: StopRecords = {
  sessions: { list: async () => [] },
  stops: { isBlocked: async () => false },
  snoozes: { list: async () => [] },
  proofs: { list: async () => [] },
  modes: { list: async () => [] },
};

/** Opens the store if it exists; a preview creates no database. */
async function withStoreIfAny<Result>(home: string, use: (records: StoreIfAny) => Promise<Result>): Promise<Result> {
  const { status } = await inspectStore(home);
  if (status === "absent") return use({ store: null, absence: "nothing is recorded yet" });
  const opened = await openStore(home);
  if (!opened.ok) return use({ store: null, absence: `the store cannot be used: ${opened.detail}` });
  try {
    return await use({ store: opened.store, absence: null });
  } finally {
    await opened.store.close();
  }
}
