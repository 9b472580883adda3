import { settleOutcomes } from "@agent-checkpoint/composer";
import type { Command } from "commander";
import { failed, refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { forgetCollector, keepCollector, sendToCollector } from "../otlp/collector.ts";
import { type OtlpTarget, previewOtlp, type SignalReport } from "../otlp/export-otlp.ts";
import { personOnly } from "../sessions/person-only.ts";
import { ownProgram } from "../team/join-team.ts";
import { counted } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

interface OtlpCommandOptions {
  readonly endpoint?: string;
  readonly header?: readonly string[];
  readonly names?: true;
  readonly insecure?: true;
  readonly timeout: string;
  readonly keep?: true;
  readonly forget?: true;
  readonly force?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** `checkpoint export`: gives the record to other programs. */
export function exportRows(command: Command, context: CommandContext): void {
  command
    .description("Sends the recorded stops, and what became of them, to another program.")
    .addHelpText("after", "\nExamples:\n  $ checkpoint export otlp --endpoint http://127.0.0.1:4318 --dry-run\n");
  command
    .command("otlp")
    .summary("Send them to an OpenTelemetry collector")
    .description(
      "Sends the stops and outcomes that a collector has not taken yet as OTLP logs and metrics, in JSON over HTTP. Ids, counts and times are sent; texts, paths, file names, commands and session ids never are.",
    )
    .option("--endpoint <url>", "the collector's base address (default: OTEL_EXPORTER_OTLP_ENDPOINT)")
    .option("--header <name=value...>", "headers to send along (default: OTEL_EXPORTER_OTLP_HEADERS)")
    .option("--names", "name repositories; by default a hash stands for each name")
    .option("--insecure", "allow plain HTTP to another machine")
    .option("--timeout <seconds>", "how long the collector may take for a request", "10")
    .option("--keep", "from now on every `checkpoint sync` sends there, also the one beside a stop (for people only)")
    .option("--forget", "end what --keep began")
    .option("--force", "for a terminal that inherited an agent's variables: asks whether you are a person")
    .option("--dry-run", "print the requests that would be made, byte by byte, and send nothing")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action((options: OtlpCommandOptions) => runOtlp(options, context));
}

const HELP = `
What a collector has taken is not sent to it again; what it has not taken is sent the next time.

Examples:
  $ checkpoint export otlp --endpoint http://127.0.0.1:4318 --dry-run
  $ checkpoint export otlp --endpoint https://otel.example.com --header "authorization=Bearer $TOKEN" --keep
`;

async function runOtlp(options: OtlpCommandOptions, context: CommandContext): Promise<void> {
  const { env, home, now, out, err } = context;
  if (options.keep === true || options.forget === true)
    await personOnly(context, options, { deed: "say where the record goes", answer: "keep" });
  if (options.forget === true) {
    forgetCollector(home);
    return out(options.json === true ? toJson({ kept: null }) : "No sync sends to a collector any more.\n");
  }
  const target = targetOf(options, env, now());
  if (options.keep === true && options.dryRun !== true) {
    const { endpoint, headers, hasNames, timeoutMs } = target;
    keepCollector(home, { endpoint, headers, hasNames, timeoutMs, program: ownProgram(env["PATH"]) });
  }
  const result = await withStore(home, async (store) => {
    await settleOutcomes(store, { home, now: now() });
    return options.dryRun === true
      ? { requests: await previewOtlp(store, target) }
      : { reports: await sendToCollector(store, target, context) };
  });
  if (result.requests !== undefined) {
    if (options.json === true) return out(toJson({ requests: result.requests }));
    out(result.requests.map(renderRequest).join(""));
    return err(result.requests.length === 0 ? "There is nothing to send.\n" : "Nothing was sent.\n");
  }
  const { reports } = result;
  if (options.json === true) out(toJson({ signals: reports }));
  else out(reports.map(renderSignal).join(""));
  const problem = reports.find((report) => report.problem !== null);
  if (problem !== undefined)
    throw failed(`${visible(problem.url)}: ${visible(problem.problem ?? "")}`, "The rest is sent the next time.");
}

/** A request as it is sent, without its headers, which may hold a token. */
export function renderRequest({ url, body }: { readonly url: string; readonly body: string }): string {
  return `POST ${visible(url)}\ncontent-type: application/json\n\n${body}\n`;
}

/** What was sent of a signal, in one line. */
export function renderSignal({ signal, rows, requests, rejected }: SignalReport): string {
  const not = rejected === 0 ? "" : `, ${rejected} rejected by the collector`;
  return `${signal}: ${counted(rows, "row")} in ${counted(requests, "request")}${not}\n`;
}

function targetOf(
  { endpoint, header, names, insecure, timeout }: OtlpCommandOptions,
  env: CommandContext["env"],
  now: Date,
): OtlpTarget {
  const given = endpoint ?? env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "";
  if (given === "") throw refused("no collector is named", "Use --endpoint, or set OTEL_EXPORTER_OTLP_ENDPOINT.");
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw refused(`${visible(given)} is no address of HTTP`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw refused("the address may have no user, query or fragment", "Send credentials with --header.");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && insecure !== true)
    throw refused(`${visible(url.host)} would be sent to in plain text`, "Use https, or --insecure.");
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 600)) throw refused(`${visible(timeout)} is no number of seconds up to 600`);
  return {
    endpoint: url.href,
    headers: headersIn(header ?? (env["OTEL_EXPORTER_OTLP_HEADERS"] ?? "").split(",").filter((one) => one !== "")),
    hasNames: names === true,
    timeoutMs: seconds * 1000,
    now,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Headers as OpenTelemetry's variable has them: `name=value`, with escapes as in an address. */
function headersIn(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw refused("a header has the form name=value");
      return [name.toLowerCase(), unescaped(value)];
    }),
  );
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
