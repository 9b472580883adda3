import { expect, test } from "vitest";
import { treeOf } from "../testing/stack-cases.ts";
import { expandMembers } from "./expand-members.ts";

const tree = treeOf({
  "package.json": "",
  "packages/a/package.json": "",
  "packages/b/package.json": "",
  "packages/none/readme.md": "",
  "packages/node_modules/x/package.json": "",
  "packages/group/deep/package.json": "",
  "apps/web/package.json": "",
  "apps/web-e2e/package.json": "",
});

const cases = [
  { patterns: ["packages/*"], members: ["packages/a", "packages/b"] },
  { patterns: ["./packages/*/"], members: ["packages/a", "packages/b"] },
  { patterns: ["packages/**"], members: ["packages/a", "packages/b", "packages/group/deep"] },
  { patterns: ["apps/web", "packages/a"], members: ["apps/web", "packages/a"] },
  { patterns: ["apps/web*"], members: ["apps/web-e2e", "apps/web"] },
  { patterns: ["packages/*", "!packages/b"], members: ["packages/a", "packages/b"] },
  { patterns: [".", "../*", "", "nowhere/*", "[", "(a|b)/*"], members: [] },
];
test.for(cases)("$patterns", ({ patterns, members }) => {
  expect(expandMembers(tree, patterns, "package.json")).toEqual(members);
});
