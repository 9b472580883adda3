import fc from "fast-check";
import { test } from "vitest";
import { damagedBytes } from "../../../../fixtures/src/fuzzing/damaged-bytes.ts";
import { FUZZING, fuzz } from "../../../../fixtures/src/fuzzing/fuzz.ts";
import { runHeuristics } from "../weigh-turn.ts";
import { PROJECT, turnOf, write } from "../test-calls.ts";
import { plannedFiles } from "./hygiene.ts";

const PLAN = `# Plan

## Files to Change

| File | Change |
| :--- | ---: |
| \`teleclaude/core/a.py\` (new) | add |
| src/*.ts | edit |
| ./docs/ | write |

## Tests

None.
`;

/** What a plan is made of, over and over. */
const long = fc
  .record({
    unit: fc.constantFrom(
      "|",
      "`",
      "| a ",
      "| `a` |\n",
      "#",
      "# a\n",
      "\n",
      "\r\n",
      " ",
      "\t",
      "*",
      "/",
      "./",
      "-",
      ":-",
      "\u00a0",
    ),
    length: fc.constantFrom(100, 10_000, 300_000),
    row: fc.constantFrom("", "| ", "| `", "|-", "| a/*"),
  })
  .map(({ unit, length, row }) => `## Files to Change\n${row}${unit.repeat(Math.ceil(length / unit.length))}\n| b |`);

const plans = fc.oneof(
  { arbitrary: damagedBytes(Buffer.from(PLAN)).map((bytes) => bytes.toString("utf8")), weight: 4 },
  { arbitrary: fc.string({ unit: "binary" }).map((text) => `# files to change\n${text}`), weight: 2 },
  { arbitrary: long, weight: 1 },
);

test(
  "any plan is read",
  FUZZING,
  fuzz({ quick: 90, long: 5000 }, fc.record({ plan: plans, slug: fc.string({ unit: "binary" }) }), ({ plan, slug }) => {
    if (plannedFiles(plan).some((file) => typeof file !== "string")) throw new Error("a file that is none");
    const context = { projectPath: PROJECT, workingSlug: slug, agentName: "claude", plan } as const;
    const { observations } = runHeuristics(["a.ts", "teleclaude/core/a.py"], turnOf(write("a.ts")), context);
    if (observations.some((said) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(said))) throw new Error("more than a line");
  }),
);
