import { type Enrolment, readEnrolment } from "@agent-checkpoint/team";
import type { Command } from "commander";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { readCollector } from "../otlp/collector.ts";
import { previewOtlp } from "../otlp/export-otlp.ts";
import { requireEnrolment } from "../team/open-target.ts";
import { type Destinations, previewSync, runSync, type SyncReport, type TeamReport } from "../team/run-sync.ts";
import { counted } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { renderRequest, renderSignal } from "./export.ts";

interface SyncOptions {
  readonly watch?: true;
  readonly flush?: true;
  readonly timeout?: string;
  readonly dryRun?: true;
  readonly background?: true;
  readonly json?: true;
}

/** `checkpoint sync`: sends the record of this machine to its team. */
export function sync(command: Command, context: CommandContext): void {
  command
    .description(
      "Sends what the team, or the collector of `checkpoint export otlp --keep`, does not have yet: times, agents, repositories, ids of rules, outcomes, durations and counts. Never prompts, replies, commands, paths or file names. Also takes the team's rules. What cannot be sent now is sent later.",
    )
    .option("--watch", "stay, and send once a minute")
    .option("--flush", "as the last step of a CI job: end after --timeout, 10s by default")
    .option("--timeout <time>", "end after this time: 10s, 2m")
    .option("--dry-run", "print every byte that would be sent, and send nothing")
    .option("--background", "started by the hook: no output, and no more often than once a minute")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((options: SyncOptions) => syncNow(options, context));
}

const HELP = `
Exit code 3 if not everything could be sent; the rows stay, and go with the next sync.

Examples:
  $ checkpoint sync
  $ checkpoint sync --dry-run
  $ checkpoint sync --flush --timeout 10s
`;

async function syncNow(options: SyncOptions, context: CommandContext): Promise<void> {
  const { home, now, out } = context;
  if (options.background === true) return syncInBackground(context);
  if (options.dryRun === true) return showDryRun(options, context);
  if (options.watch === true) return watch(options, context);
  const timeoutMs =
    options.timeout === undefined ? (options.flush === true ? 10_000 : null) : parseTime(options.timeout);
  const signal = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const destinations = destinationsOf(home);
  const report = await withStore(home, (store) => runSync(store, destinations, { home, now }, signal));
  out(options.json === true ? toJson(report) : renderReport(report, destinations));
  if (!report.isDone) context.exit(EXIT.failed);
}

/** Where this home's rows go; a `CliError` if nobody has said so. */
function destinationsOf(home: string): Destinations {
  const collector = readCollector(home);
  const found = readEnrolment(home);
  const isAlone = collector !== null && !found.ok && found.reason === "none";
  return { enrolment: isAlone ? null : requireEnrolment(home), collector };
}

/** Nobody reads what it says, and another one may be running: the store tells one of them to go on. */
async function syncInBackground({ home, now }: CommandContext): Promise<void> {
  const destinations = destinationsOf(home);
  await withStore(home, (store) => runSync(store, destinations, { home, now }, AbortSignal.timeout(BACKGROUND_MS)));
}

const BACKGROUND_MS = 5 * 60 * 1000;
const WATCH_MS = 60_000;

async function watch({ json }: SyncOptions, context: CommandContext): Promise<void> {
  const { home, now, out } = context;
  const end = new AbortController();
  const ended = context.ended().then(() => end.abort());
  for (let failures = 0; !end.signal.aborted;) {
    const destinations = destinationsOf(home);
    const report = await withStore(home, (store) => runSync(store, destinations, { home, now }));
    const sent = (report.team?.sent ?? 0) + (report.collector ?? []).reduce((sum, { rows }) => sum + rows, 0);
    if (json === true || sent > 0 || !report.isDone)
      out(json === true ? toJson(report) : renderReport(report, destinations));
    failures = report.isDone ? 0 : Math.min(failures + 1, 6);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, WATCH_MS * 2 ** failures).unref())]);
  }
}

async function showDryRun({ json }: SyncOptions, { home, now, out }: CommandContext): Promise<void> {
  const { enrolment, collector } = destinationsOf(home);
  const { bodies, requests } = await withStore(home, async (store) => ({
    bodies: enrolment === null ? [] : await previewSync(store, enrolment, now()),
    requests: collector === null ? [] : await previewOtlp(store, { ...collector, now: now() }),
  }));
  const to = enrolment === null ? null : visible(placeOf(enrolment));
  if (json === true) return out(toJson({ to, batches: bodies.map((body) => body.trimEnd().split("\n")), requests }));
  for (const body of bodies) out(`POST ${to} (one batch, packed with gzip, with this machine's token)\n${body}`);
  out(requests.map(renderRequest).join(""));
  if (to !== null && bodies.length === 0) out(`Nothing would be sent to ${to}.\n`);
  if (collector !== null && requests.length === 0) out(`Nothing would be sent to ${visible(collector.endpoint)}.\n`);
}

/** An address without the password that one of a database may have. */
export function placeOf({ url }: Pick<Enrolment, "url">): string {
  const place = new URL(url);
  place.password = "";
  return place.href;
}

function renderReport({ team, collector: signals }: SyncReport, { enrolment, collector }: Destinations): string {
  const toTeam = team === null || enrolment === null ? "" : renderTeam(team, enrolment);
  const problem = signals?.find((signal) => signal.problem !== null)?.problem ?? null;
  const later = problem === null ? "" : `The rest stays for later: ${visible(problem)}.\n`;
  const toCollector = signals === null ? "" : `To ${visible(collector?.endpoint ?? "")}:\n`;
  return `${toTeam}${toCollector}${(signals ?? []).map(renderSignal).join("")}${later}`;
}

function renderTeam(report: TeamReport, enrolment: Enrolment): string {
  const { outcome, sent, inserted, detail, refused: not, rules, rulesDetail } = report;
  const said = [
    `${counted(sent, "row")} sent to ${visible(placeOf(enrolment))}, ${counted(inserted, "row")} new there.`,
    ...Object.entries(not).map(([reason, count]) => `${counted(count, "row")} refused: ${visible(reason)}.`),
    ...(outcome === "refused" ? [`Refused: ${visible(detail ?? "")}. \`checkpoint team join\` again.`] : []),
    ...(outcome === "later" || outcome === "too-large" ? [`The rest stays for later: ${visible(detail ?? "")}.`] : []),
    ...(rules === "taken" ? ["The team's rules have changed: `checkpoint config show`."] : []),
    ...(rulesDetail === null
      ? []
      : [`The team's rules were not taken, the last good ones stay: ${visible(rulesDetail)}.`]),
  ];
  return `${said.join("\n")}\n`;
}

function parseTime(text: string): number {
  const [, amount, unit] = /^(\d{1,4})(s|m)$/.exec(text) ?? [];
  if (amount === undefined) throw refused(`--timeout ${JSON.stringify(text)} is no time`, "Write 10s or 2m.");
  return Number(amount) * (unit === "m" ? 60_000 : 1000);
}
