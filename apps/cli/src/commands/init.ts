import { existsSync } from "node:fs";
import { AGENTS } from "@agent-checkpoint/agents";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { explainProposal } from "../hooks/explain-proposal.ts";
import { ownHookPaths, ownHookPrograms } from "../hooks/hook-commands.ts";
import { managedPayloads, renderManaged } from "../hooks/managed-payloads.ts";
import { mendQuestionFor, questionFor, renderInit } from "../hooks/render-init.ts";
import { initExitCode, type InitRequest, runInit } from "../hooks/run-init.ts";
import { proposeConfig } from "../proposal/propose-config.ts";
import { initProjectFiles } from "../protocols/init-project-files.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { createPage } from "../terminal/page.ts";
import { withStatus } from "../terminal/progress.ts";
import { toJson } from "../terminal/visible.ts";
import { agentsOption } from "./agent-option.ts";

interface InitOptions {
  readonly agent?: readonly AgentName[];
  readonly project?: true;
  readonly dryRun?: true;
  readonly explain?: true;
  readonly managed?: true;
  readonly program?: string;
  readonly config: boolean;
  readonly skills: boolean;
  readonly mend?: true;
  readonly protocols?: true;
  readonly integrations?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** `checkpoint init`: registers the hooks, and writes a config for the repository. */
export function init(command: Command, context: CommandContext): void {
  command
    .description(
      "Makes the coding agents on this machine call checkpoint-hook at every prompt and every stop, by merging hooks into the existing settings, writes the skills `checkpoint` and `restore` where they find skills, and writes a checkpoint.config.json that fits this repository. Running it again changes only what is out of date.",
    )
    .addOption(agentsOption("only these agents, found or not (default: all agents found)"))
    .option("--project", "register in this project's settings, for everyone who works on it")
    .option("--no-config", "do not write checkpoint.config.json")
    .option("--no-skills", "do not write the skills `checkpoint` and `restore`")
    .option("--mend", "remove comments and trailing commas that an agent cannot read from its settings")
    .option("--protocols", "write only the phase and handoff protocol documents, into .claude")
    .option("--integrations", "write only .claude/config/integrations.json")
    .option("--dry-run", "show what would be written, settings line by line, and write nothing")
    .option("--explain", "show how the config follows from this repository's files, and write nothing")
    .option("--managed", "print what an organization puts into each agent's managed settings, and write nothing")
    .option("--program <path>", "with --managed: the executable checkpoint-hook on the machines, by its absolute path")
    .option("-y, --yes", "do not ask before writing")
    .option("--json", "print one JSON value; asks no questions")
    .addHelpText("after", HELP)
    .action((options: InitOptions) => {
      if (options.explain === true) return explain(context);
      if (options.managed === true) return printManaged(options, context);
      if (options.program !== undefined) throw refused("--program is only for --managed");
      const isProjectFiles = options.protocols === true || options.integrations === true;
      return isProjectFiles ? initProjectFiles(options, context) : initialise(options, context);
    });
}

const HELP = `
Comments, order and other hooks stay as they are. Each changed settings file is
backed up beside it; one that cannot be parsed is left alone. Codex runs a hook
only after you have trusted it, in Codex itself.

Examples:
  $ checkpoint init
  $ checkpoint init --dry-run
  $ checkpoint init --explain
  $ checkpoint init --agent claude --no-config
  $ checkpoint init --project --yes
  $ checkpoint init --protocols --integrations
  $ checkpoint init --managed --agent codex --program /opt/checkpoint/checkpoint-hook
  $ checkpoint uninstall             # remove everything again
`;

/** Shows how the proposal follows from the repository's files. */
async function explain(context: CommandContext): Promise<void> {
  const { facts, rows } = await proposeConfig(repositoryOf(context.cwd));
  context.out(explainProposal(facts, rows, createPage(context)));
}

/** Prints the payload of each agent's managed channel. */
function printManaged({ agent = [], program, project, json }: InitOptions, context: CommandContext): void {
  if (project === true) throw refused("--managed is for machines, and --project for one repository");
  const found = managedPayloads({ agents: agent, program: program ?? null, env: context.env });
  context.out(json === true ? toJson(found) : renderManaged(found, context.style));
}

async function initialise(options: InitOptions, context: CommandContext): Promise<void> {
  const { out, exit, ask } = context;
  const isJson = options.json === true;
  let request: InitRequest = {
    agents: options.agent ?? [],
    scope: options.project === true ? "project" : "user",
    isDryRun: options.dryRun === true,
    isConfigWanted: options.config,
    areSkillsWanted: options.skills,
    isMending: options.mend === true,
  };
  const page = createPage(context);
  const look = (isDryRun: boolean) =>
    withStatus("Looking at the agents and at this repository", context, () =>
      runInit({ ...request, isDryRun }, context),
    );
  if (ask !== null && !isJson && !request.isDryRun && options.yes !== true) {
    const agrees = async (question: string) => /^y(?:es)?$/i.test((await ask(question)).trim());
    let plan = await look(true);
    const mendQuestion = mendQuestionFor(plan, page);
    if (mendQuestion !== null) {
      request = { ...request, isMending: await agrees(mendQuestion) };
      plan = await look(true);
      out("\n");
    }
    const question = questionFor(plan, page);
    if (question !== null && !(await agrees(question))) throw refused("not confirmed: nothing was written.");
    if (question !== null) out("\n");
  }
  const [report] = await Promise.all([look(request.isDryRun), request.isDryRun ? null : prime(request, context)]);
  out(isJson ? toJson(report) : renderInit(report, page));
  exit(initExitCode(report));
}

/**
 * Prepares the Node program for the first stop, of the first agent that is named or has settings. The executable is compiled
 * already, and what a project calls is another installation.
 */
async function prime({ agents, scope }: InitRequest, context: CommandContext): Promise<void> {
  const { env, userHome, cwd, systemRoot } = context;
  const place = { env, userHome, projectRoot: cwd, systemRoot };
  const agent = AGENTS.find((one) =>
    agents.length > 0 ? agents.includes(one.name) : existsSync(one.homeFolder(place)),
  );
  const [own] = ownHookPrograms();
  if (scope === "project" || agent === undefined || own === undefined || own.isBinary) return;
  const { primeHook } = await import("../doctor/prime-hook.ts");
  await primeHook(ownHookPaths(env), agent, context);
}
