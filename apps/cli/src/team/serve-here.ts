import { errorMessage } from "@agent-checkpoint/files";
import { failed, refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { toJson, toJsonLine } from "../terminal/visible.ts";

/** The options of `team serve`. */
export interface ServeFlags {
  readonly database?: string;
  readonly team: string;
  readonly host: string;
  readonly port: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: true;
  readonly keepMonths: string;
  readonly json?: true;
}

/** Runs the team's service until it is told to end. */
export async function serveHere(flags: ServeFlags, context: CommandContext): Promise<void> {
  const { problemOfListening, serveTeam } = await import("@agent-checkpoint/service");
  const { out, err } = context;
  const { host, port, team, tlsCert, tlsKey } = flags;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw refused("--tls-cert and --tls-key belong together");
  const tls = tlsCert === undefined || tlsKey === undefined ? null : { cert: tlsCert, key: tlsKey };
  const isBehindProxy = flags.behindProxy === true;
  const problem = problemOfListening({ host, tls, isBehindProxy });
  if (problem !== null)
    throw refused(
      problem,
      "Give it a certificate (--tls-cert, --tls-key), or say --behind-proxy if a proxy speaks TLS.",
    );
  const served = await serveTeam({
    databaseUrl: databaseOf(flags, context),
    team,
    host,
    port: wholeNumber("--port", port),
    tls,
    isBehindProxy,
    keepMonths: wholeNumber("--keep-months", flags.keepMonths),
    log: (line) => out(toJsonLine({ at: new Date().toISOString(), ...line })),
  }).catch((error: unknown) => {
    throw failed(`the service cannot start: ${errorMessage(error)}`);
  });
  try {
    out(toJsonLine({ at: new Date().toISOString(), event: "listening", url: served.url }));
    // Where it listens is no address for others if a proxy is in front of it, or if it listens everywhere.
    const address = isBehindProxy || ["0.0.0.0", "::"].includes(host) ? "https://<its address>" : served.url;
    if (served.adminCode !== null)
      err(`The first admin joins with: checkpoint team join ${address} --code ${served.adminCode}\n`);
    await context.ended();
  } finally {
    await served.close();
  }
}

/** Migrates a database that no service stands in front of, keeps its partitions and sums, and invites its first admin. */
export async function upkeep(
  flags: Pick<ServeFlags, "database" | "team" | "keepMonths" | "json">,
  context: CommandContext,
): Promise<void> {
  const { keepDatabase } = await import("@agent-checkpoint/service");
  const keepMonths = wholeNumber("--keep-months", flags.keepMonths);
  const { adminCode, sums } = await keepDatabase(databaseOf(flags, context), {
    team: flags.team,
    now: context.now(),
    keepMonths,
  });
  if (flags.json === true) return context.out(toJson({ adminCode, sums }));
  context.out(`The database is in order; ${sums} sums changed.\n`);
  if (adminCode !== null)
    context.out(`The first admin joins with: checkpoint team join <its address> --code ${adminCode}\n`);
}

/** The database's address; it holds a password, so a variable is better than an argument, which every user can see. */
export function databaseOf({ database }: Pick<ServeFlags, "database">, { env }: Pick<CommandContext, "env">): string {
  const url = database ?? env["CHECKPOINT_TEAM_DATABASE"];
  if (url === undefined || !/^postgres(ql)?:/.test(url))
    throw refused("no database is named", "Set CHECKPOINT_TEAM_DATABASE to postgres://user:password@host/name.");
  return url;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw refused(`${name} ${JSON.stringify(text)} is no whole number`);
  return Number(text);
}
