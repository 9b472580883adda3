// Writes docs/stacks.md from the tables of languages, stacks and task runners.
import { writeFileSync } from "node:fs";
import { type LanguageRow, LANGUAGES } from "@agent-checkpoint/reports";
import { TASK_RUNNERS } from "../src/commands/task-runners.ts";
import { openTree } from "../src/files/tree.ts";
import { STACKS } from "../src/stacks.ts";

const testsOf = ({ tests = "", testNames = "" }: LanguageRow) => `${tests} ${testNames}`.trim();
const none = await openTree("", []);
const code = (names: string) =>
  names
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => `\`${name}\``)
    .join(", ");
const commands = (text: string) =>
  text.startsWith("the ") ? text : text.replace(/^[^`]*?(?=, `|$)/, (first) => `\`${first}\``);
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const text = `<!-- Written by packages/repository/scripts/write-stack-docs.ts from the tables: change those, then run "npm run generate". -->

# Languages, stacks and task runners

What \`checkpoint init\` and the rules without a config know of a repository. A stack is shown by a manifest, and counts by
where the code is, not by the first manifest that is found. A task of the repository comes before the stack's own tool; between
equals CI decides, then the guides. [The package](../packages/repository/README.md) tells whose word counts.

## Languages

${table(
  ["language", "code", "tests"],
  Object.entries(LANGUAGES).map(([language, row]) => [language, code(row.code), code(testsOf(row))]),
)}

## Stacks

${table(
  ["language", "shown by", "tests are run by"],
  STACKS.map(({ language, manifests, tests }) => [language, code(manifests), commands(tests)]),
)}

Bazel runs the tests of every language below a \`MODULE.bazel\` or \`WORKSPACE\`, and is the first choice beside a \`.bazelrc\`.

## Task runners

${table(
  ["runner", "reads", "a task is started by"],
  TASK_RUNNERS.map(({ id, files, start }) => [id, code(files), `\`${start("NAME", none, "")}\``]),
)}

Scripts called \`test\`, \`run_tests.py\` and the like count at the root and in \`script\`, \`scripts\`, \`bin\`, \`tools\`, \`ci\`, \`hack\`,
\`dev\` and \`test\`.
`;
writeFileSync(process.argv[2] ?? new URL("../../../docs/stacks.md", import.meta.url), text);
