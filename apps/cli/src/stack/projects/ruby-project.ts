import { type FileTree, firstFile, hasFile } from "../file-tree.ts";
import type { StackCommand } from "../stack.ts";
import { firstFiles } from "../walk-files.ts";
import type { DetectProject } from "./detect-project.ts";

/** A project with a Gemfile. */
export const rubyProject: DetectProject = (tree) => {
  if (!hasFile(tree, "Gemfile")) return null;
  return {
    language: "ruby",
    detail: isRails(tree) ? "Rails" : null,
    where: "Gemfile",
    members: [],
    tests: testsOf(tree),
    install: {
      run: "bundle install",
      evidence: ["bundle install", "bundle add", "bundle remove", "bundle update", "bundle check"],
      where: firstFile(tree, ["Gemfile.lock"]) ?? "Gemfile",
    },
  };
};

/** Whether a tree is that of a Rails application. */
export function isRails(tree: FileTree): boolean {
  return hasFile(tree, "config/application.rb");
}

function testsOf(tree: FileTree): readonly StackCommand[] {
  const spec = firstFiles(tree, /_spec\.rb$/, 1, "spec")[0];
  const test = firstFiles(tree, /_test\.rb$|\/test_[^/]*\.rb$/, 1, "test")[0];
  const tests: StackCommand[] = [];
  if (spec !== undefined)
    tests.push({
      run: "bundle exec rspec",
      evidence: ["rspec", "rake spec", "rails spec", "parallel_rspec"],
      where: firstFile(tree, [".rspec"]) ?? spec,
    });
  if (test !== undefined && isRails(tree))
    tests.push({
      run: "bin/rails test",
      evidence: ["rails test", "rails test:all", "rake test", "ruby -Itest"],
      where: test,
    });
  else if (test !== undefined && /\bTestTask\b/.test(tree.read("Rakefile") ?? ""))
    tests.push({
      run: "bundle exec rake test",
      evidence: ["rake test", "ruby -Itest", "ruby -Ilib:test"],
      where: "Rakefile",
    });
  return tests;
}
