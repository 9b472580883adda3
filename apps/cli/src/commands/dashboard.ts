import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "@agent-checkpoint/files";
import { settleOutcomes } from "@agent-checkpoint/composer";
import { PAGE_POLICY } from "@agent-checkpoint/page";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import { type Command, Option } from "commander";
import { failed } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { type DashboardFilter, readFigures } from "../dashboard/read-figures.ts";
import { PERIODS, renderDashboard, verdictOf } from "../dashboard/render-dashboard.ts";
import { renderStop } from "../dashboard/render-stop.ts";
import { type Page, serve } from "../dashboard/serve.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { findBlock, lookAround } from "../why/around-stop.ts";
import { reportStop } from "../why/stop-report.ts";
import { withStore } from "../with-store.ts";
import { agentOption } from "./agent-option.ts";

interface DashboardOptions {
  readonly days: string;
  readonly agent?: AgentName;
  readonly repository?: string;
  readonly rule?: string;
  readonly json?: true;
  readonly out?: string;
  readonly open: boolean;
}

const DEFAULT_DAYS = 30;
const IDLE_MS = 30 * 60 * 1000;
const REFRESH_SECONDS = 60;

/** `checkpoint dashboard`: a page that shows whether the checkpoint helps. */
export function dashboard(command: Command, context: CommandContext): void {
  command
    .description(
      "Opens a page in the browser: whether the checkpoint helps, which rules are heard and which are noise, and every stop in full. Only this machine's user can see it. It changes nothing, and ends after 30 idle minutes or with the terminal.",
    )
    .addOption(new Option("--days <number>", "the period").choices(PERIODS.map(String)).default(String(DEFAULT_DAYS)))
    .addOption(agentOption("only this agent"))
    .option("--repository <path>", "only this repository, as the page names it")
    .option("--rule <id>", "only this rule")
    .option("--no-open", "print the link, and open no browser")
    .addOption(new Option("--out <file>", "write the page to a file and end").conflicts("json"))
    .option("--json", "print the figures as one JSON value and end")
    .addHelpText("after", HELP)
    .action((options: DashboardOptions) => showDashboard(options, context));
}

const HELP = `
The link works once, for the first browser that opens it.

Examples:
  $ checkpoint dashboard
  $ checkpoint dashboard --days 90 --out report.html
  $ checkpoint dashboard --json | jq .period
`;

async function showDashboard(options: DashboardOptions, context: CommandContext): Promise<void> {
  const { home, now, out, err, cwd } = context;
  const { agent = null, repository = null, rule = null } = options;
  const filter: DashboardFilter = { days: Number(options.days), agent, repository, rule };
  // The only thing that is written, and before anybody can ask for a page.
  await withStore(home, (store) => settleOutcomes(store, { home, now: now() }));
  const figuresOf = (wanted: DashboardFilter) =>
    withStore(home, (store) => readFigures(store, wanted, { home, now: now() }));
  if (options.json === true) {
    const figures = await figuresOf(filter);
    return out(toJson({ verdict: verdictOf(figures), ...figures }));
  }
  if (options.out !== undefined) {
    const path = resolve(cwd, options.out);
    writePrivately(path, renderDashboard(await figuresOf(filter), { isLive: false, isRefreshed: false }));
    return out(`The page is in ${visible(path)}\n`);
  }
  const served = await serve({
    idleMs: IDLE_MS,
    pageAt: async (path, query) => {
      const [, number] = /^\/stops\/(\d{1,15})$/.exec(path) ?? [];
      if (number !== undefined) return stopPage(Number(number), context);
      if (path !== "/") return null;
      const isRefreshed = query.get("refresh") !== "off";
      const text = renderDashboard(await figuresOf(filterOf(query, filter)), { isLive: true, isRefreshed });
      return pageOf(text, isRefreshed ? REFRESH_SECONDS : null);
    },
  });
  const opener = join(home, `dashboard-${context.pid ?? 0}.html`);
  try {
    out(`${served.link}\n`);
    err("Read-only, for this machine's user. Ends after 30 idle minutes, or with Ctrl-C.\n");
    if (options.open && canOpen(context)) openBrowser(opener, served.link, context.env);
    const reason = await Promise.race([served.idle.then(() => "idle" as const), context.ended()]);
    if (reason === "idle") err("Ended: nobody has asked for a page for 30 minutes.\n");
  } finally {
    served.close();
    rmSync(opener, { force: true });
  }
}

function pageOf(text: string, refreshSeconds: number | null): Page {
  return { text, policy: `${PAGE_POLICY}; frame-ancestors 'none'`, refreshSeconds };
}

/** The filters of an address; what it does not name or nobody knows is as the command had it. */
function filterOf(query: URLSearchParams, given: DashboardFilter): DashboardFilter {
  const text = (name: string, otherwise: string | null) => (query.has(name) ? query.get(name) || null : otherwise);
  const agent = text("agent", given.agent);
  return {
    days: PERIODS.find((days) => String(days) === query.get("days")) ?? given.days,
    agent: AGENT_NAMES.find((name) => name === agent) ?? null,
    repository: text("repository", given.repository),
    rule: text("rule", given.rule),
  };
}

async function stopPage(id: number, context: CommandContext): Promise<Page | null> {
  const { home } = context;
  return withStore(home, async (store) => {
    const [stop] = await store.stops.list({ id });
    if (stop === undefined) return null;
    const block = (await findBlock(store, stop))?.id ?? null;
    const around = await lookAround(store, stop, context);
    return pageOf(renderStop(await reportStop(stop, { ...around, block, passedAfter: null })), null);
  });
}

function writePrivately(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw failed(
      `the page cannot be written: ${errorMessage(error)}`,
      "Name a file in a folder that exists and that you may write to.",
    );
  }
}

/** Whether a person at this machine would see a browser. */
function canOpen({ isTerminal, env }: CommandContext): boolean {
  if (!isTerminal || env["SSH_CONNECTION"]) return false;
  return process.platform !== "linux" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer" };

/** Starts the browser with a file that leads to the link: every user of a machine sees the arguments of its processes. */
function openBrowser(opener: string, link: string, env: CommandContext["env"]): void {
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${link}"><title>agent-checkpoint</title>\n`;
  writePrivately(opener, page);
  // Where there is no browser, there is still the link.
  execFile(OPENERS[process.platform] ?? "xdg-open", [opener], { env }, () => undefined);
}
