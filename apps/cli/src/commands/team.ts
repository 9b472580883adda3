import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "@agent-checkpoint/files";
import {
  checkRules,
  type Enrolment,
  fingerprint,
  isDatabase,
  type Privacy,
  PRIVACY,
  publicKeyOf,
  removeEnrolment,
  request,
  type Role,
  ROLES,
  signRules,
} from "@agent-checkpoint/team";
import { type Command, Option } from "commander";
import { parse } from "jsonc-parser";
import { failed, refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { personOnly } from "../sessions/person-only.ts";
import { joinTeam, KEY_FILE } from "../team/join-team.ts";
import { openTarget, requireEnrolment } from "../team/open-target.ts";
import { databaseOf, serveHere, type ServeFlags, upkeep } from "../team/serve-here.ts";
import { renderTable } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { formatAgo } from "../time/format-time.ts";
import { withStore } from "../with-store.ts";
import { placeOf } from "./sync.ts";

interface Json {
  readonly json?: true;
}

/** Prints a value where JSON is wanted, else what it means. */
function say({ json }: Json, { out }: CommandContext, value: object, text: string): void {
  out(json === true ? toJson(value) : text);
}

interface JoinFlags extends Json {
  readonly code: string;
  readonly name?: string;
  readonly privacy: Privacy;
  readonly history?: true;
  readonly force?: true;
}

/** `checkpoint team`: one record for many machines. */
export function team(command: Command, context: CommandContext): void {
  command
    .description(
      "Joins a team that keeps one record for many machines, and runs its service. Off unless you join: nothing in a repository can switch it on.",
    )
    .addHelpText("after", HELP);
  defineMembership(command, context);
  defineAdministration(command, context);
  defineService(command, context);
}

const HELP = `
Examples:
  $ checkpoint team join https://checkpoint.example.com --code 3Yc…
  $ checkpoint team status
  $ checkpoint team open
`;

function defineMembership(command: Command, context: CommandContext): void {
  command
    .command("join")
    .summary("Join a team with a one-time code")
    .description(
      "Joins a team with the code that an admin gave you. From then on stops are sent to it: `checkpoint sync --dry-run` shows every byte. For people only.",
    )
    .argument("<url>", "the service, https://…, or a database, postgres://…")
    .requiredOption("--code <code>", "the one-time code")
    .option("--name <name>", "the machine's name; its host name by default")
    .addOption(new Option("--privacy <kind>", "how repositories are named").choices(PRIVACY).default("names"))
    .option("--history", "send what was recorded before, too")
    .option("--force", "for a terminal that inherited an agent's variables: asks whether you are a person")
    .option("--json", "print one JSON value")
    .addHelpText(
      "after",
      "\nExamples:\n  $ checkpoint team join https://checkpoint.example.com --code 3Yc… --privacy hashes\n",
    )
    .action((url: string, options: JoinFlags) => joinHere(url, options, context));
  command
    .command("status")
    .summary("Show where this machine sends to, what, and when it last did")
    .description("Shows the team, what leaves this machine, when it last did, and which rules came from there.")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint team status\n")
    .action((options: Json) => showStatus(options, context));
  command
    .command("open")
    .summary("Print a link to the team's page")
    .description("Prints a link to the team's page, which works once and for five minutes. For members and admins.")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint team open\n")
    .action(async (options: Json) => {
      const enrolment = requireEnrolment(context.home);
      const { path } = (await ask(enrolment, "POST", "/v1/links")) as { path: string };
      const link = `${enrolment.url.replace(/\/$/, "")}/${path}`;
      say(options, context, { link }, `${link}\n`);
    });
  command
    .command("leave")
    .summary("Leave the team: nothing is sent any more")
    .description(
      "Leaves the team: nothing is sent any more, and its rules no longer count. What it has, it keeps. For people only.",
    )
    .option("--force", "for a terminal that inherited an agent's variables: asks whether you are a person")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint team leave\n")
    .action(async (options: Json & { force?: true }) => {
      await personOnly(context, options, { deed: "leave a team", answer: "leave" });
      const { team: name, machine } = requireEnrolment(context.home);
      removeEnrolment(context.home);
      const text = "Left. Nothing is sent any more. An admin can end the token: checkpoint team revoke.\n";
      say(options, context, { team: name, machine }, text);
    });
}

function defineAdministration(command: Command, context: CommandContext): void {
  command
    .command("invite")
    .summary("Make a one-time code, as an admin")
    .description(
      "Makes a code that lets one machine in. A machine sends its rows; a member also reads the team's sums; an admin also invites, revokes and sets rules.",
    )
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).default("machine"))
    .option("--shared", "for CI: many short-lived machines use one token, which is not replaced by itself")
    .option("--days <number>", "how long the code is good, 30 at most", "7")
    .option("--database <url>", "ask the database itself, without a service")
    .option("--json", "print one JSON value")
    .addHelpText(
      "after",
      "\nExamples:\n  $ checkpoint team invite\n  $ checkpoint team invite --role member --days 1\n",
    )
    .action((options: InviteFlags) => invite(options, context));
  command
    .command("machines")
    .summary("List the team's machines, as an admin")
    .description("Lists the team's machines, with what they run and when they last sent.")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint team machines\n")
    .action((options: Json) => listMachines(options, context));
  command
    .command("revoke")
    .summary("Take a machine's rights, as an admin")
    .description("Revokes a machine's rights; its rows are kept. It can join again with a new code.")
    .argument("<machine>", "its number in `checkpoint team machines`")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint team revoke 7\n")
    .action(async (machine: string, options: Json) => {
      if (!/^\d{1,9}$/.test(machine)) throw refused(`${JSON.stringify(machine)} is no machine's number`);
      await ask(requireEnrolment(context.home), "POST", `/v1/machines/${machine}/revoke`);
      say(options, context, { machine: Number(machine) }, `Machine ${machine} can no longer send or read.\n`);
    });
  command
    .command("rules")
    .summary("Show the team's rules, or set them from a file as an admin")
    .description(
      "Shows the team's rules, or signs those of a file with this machine's key and sets them. They hold modes, thresholds and switches, and no text: modes, checks, timerSeconds, captureOnly, allClear, untracked, scope.",
    )
    .argument("[file]", "the new rules, as JSON with comments")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint team rules\n  $ checkpoint team rules team-rules.jsonc\n")
    .action((file: string | undefined, options: Json) =>
      file === undefined ? showRules(options, context) : setRules(file, options, context),
    );
}

function defineService(command: Command, context: CommandContext): void {
  const database = () =>
    new Option("--database <url>", "PostgreSQL 15 or newer; else CHECKPOINT_TEAM_DATABASE names it");
  const name = () => new Option("--team <name>", "the team's name, for a new database").default("team");
  const keep = () => new Option("--keep-months <number>", "how long rows are kept").default("13");
  command
    .command("serve")
    .summary("Run the team's service")
    .description(
      "Runs the team's service in front of PostgreSQL: it migrates the database, takes rows, gives rules, and shows the page. Several may run on one database. Logs are lines of JSON.",
    )
    .addOption(database())
    .addOption(name())
    .option("--host <host>", "where it listens", "127.0.0.1")
    .option("--port <port>", "on which port", "8787")
    .option("--tls-cert <file>", "its certificate")
    .option("--tls-key <file>", "the certificate's key")
    .option("--behind-proxy", "a proxy in front of it speaks TLS")
    .addOption(keep())
    .addHelpText(
      "after",
      "\nExamples:\n  $ CHECKPOINT_TEAM_DATABASE=postgres://me@localhost/team checkpoint team serve --team shop\n",
    )
    .action((flags: ServeFlags) => serveHere(flags, context));
  command
    .command("upkeep")
    .summary("Keep a database that no service stands in front of")
    .description(
      "Migrates the database, makes and drops its months, and brings its sums up to date: for cron, where machines write straight to the database.",
    )
    .addOption(database())
    .addOption(name())
    .addOption(keep())
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint team upkeep --database postgres://owner@localhost/team\n")
    .action((flags: ServeFlags) => upkeep(flags, context));
}

async function joinHere(url: string, options: JoinFlags, context: CommandContext): Promise<void> {
  await personOnly(context, options, { deed: "join a team", answer: "join" });
  const { team: name, machine, role } = await joinTeam(url, options, context);
  say(
    options,
    context,
    { team: name, machine, role },
    `Joined ${visible(name)} as machine ${machine} (${role}). \`checkpoint sync --dry-run\` shows every byte that leaves, \`checkpoint team leave\` ends it.\n`,
  );
}

async function showStatus({ json }: Json, context: CommandContext): Promise<void> {
  const { home, now, out } = context;
  const enrolment = requireEnrolment(home);
  const { doneAt, failures } = await withStore(home, (store) => store.sync.state());
  const { team: name, machine, role, privacy, since, rulesVersion, program } = enrolment;
  const url = placeOf(enrolment);
  const sends = FIELDS;
  if (json === true) {
    out(toJson({ url, team: name, machine, role, privacy, since, rulesVersion, doneAt, failures, sends }));
    return;
  }
  const rows = [
    ["Team", `${visible(name)}, ${visible(url)}`],
    ["This machine", `${machine}, ${role}`],
    ["Repositories", privacy === "names" ? "by the names of their folders" : "as hashes"],
    ["Sends", sends.join(", ")],
    ["Never sends", "prompts, replies, commands, paths, names of files, sentences of checks, sessions"],
    [
      "Last sync",
      `${doneAt === null ? "never" : formatAgo(doneAt, now())}${failures === 0 ? "" : `, ${failures} failed since`}`,
    ],
    [
      "By itself",
      program.length === 0
        ? "no: the program lies in a cache; install it"
        : "beside a stop or a prompt, at most once a minute",
    ],
    ["Rules", rulesVersion === 0 ? "none from the team" : `version ${rulesVersion}; checkpoint config show`],
  ];
  out(rows.map(([label = "", text = ""]) => `${label.padEnd(14)}${text}\n`).join(""));
}

const FIELDS: readonly string[] = [
  "time",
  "agent",
  "repository",
  "block or pass and its reason",
  "ids of rules and checks",
  "outcomes",
  "durations",
  "counts of files, tokens and characters",
  "version of this program",
];

interface InviteFlags extends Json {
  readonly role: Role;
  readonly shared?: true;
  readonly days: string;
  readonly database?: string;
}

async function invite(options: InviteFlags, context: CommandContext): Promise<void> {
  const { role, shared, days, database } = options;
  const wanted = { role, isShared: shared === true, days: Number(days) };
  if (!Number.isInteger(wanted.days) || wanted.days < 1 || wanted.days > 30) throw refused("--days is 1 to 30");
  if (database !== undefined) {
    const { inviteAtDatabase } = await import("@agent-checkpoint/service");
    const code = await inviteAtDatabase(databaseOf({ database }, context), wanted);
    return say(options, context, { code }, `${code}\n`);
  }
  const enrolment = requireEnrolment(context.home);
  const { code } = (await ask(enrolment, "POST", "/v1/invites", wanted)) as { code: string };
  const pin = enrolment.publicKey === null ? "" : `.${fingerprint(enrolment.publicKey)}`;
  const text = `checkpoint team join ${visible(enrolment.url)} --code ${code}${pin}\n`;
  say(options, context, { url: enrolment.url, code: `${code}${pin}` }, text);
}

async function listMachines({ json }: Json, context: CommandContext): Promise<void> {
  const { machines } = (await ask(requireEnrolment(context.home), "GET", "/v1/machines")) as {
    machines: readonly {
      id: number;
      name: string;
      client: string | null;
      last_sync_at: string | null;
      revoked_at: string | null;
    }[];
  };
  if (json === true) return context.out(toJson(machines));
  context.out(
    renderTable(
      [{ heading: "NUMBER", align: "right" }, "NAME", "LAST SYNC", "CLIENT"],
      machines.map(({ id, name, client, last_sync_at, revoked_at }) => [
        String(id),
        visible(name),
        revoked_at !== null
          ? "revoked"
          : last_sync_at === null
            ? "never"
            : formatAgo(new Date(last_sync_at), context.now()),
        visible(client ?? "–"),
      ]),
    ),
  );
}

async function showRules(options: Json, context: CommandContext): Promise<void> {
  const rules = await currentRules(requireEnrolment(context.home));
  const text = rules === null ? "The team has no rules.\n" : `${visible(rules.text)}\n`;
  say(options, context, rules ?? { version: 0 }, text);
}

async function currentRules(enrolment: Enrolment) {
  const target = await openTarget(enrolment);
  try {
    const answer = await target.rules();
    if (!answer.ok) throw failed(`the team cannot be asked: ${answer.detail}`);
    return answer.rules;
  } finally {
    await target.close();
  }
}

async function setRules(file: string, options: Json, context: CommandContext): Promise<void> {
  const { home, cwd } = context;
  const enrolment = requireEnrolment(home);
  const checked = checkRules(parse(readText(resolve(cwd, file))));
  if (!checked.ok)
    throw refused(
      `the rules cannot be set: ${checked.detail}`,
      "They hold modes, thresholds and switches, and no text.",
    );
  const key = readText(join(home, KEY_FILE));
  if (publicKeyOf(key) !== enrolment.publicKey)
    throw refused("the team's machines trust another key", `Bring ${KEY_FILE} from the machine of the first admin.`);
  const version = ((await currentRules(enrolment))?.version ?? 0) + 1;
  await ask(enrolment, "PUT", "/v1/rules", signRules({ team: enrolment.team, version, rules: checked.rules }, key));
  say(options, context, { version }, `Version ${version} is set; machines take it with their next sync.\n`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw failed(`${visible(path)} cannot be read: ${errorMessage(error)}`);
  }
}

async function ask(enrolment: Enrolment, method: string, path: string, body?: object): Promise<unknown> {
  if (isDatabase(enrolment.url))
    throw refused("this machine writes straight to the database", "Ask a service in front of it, or use --database.");
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const answer = await request(enrolment, path, init);
  if (!answer.ok) throw failed(`the team's service says: ${visible(answer.detail)}`);
  return answer.value;
}
