import { parseArgs } from "node:util";
import { answerSkillCall, parseSkillCall } from "@agent-checkpoint/agents";
import { parseCommandLine } from "@agent-checkpoint/commands";
import { inlineCode } from "@agent-checkpoint/heuristics";
import type { CheckpointRequest, SafetyOptions } from "@agent-checkpoint/snapshots";
import type { CommandContext } from "../command-context.ts";
import { safetyOptions } from "./run-safely.ts";

/**
 * The hook of our skills. Before a command runs, it is denied if it could not make the snapshot that the skill promises, or
 * goes around snapshots; afterwards the audit gets a line, with the exit code. Whatever goes wrong, the agent goes on.
 */
export async function checkSkillCall(skill: string, stdin: string, context: CommandContext): Promise<void> {
  try {
    const payload: unknown = JSON.parse(stdin);
    if (typeof payload !== "object" || payload === null) return;
    const call = parseSkillCall(payload as Readonly<Record<string, unknown>>, context.env);
    if (call === null || call.target === null) return;
    const { target, cwd, exitCode } = call;
    const options = safetyOptions({}, { ...context, cwd }, { progress: () => undefined });
    if (exitCode !== null) {
      const what = target.kind === "shell" ? `Command: ${target.command}` : `Edited: ${target.files.join(", ")}`;
      const { noteInAudit } = await import("@agent-checkpoint/snapshots");
      await noteInAudit(`Skill: ${skill} | ${what} | Exit: ${exitCode}`, options);
      return;
    }
    const objection = target.kind === "shell" ? await objectionTo(target.command, options) : null;
    if (objection !== null) context.out(`${JSON.stringify(answerSkillCall(objection.decision, objection.reason))}\n`);
  } catch {
    // The skill works without its hook.
  }
}

interface Objection {
  readonly decision: "deny" | "ask";
  readonly reason: string;
}

async function objectionTo(line: string, options: SafetyOptions): Promise<Objection | null> {
  for (const { argv } of parseCommandLine(line)) {
    const [program, ...words] = argv;
    if (program === "git" && GOES_AROUND.test(words.join(" ")))
      return deny(
        `${inlineCode(`git ${words.join(" ")}`)} can take away work that nobody has captured. Use \`checkpoint snapshot create\` and \`checkpoint snapshot restore\`.`,
      );
    if (program !== "checkpoint" || words[0] !== "snapshot") continue;
    const [, subcommand, ...rest] = words;
    const { values, positionals } = parseArgs({ args: rest, options: VALUED, allowPositionals: true, strict: false });
    const objection =
      subcommand === "create"
        ? await objectionToCreating(positionals, values, options)
        : subcommand === "restore"
          ? objectionToRestoring(values)
          : null;
    if (objection !== null) return objection;
  }
  return null;
}

/** Git commands that change or empty the work tree, whatever options stand before them. */
const GOES_AROUND =
  /^(?:-\S+ (?:[^-\s]\S* )?)*(?:stash(?! (?:list|show|create)\b)|reset .*--hard|clean|checkout (?:.* )?(?:--|\.)|restore)(?:\s|$)/;

const VALUED = {
  reason: { type: "string" },
  type: { type: "string" },
  expiry: { type: "string" },
  session: { type: "string" },
  root: { type: "string" },
  store: { type: "string" },
} as const;

type Values = Readonly<Record<string, unknown>>;

async function objectionToCreating(
  scope: readonly string[],
  values: Values,
  options: SafetyOptions,
): Promise<Objection | null> {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  if ((text("reason") ?? "").trim() === "") return deny("Say what the snapshot is for: add `--reason`.");
  const request: CheckpointRequest = {
    scope,
    reason: text("reason"),
    checkpoint_type: text("type"),
    expiry: text("expiry"),
  };
  const { checkRequest } = await import("@agent-checkpoint/snapshots");
  const trouble = await checkRequest(request, { ...options, root: text("root"), store: text("store") });
  return trouble === null ? null : deny([trouble.message, trouble.advice ?? ""].join(" ").trim());
}

function objectionToRestoring(values: Values): Objection | null {
  const given = ["force", "remove-new", "allow-expired"].filter((name) => values[name] === true);
  if (given.length === 0) return null;
  const flags = given.map((name) => `--${name}`).join(" and ");
  return { decision: "ask", reason: `${flags} needs the user's word: it goes beyond what was captured for the agent.` };
}

function deny(reason: string): Objection {
  return { decision: "deny", reason };
}
