import { countOf } from "../count-of.ts";
import { hasFile } from "../file-tree.ts";
import type { StackCommand } from "../stack.ts";
import { firstFiles } from "../walk-files.ts";
import type { DetectProject } from "./detect-project.ts";
import { expandMembers } from "./expand-members.ts";

const MOST_LISTED = 6;

/** A module, or the modules of a go.work. */
export const goProject: DetectProject = (tree, { ci }) => {
  const manifest = ["go.work", "go.mod"].find((file) => hasFile(tree, file));
  if (manifest === undefined) return null;
  const members = manifest === "go.work" ? expandMembers(tree, usesOf(tree.read("go.work") ?? ""), "go.mod") : [];
  const sign =
    firstFiles(tree, /_test\.go$/, 1)[0] ?? ci.find(({ argv }) => argv[0] === "go" && argv[1] === "test")?.where;
  const packages =
    members.length > 0 && members.length <= MOST_LISTED
      ? members.map((member) => `./${member}/...`).join(" ")
      : "./...";
  const tests: readonly StackCommand[] =
    sign === undefined ? [] : [{ run: `go test ${packages}`, evidence: ["go test", "gotestsum"], where: sign }];
  return {
    language: "go",
    detail: members.length > 0 ? countOf(members.length, "module") : null,
    where: manifest,
    members,
    tests,
    // A build fails where go.mod and go.sum do not fit the code, so any of these shows that they do.
    install: {
      run: manifest === "go.work" ? "go work sync" : "go mod tidy",
      evidence: ["go mod tidy", "go work sync", "go mod download", "go get", "go build", "go test", "go vet"],
      where: manifest,
    },
  };
};

/** The folders of `use ./a` and `use ( ./a ./b )`. */
function usesOf(text: string): readonly string[] {
  const uses = [...text.matchAll(/^use\s+(?:\(([^)]*)\)|(\S+))/gm)];
  return uses.flatMap(([, block, single]) => (block ?? single ?? "").split(/\s+/)).filter((word) => word !== "");
}
