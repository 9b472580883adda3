import { countOf } from "../count-of.ts";
import { type FileTree, hasFile } from "../file-tree.ts";
import { dig, readData, stringsOf } from "../read-data.ts";
import type { CiCommand, StackCommand } from "../stack.ts";
import { startsWith } from "../tasks/task.ts";
import { firstFiles } from "../walk-files.ts";
import type { DetectProject } from "./detect-project.ts";
import { expandMembers } from "./expand-members.ts";

const MOST_FILES = 120;
const TEST = /#\[(?:cfg\(.*\btest\b.*\)|(?:\w+::)*test\b|rstest|test_case)/;

/** A crate, or a workspace of crates. */
export const rustProject: DetectProject = (tree, { ci }) => {
  if (!hasFile(tree, "Cargo.toml")) return null;
  const workspace = dig(readData(tree, "Cargo.toml"), "workspace");
  const members = expandMembers(tree, stringsOf(dig(workspace, "members")), "Cargo.toml");
  return {
    language: "rust",
    detail: members.length > 0 ? countOf(members.length, "crate") : null,
    where: "Cargo.toml",
    members,
    tests: testsOf(tree, ci),
    // Cargo brings the dependencies up to date whenever it builds.
    install: {
      run: "cargo check",
      evidence: ["cargo check", "cargo build", "cargo test", "cargo nextest", "cargo clippy", "cargo run"],
      where: "Cargo.toml",
    },
  };
};

function testsOf(tree: FileTree, ci: readonly CiCommand[]): readonly StackCommand[] {
  const where = testSign(tree, ci);
  if (where === null) return [];
  const evidence = ["cargo test", "cargo t", "cargo nextest run", "cargo +stable test", "cargo +nightly test"];
  const nextest = { run: "cargo nextest run", evidence, where: ".config/nextest.toml" };
  const plain = { run: "cargo test", evidence, where };
  return hasFile(tree, ".config/nextest.toml") ? [nextest, plain] : [plain, { ...nextest, where }];
}

function testSign(tree: FileTree, ci: readonly CiCommand[]): string | null {
  const files = firstFiles(tree, /\.rs$/, MOST_FILES);
  const file = files.find((path) => /(?:^|\/)tests\//.test(path) || TEST.test(tree.read(path) ?? ""));
  const step = ci.find(({ argv }) => startsWith(argv, "cargo test") || startsWith(argv, "cargo nextest"));
  return file ?? step?.where ?? null;
}
