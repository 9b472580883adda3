import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { checkSkillCall } from "../snapshot/check-skill-call.ts";
import { type CreateFlags, createSnapshot } from "../snapshot/create-snapshot.ts";
import {
  collectSnapshots,
  deleteSnapshot,
  listSnapshots,
  pinSnapshot,
  showSnapshot,
  verifySnapshots,
} from "../snapshot/manage-snapshots.ts";
import { diffSnapshot, type RestoreFlags, restoreSnapshot } from "../snapshot/restore-snapshot.ts";

/** `checkpoint snapshot`: a restorable mark before a risky step. */
export function snapshot(command: Command, context: CommandContext): void {
  command
    .description(
      "Takes a snapshot of files before they change, proves that it can be restored, and restores it. HEAD, branches, index, stash list and untracked files are left unchanged.",
    )
    .addHelpText("after", EXAMPLES);
  for (const define of SUBCOMMANDS) withPlace(define(command, context));
}

const EXAMPLES = `
Examples:
  $ checkpoint snapshot create src tests/api.test.ts --reason "before the refactoring" --expiry 7d
  $ checkpoint snapshot diff chk_20310131_120000_a1b2c3
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3
  $ checkpoint snapshot list
  $ checkpoint snapshot show chk_20310131_120000_a1b2c3
  $ checkpoint snapshot verify --quick
  $ checkpoint snapshot pin chk_20310131_120000_a1b2c3
  $ checkpoint snapshot delete latest
  $ checkpoint snapshot gc --apply
  $ checkpoint snapshot skill-hook checkpoint < event.json
`;

type DefineSubcommand = (parent: Command, context: CommandContext) => Command;

/** Adds the options that all subcommands share. */
function withPlace(command: Command): Command {
  return command
    .option("--root <folder>", "the protected folder (default: the git work tree, or this folder outside one)")
    .option(
      "--store <folder>",
      "the folder for contents (default: in the repository's .git, or $CHECKPOINT_HOME outside one)",
    )
    .option("--json", "print one JSON value");
}

const create: DefineSubcommand = (parent, context) =>
  parent
    .command("create")
    .summary("Take a snapshot of files before they change")
    .description(
      "Captures files byte for byte, restores them into a temporary folder to prove it, and prints the snapshot as YAML.",
    )
    .argument("<scope...>", "files, folders and globs; state:<key>, sqlite:<path>, postgres:<service>")
    .option("--reason <text>", "the reason, for the audit log")
    .option("--type <type>", "git_stash, file_backup, state_snapshot or database_savepoint (default: by rule)")
    .option("--expiry <when>", "24h, 7d, never or an ISO time; an expired snapshot stays until gc (default: never)")
    .option("--allow-absent", "exit with 0 also if a file that was named does not exist yet")
    .option("--session <id>", "the agent's session (default: the one that runs this command)")
    .addHelpText("after", CREATE_HELP)
    .action((scope: string[], flags: CreateFlags) => createSnapshot(scope, flags, context));

const CREATE_HELP = `
A file that does not exist yet is recorded as absent, and a restore removes it. Files with secrets (.env, keys,
credentials) are left out with a warning. Ignored files are captured only if they are named, not with their folder.

Examples:
  $ checkpoint snapshot create . --reason "before the upgrade"
  $ checkpoint snapshot create "src/**/*.ts" package.json --expiry 24h
`;

const restore: DefineSubcommand = (parent, context) =>
  parent
    .command("restore")
    .summary("Restore a snapshot")
    .description(
      "Restores the contents of a snapshot after verifying every byte, and saves what it replaces in an undo snapshot.",
    )
    .argument("[id]", "the snapshot: an id, its beginning, or `latest` (default: asks at a terminal)")
    .option("--scope <path...>", "only these files, folders or globs")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--force", "overwrite changes by others too (the undo snapshot contains them)")
    .option("--remove-new", "also remove files that were added in scope since (the undo snapshot contains them)")
    .option("--allow-expired", "restore the snapshot even if it has expired")
    .option("--into <folder>", "write it into an empty folder instead")
    .option("--abandon", "give up an interrupted restore that cannot be finished")
    .addHelpText("after", RESTORE_HELP)
    .action((id: string | undefined, flags: RestoreFlags) => restoreSnapshot(id, flags, context));

const RESTORE_HELP = `
Examples:
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3 --dry-run
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3 --scope src/api
  $ checkpoint snapshot restore chk_20310131_120000_a1b2c3 --into look-at-it
`;

const list: DefineSubcommand = (parent, context) =>
  parent
    .command("list")
    .summary("List the snapshots of this workspace")
    .description("Lists the snapshots of this workspace, newest first.")
    .option("--all", "include all work trees of the repository")
    .action((flags: { all?: boolean; json?: boolean }) => listSnapshots(flags, context));

const show: DefineSubcommand = (parent, context) =>
  parent
    .command("show")
    .summary("Show a snapshot and its contents")
    .description("Shows a snapshot: why and when it was taken, how to restore it, and its contents.")
    .argument("<id>", "the snapshot")
    .action((id: string, flags: { json?: boolean }) => showSnapshot(id, flags, context));

const verify: DefineSubcommand = (parent, context) =>
  parent
    .command("verify")
    .summary("Check that snapshots are intact")
    .description("Recomputes the hash of a snapshot and reads every byte of it. Exit code 1 if something is damaged.")
    .argument("[id]", "the snapshot (default: all in the store)")
    .option("--quick", "only check that everything exists, without reading contents")
    .action((id: string | undefined, flags: { quick?: boolean; json?: boolean }) =>
      verifySnapshots(id, flags, context),
    );

const diff: DefineSubcommand = (parent, context) =>
  parent
    .command("diff")
    .summary("Show what a restore would change")
    .description("Shows what a restore would change, without changing it. Exit code 1 if something differs.")
    .argument("<id>", "the snapshot")
    .option("--scope <path...>", "only these files, folders or globs")
    .option("--stat", "what has happened since, as git counts it")
    .option("--patch", "what has happened since, as git writes it")
    .action((id: string, flags: { scope?: string[]; stat?: boolean; patch?: boolean; json?: boolean }) =>
      diffSnapshot(id, flags, context),
    );

const pin: DefineSubcommand = (parent, context) =>
  parent
    .command("pin")
    .summary("Protect a snapshot from gc")
    .description("Pins a snapshot, so that gc never deletes it.")
    .argument("<id>", "the snapshot")
    .option("--remove", "remove the pin")
    .action((id: string, flags: { remove?: boolean; json?: boolean }) => pinSnapshot(id, flags, context));

const remove: DefineSubcommand = (parent, context) =>
  parent
    .command("delete")
    .summary("Delete a snapshot")
    .description("Deletes a snapshot and what only it needed, after asking once.")
    .argument("<id>", "the snapshot")
    .option("--yes", "do not ask")
    .action((id: string, flags: { yes?: boolean; json?: boolean }) => deleteSnapshot(id, flags, context));

const gc: DefineSubcommand = (parent, context) =>
  parent
    .command("gc")
    .summary("Delete expired snapshots")
    .description(
      "Lists the expired snapshots that can be deleted. Nothing is deleted without --apply; pinned, recent and damaged snapshots and the last one of a live session are never deleted.",
    )
    .option("--apply", "delete them")
    .action((flags: { apply?: boolean; json?: boolean }) => collectSnapshots(flags, context));

const skillHook: DefineSubcommand = (parent, context) =>
  parent
    .command("skill-hook")
    .summary("Check and record a tool call in a skill")
    .description(
      "The hook of the skills `checkpoint` and `restore`: reads an agent's event from stdin, denies a command that could not take a snapshot or goes around them, and writes every command and edit into the audit with its exit code.",
    )
    .argument("<skill>", "the name of the skill")
    .action((skill: string) => checkSkillCall(skill, readFileSync(0, "utf8"), context));

const SUBCOMMANDS: readonly DefineSubcommand[] = [
  create,
  restore,
  list,
  show,
  verify,
  diff,
  pin,
  remove,
  gc,
  skillHook,
];
