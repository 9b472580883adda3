import { join } from "node:path";
import { type ConfigProblem, RULE_MODES, type RuleMode, type Rules } from "@agent-checkpoint/categories";
import { CONFIG_FILE, modesOf } from "@agent-checkpoint/composer";
import { replaceFile } from "@agent-checkpoint/files";
import { OUTCOME_NAMES } from "@agent-checkpoint/store";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import { Argument, type Command } from "commander";
import { failed, refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { checkHere, type ConfigCheck } from "../config/check-config.ts";
import { readSettings } from "../hooks/settings-file.ts";
import { readRecord, rowsOf, type RuleRow } from "../rules/read-rules.ts";
import { withMode } from "../rules/set-mode.ts";
import { personOnly } from "../sessions/person-only.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { type Column, formatNumber, renderTable, wrapText } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { agentOption } from "./agent-option.ts";

/** `checkpoint rules`: how loud each rule is, what came of it, and what that suggests. */
export function rules(command: Command, context: CommandContext): void {
  command
    .description(
      'Shows every rule in force with its mode, what came of it in this repository, and which mode that suggests. Nothing changes by itself, unless the config says "noise": "auto".',
    )
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((options: { readonly json?: true }) => showRules(options, context));
  command
    .command("set")
    .summary("Change the mode of a rule")
    .description(
      `Writes the mode of a rule to this repository's ${CONFIG_FILE} and keeps its comments. For people only where it makes a rule more silent: that is refused in an agent's shell call.`,
    )
    .argument("<rule>", "the id of an action or of a check")
    .addArgument(new Argument("<mode>", "how loud it is").choices(RULE_MODES))
    .addOption(agentOption("only for this agent"))
    .option("--force", "for a terminal that inherited an agent's variables: asks whether you are a person")
    .option("--json", "print one JSON value")
    .addHelpText(
      "after",
      "\nExamples:\n  $ checkpoint rules set check-lint shadow\n  $ checkpoint rules set tests advise --agent codex\n",
    )
    .action((rule: string, mode: RuleMode, options: SetOptions) => setMode({ rule, mode }, options, context));
}

const HELP = `
Modes, from the loudest to the most silent:
  require  may block a stop
  advise   is said if something else blocks
  shadow   is judged and recorded, and never said
  off      is not looked at

WORTH is the share of the last 60 known answers in this mode that show the rule
to be worth asking, with the interval in which it truly lies (90 %).
Of what was said: done, partly, ignored, waived. Of what was not said: done (it
came by itself), escaped (committed or left without it), moot (the files went back).

Examples:
  $ checkpoint rules
  $ checkpoint rules --json
`;

interface SetOptions {
  readonly agent?: AgentName | null;
  readonly force?: true;
  readonly json?: true;
}

async function showRules({ json }: { readonly json?: true }, context: CommandContext): Promise<void> {
  const { cwd, home, now, out } = context;
  const root = repositoryOf(cwd);
  const check = checkHere(root, home);
  const configs = check.sources.flatMap(({ named }) => named ?? []);
  const rows = rowsOf(usable(check), configs, await readRecord(home, now(), root));
  out(json === true ? toJson({ root, rules: rows }) : renderRules(rows, context));
}

/** Outcomes that have a column even if there are none. */
const ALWAYS: ReadonlySet<string> = new Set(["done", "ignored", "waived"]);

function renderRules(rows: readonly RuleRow[], { style, columns }: CommandContext): string {
  const outcomes = OUTCOME_NAMES.filter((name) => ALWAYS.has(name) || rows.some(({ counts }) => counts[name] > 0));
  const right = (heading: string): Column => ({ heading, align: "right" });
  const table = renderTable(
    ["RULE", "MODE", "FROM", right("ASKED"), ...outcomes.map((name) => right(name.toUpperCase())), "WORTH"],
    rows.map((row) => [
      nameOf(row),
      row.suggestion === null ? row.mode : style.warn(row.mode),
      // The whole name would make the table wider than most terminals.
      row.source === CONFIG_FILE ? "repository" : visible(row.source),
      formatNumber(row.asked),
      ...outcomes.map((name) => formatNumber(row.counts[name])),
      worthOf(row),
    ]),
  );
  const suggested = rows.filter(({ suggestion }) => suggestion !== null).map((row) => renderSuggestion(row, columns));
  return `${table}\n${suggested.length === 0 ? wrapText("No rule's answers speak for another mode.", { columns }) : suggested.join("")}`;
}

function nameOf({ rule, agent }: Pick<RuleRow, "rule" | "agent">): string {
  return `${visible(rule)}${agent === null ? "" : ` (${agent})`}`;
}

function worthOf({ worth }: RuleRow): string {
  if (worth === null) return "-";
  const percent = (share: number) => Math.round(share * 100);
  return `${percent(worth.of)} % (${percent(worth.low)}-${percent(worth.high)})`;
}

function renderSuggestion(row: RuleRow, columns: number): string {
  const { rule, recent, suggestion } = row;
  if (suggestion === null) return "";
  const { mode, agent } = suggestion;
  const command = `checkpoint rules set ${visible(rule)} ${mode}${agent === null ? "" : ` --agent ${agent}`}`;
  const who = agent === null ? "" : ` by ${agent}`;
  const what = mode === "require" ? "is worth asking for" : `is mostly ignored or waived${who}`;
  const sentence = `${visible(rule)} ${what}, by its last ${formatNumber(recent)} known answers:`;
  return `${wrapText(sentence, { columns })}  ${command}\n`;
}

async function setMode(
  { rule, mode }: { readonly rule: string; readonly mode: RuleMode },
  { agent = null, force, json }: SetOptions,
  context: CommandContext,
): Promise<void> {
  const root = repositoryOf(context.cwd);
  const before = usable(checkHere(root, context.home));
  const ids = Object.keys(modesOf(before));
  if (!ids.includes(rule))
    throw refused(`there is no rule ${visible(rule)} here`, `The rules are ${ids.map(visible).join(", ")}.`);
  if (Object.hasOwn(before.checks, rule) && !before.checks[rule as keyof Rules["checks"]])
    throw refused(`\`checks\` of a config switches ${rule} off`, "Remove it there, and then set its mode.");
  const agents = agent === null ? AGENT_NAMES : [agent];
  const isQuieter = agents.some((name) => loudness(mode) > loudness(modesOf(before, name)[rule] ?? "off"));
  if (isQuieter) await personOnly(context, { force }, { deed: "make a rule more silent", answer: "silence" });
  const file = join(root, CONFIG_FILE);
  const read = readSettings(file);
  if (!read.ok) throw failed(`${CONFIG_FILE} cannot be read: ${read.detail}`);
  const text = withMode(read.text, { rule, mode, agent });
  if (text !== read.text && !replaceFile(file, read.text, text))
    throw failed(`${CONFIG_FILE} was changed at the same time`, "Run this again.");
  const said = `${visible(rule)}: ${mode}${agent === null ? "" : ` for ${agent}`}, in ${CONFIG_FILE}\n`;
  context.out(json === true ? toJson({ file, rule, mode, agent }) : said);
}

/** The position among the modes: the higher, the more silent. */
function loudness(mode: RuleMode): number {
  return RULE_MODES.indexOf(mode);
}

function usable({ rules: found, problems }: ConfigCheck): Rules {
  if (found !== null) return found;
  const [first]: readonly ConfigProblem[] = problems;
  throw refused(`${visible(first?.file ?? "a config")} cannot be used`, "Run checkpoint config check.");
}
