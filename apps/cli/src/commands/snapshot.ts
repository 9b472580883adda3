import { Command } from "commander";
import type { CreateFlags } from "../snapshot/create-snapshot.ts";
import type { RestoreFlags } from "../snapshot/restore-snapshot.ts";
import type { CommandContext, MakeCommand } from "./command-context.ts";

/** `checkpoint snapshot`: a restorable mark before a risky step. */
export const snapshot: MakeCommand = (context) => {
  const command = new Command("snapshot")
    .summary("Mark files before a risky step, and bring them back")
    .description(
      "Makes a restorable mark of files before they are changed, proves that it can be restored, and brings it back. HEAD, branches, index, stash list and untracked files stay as they are.",
    )
    .addHelpText("after", EXAMPLES);
  for (const make of SUBCOMMANDS) command.addCommand(withPlace(make(context)));
  return command;
};

const EXAMPLES = `
Examples:
  $ checkpoint snapshot create src tests/api.test.ts --reason "before the refactoring" --expiry 7d
  $ checkpoint snapshot diff chk_20310131_120000_a1b2c3
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3
  $ checkpoint snapshot list
  $ checkpoint snapshot show chk_20310131_120000_a1b2c3
  $ checkpoint snapshot verify --quick
  $ checkpoint snapshot pin chk_20310131_120000_a1b2c3
  $ checkpoint snapshot gc --apply
`;

/** Where the snapshot is: the options that all of them have. */
function withPlace(command: Command): Command {
  return command
    .option("--root <folder>", "the protected folder (default: the git work tree around, else this folder)")
    .option(
      "--store <folder>",
      "where the contents are kept (default: in the repository's .git, else $CHECKPOINT_HOME)",
    )
    .option("--json", "print one JSON value");
}

const create: MakeCommand = (context) =>
  new Command("create")
    .summary("Make a snapshot of files before they change")
    .description(
      "Captures files byte for byte, restores them into a temporary folder to prove it, and prints the snapshot as YAML.",
    )
    .argument("<scope...>", "files, folders and globs; state:<key>, sqlite:<path>, postgres:<service>")
    .option("--reason <text>", "why, for the audit")
    .option("--type <type>", "git_stash, file_backup, state_snapshot or database_savepoint (default: by rule)")
    .option("--expiry <when>", "24h, 7d, never or an ISO time; expiry only marks (default: never)")
    .option("--session <id>", "the agent's session (default: the one that runs this)")
    .addHelpText("after", CREATE_HELP)
    .action(async (scope: string[], flags: CreateFlags) => {
      const { createSnapshot } = await import("../snapshot/create-snapshot.ts");
      return createSnapshot(scope, flags, context);
    });

const CREATE_HELP = `
A file that does not exist yet is recorded as absent, and a restore removes it. Files with secrets (.env, keys,
credentials) are left out with a warning. Ignored files are captured where they are named, not where their folder is.

Examples:
  $ checkpoint snapshot create . --reason "before the upgrade"
  $ checkpoint snapshot create "src/**/*.ts" package.json --expiry 24h
`;

const restore: MakeCommand = (context) =>
  new Command("restore")
    .summary("Bring a snapshot back")
    .description(
      "Brings back what a snapshot holds, after proving every byte of it, and keeps what it replaces in a snapshot of its own.",
    )
    .argument("<id>", "the snapshot")
    .option("--scope <path...>", "only these files, folders or globs")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--force", "also over what somebody else has changed since (it is kept in the undo snapshot)")
    .option("--remove-new", "also remove files that appeared in scope since (they are kept in the undo snapshot)")
    .option("--allow-expired", "also where the snapshot has expired")
    .option("--into <folder>", "write it into an empty folder instead")
    .addHelpText("after", RESTORE_HELP)
    .action(async (id: string, flags: RestoreFlags) => {
      const { restoreSnapshot } = await import("../snapshot/restore-snapshot.ts");
      return restoreSnapshot(id, flags, context);
    });

const RESTORE_HELP = `
Examples:
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3 --dry-run
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3 --scope src/api
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3 --into look-at-it
`;

const list: MakeCommand = (context) =>
  new Command("list")
    .summary("List the snapshots of this workspace")
    .description("Lists the snapshots of this workspace, the newest first.")
    .option("--all", "of all work trees of the repository")
    .action(async (flags: { all?: boolean; json?: boolean }) =>
      (await import("../snapshot/manage-snapshots.ts")).listSnapshots(flags, context),
    );

const show: MakeCommand = (context) =>
  new Command("show")
    .summary("Show a snapshot and what it holds")
    .description("Shows a snapshot: why and when it was made, how to restore it, and what it holds.")
    .argument("<id>", "the snapshot")
    .action(async (id: string, flags: { json?: boolean }) =>
      (await import("../snapshot/manage-snapshots.ts")).showSnapshot(id, flags, context),
    );

const verify: MakeCommand = (context) =>
  new Command("verify")
    .summary("Check that snapshots are whole")
    .description(
      "Recomputes the hash of a snapshot and reads every byte it holds. Exit code 1 where something is damaged.",
    )
    .argument("[id]", "the snapshot (default: all of the store)")
    .option("--quick", "only check that everything is there, without reading contents")
    .action(async (id: string | undefined, flags: { quick?: boolean; json?: boolean }) =>
      (await import("../snapshot/manage-snapshots.ts")).verifySnapshots(id, flags, context),
    );

const diff: MakeCommand = (context) =>
  new Command("diff")
    .summary("Show what a restore would change")
    .description("Shows what a restore would change, without changing it. Exit code 1 where something differs.")
    .argument("<id>", "the snapshot")
    .option("--scope <path...>", "only these files, folders or globs")
    .action(async (id: string, flags: { scope?: string[]; json?: boolean }) =>
      (await import("../snapshot/restore-snapshot.ts")).diffSnapshot(id, flags, context),
    );

const pin: MakeCommand = (context) =>
  new Command("pin")
    .summary("Keep a snapshot from being cleaned up")
    .description("Pins a snapshot, so that gc never deletes it.")
    .argument("<id>", "the snapshot")
    .option("--remove", "let it go again")
    .action(async (id: string, flags: { remove?: boolean; json?: boolean }) =>
      (await import("../snapshot/manage-snapshots.ts")).pinSnapshot(id, flags, context),
    );

const gc: MakeCommand = (context) =>
  new Command("gc")
    .summary("Delete expired snapshots")
    .description(
      "Shows which expired snapshots may go. Nothing is deleted without --apply; pinned, young and damaged ones and the last one of a live session never are.",
    )
    .option("--apply", "delete them")
    .action(async (flags: { apply?: boolean; json?: boolean }) =>
      (await import("../snapshot/manage-snapshots.ts")).collectSnapshots(flags, context),
    );

const SUBCOMMANDS: readonly ((context: CommandContext) => Command)[] = [
  create,
  restore,
  list,
  show,
  verify,
  diff,
  pin,
  gc,
];
