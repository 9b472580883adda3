import { type Enrolment, readEnrolment } from "@agent-checkpoint/team";
import type { Command } from "commander";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { requireEnrolment } from "../team/open-target.ts";
import { previewSync, runSync, type SyncReport } from "../team/run-sync.ts";
import { counted } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

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
      "Sends what the team does not have yet: times, agents, repositories, ids of rules, outcomes, durations and counts. Never prompts, replies, commands, paths or file names. Also takes the team's rules. What cannot be sent now is sent later.",
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
  const enrolment = requireEnrolment(home);
  if (options.dryRun === true) return showDryRun(enrolment, options, context);
  if (options.watch === true) return watch(options, context);
  const timeoutMs =
    options.timeout === undefined ? (options.flush === true ? 10_000 : null) : parseTime(options.timeout);
  const signal = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const report = await withStore(home, (store) => runSync(store, enrolment, { home, now }, signal));
  out(options.json === true ? toJson(report) : renderReport(report, enrolment));
  if (report.outcome !== "done") context.exit(EXIT.failed);
}

/** Nobody reads what it says, and another one may be running: the store tells one of them to go on. */
async function syncInBackground({ home, now }: CommandContext): Promise<void> {
  const found = readEnrolment(home);
  if (!found.ok) return;
  await withStore(home, (store) => runSync(store, found.enrolment, { home, now }, AbortSignal.timeout(BACKGROUND_MS)));
}

const BACKGROUND_MS = 5 * 60 * 1000;
const WATCH_MS = 60_000;

async function watch({ json }: SyncOptions, context: CommandContext): Promise<void> {
  const { home, now, out } = context;
  const end = new AbortController();
  const ended = context.ended().then(() => end.abort());
  for (let failures = 0; !end.signal.aborted;) {
    const enrolment = requireEnrolment(home);
    const report = await withStore(home, (store) => runSync(store, enrolment, { home, now }));
    if (json === true || report.sent > 0 || report.outcome !== "done")
      out(json === true ? toJson(report) : renderReport(report, enrolment));
    failures = report.outcome === "done" ? 0 : Math.min(failures + 1, 6);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, WATCH_MS * 2 ** failures).unref())]);
  }
}

async function showDryRun(enrolment: Enrolment, { json }: SyncOptions, context: CommandContext): Promise<void> {
  const bodies = await withStore(context.home, (store) => previewSync(store, enrolment, context.now()));
  const to = visible(placeOf(enrolment));
  if (json === true) return context.out(toJson({ to, batches: bodies.map((body) => body.trimEnd().split("\n")) }));
  for (const body of bodies)
    context.out(`POST ${to} (one batch, packed with gzip, with this machine's token)\n${body}`);
  if (bodies.length === 0) context.out(`Nothing would be sent to ${to}.\n`);
}

/** An address without the password that one of a database may have. */
export function placeOf({ url }: Pick<Enrolment, "url">): string {
  const place = new URL(url);
  place.password = "";
  return place.href;
}

function renderReport(report: SyncReport, enrolment: Enrolment): string {
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
