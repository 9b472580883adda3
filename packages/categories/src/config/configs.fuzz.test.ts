import fc from "fast-check";
import { test } from "vitest";
import { damagedBytes } from "../../../../fixtures/src/fuzzing/damaged-bytes.ts";
import { damagedJson } from "../../../../fixtures/src/fuzzing/damaged-json.ts";
import { FUZZING, fuzz } from "../../../../fixtures/src/fuzzing/fuzz.ts";
import { hostileJson } from "../../../../fixtures/src/fuzzing/hostile-json.ts";
import { categorize } from "../categorize.ts";
import { matchesAny } from "../globs.ts";
import { PRESETS } from "../presets/presets.ts";
import { describeProblem } from "./config-problem.ts";
import { parseConfig } from "./parse-config.ts";
import { resolveRules } from "./resolve-rules.ts";

const FILE = "checkpoint.config.json";

/** A config that says something under every key. */
const EVERYTHING = JSON.stringify({
  $schema: "https://example.com/schema.json",
  preset: "generic",
  categories: [
    {
      id: "migrations",
      label: "migrations",
      plural: true,
      include: ["db/**/*.sql"],
      exclude: ["db/old/**"],
      action: "migrate",
      tests: true,
    },
    { id: "api", include: ["src/{api,rpc}/**/*.ts", "lib/*.[ch]"], action: null, tests: ["**/*.ts"] },
    { id: "docs", off: true },
  ],
  actions: [
    {
      id: "migrate",
      stage: "prepare",
      instruction: "Run the migrations",
      steps: ["npm run migrate", { run: "npm run seed", evidence: ["npm run seed", "seed"] }],
    },
    { id: "tests", stage: "validate", steps: ["npm test"] },
    { id: "logs", off: true },
  ],
  docs: ["**/*.md"],
  baseline: ["tests"],
  checks: { "wide-change": false, "verification-gap": true },
  timerSeconds: 10,
  captureOnly: "silent",
  allClear: "deliver",
  untracked: false,
  scope: "session",
  keepDays: 30,
  noise: "auto",
  safety: { gate: true, freshMinutes: 30 },
  save: {
    mode: "normal",
    threshold: 40,
    contextWindow: 200_000,
    statusDocument: "CLAUDE.md",
    message: "x: {facts}",
    protectedBranches: ["main"],
    push: false,
    coAuthor: true,
  },
});

/** Paths as a repository can hold them: plain, deep, long, and made of the letters that globs are. */
const PATHS = [
  "src/api/a.ts",
  "db/1.sql",
  "README.md",
  "a".repeat(255),
  "a/".repeat(2000).slice(0, -1),
  `${"a".repeat(255)}/`.repeat(16).slice(0, -1),
  "aab".repeat(1300),
  "*/**/{a,b}[ab]!(a)",
  "a\nb\u2028c\u0000",
  "\ud800/é",
];

/** Never a throw; what is wrong is told in one sentence with a file, and what is right sorts any file. */
const use = (text: string) => {
  const parsed = parseConfig(text, FILE);
  if (!parsed.ok) return checkProblems(parsed.problems.map(describeProblem));
  for (const preset of ["generic", "teleclaude"] as const) {
    const resolved = resolveRules(preset, [{ file: FILE, config: parsed.config }]);
    if (!resolved.ok) checkProblems(resolved.problems.map(describeProblem));
    else categorize(PATHS, resolved.rules);
  }
  return undefined;
};

const checkProblems = (sentences: readonly string[]) => {
  if (sentences.length === 0) throw new Error("refused without a reason");
  for (const sentence of sentences) if (!sentence.startsWith(FILE)) throw new Error(`no sentence: ${sentence}`);
};

test("a damaged config is used or refused", FUZZING, fuzz({ quick: 150, long: 6000 }, damagedJson(EVERYTHING), use));

test(
  "a config of damaged bytes is used or refused",
  FUZZING,
  fuzz({ quick: 60, long: 4000 }, damagedBytes(Buffer.from(EVERYTHING)), (bytes) => use(bytes.toString("utf8"))),
);

const anyText = fc.oneof(
  hostileJson,
  fc.string({ unit: "binary" }),
  fc
    .record({
      unit: fc.constantFrom("[", "{", '{"a":', "/*", "//", '"', "\\", "\n", ",", "[1,", "1", "/* */", "}"),
      length: fc.constantFrom(100, 10_000, 300_000),
    })
    .map(({ unit, length }) => unit.repeat(Math.ceil(length / unit.length))),
);
test("any text is used or refused", FUZZING, fuzz({ quick: 60, long: 3000 }, anyText, use));

const GLOB_PIECES = [
  ..."a|b|aa|.|-|/|*|**|/**/|?|[ab]|[!a]|[^a]|[[:alpha:]]|[a-|]|{a,b}|{a,aa}|{a,{b,c}}|{1..1000000}|{a..z..0}|{|}|,|..".split(
    "|",
  ),
  ..."+(a/aa)|*(a)|@(a)|?(a)|!(a)|!(!(a))|(a)|(a)*|((a)*)*|(|)|!|+|@|\\|'|\"|$|^|~|é|\ud800|\0| |\n".split("|"),
  "(a|aa)",
  "+(a|aa)",
  "|",
];

/** Globs of a few pieces, and of few pieces over and over. */
const globs = fc
  .tuple(
    fc.array(fc.constantFrom(...GLOB_PIECES), { minLength: 1, maxLength: 8 }),
    fc.constantFrom(1, 1, 3, 10, 30, 100, 10_000),
    fc.array(fc.constantFrom(...GLOB_PIECES), { maxLength: 3 }),
  )
  .map(([pieces, times, end]) => pieces.join("").repeat(times) + end.join(""));

/** Paths that come near to matching. */
const nearPaths = fc
  .tuple(
    fc.constantFrom("a", "ab", "aab", "a/", "aa/b/", "a.", "é", "-"),
    fc.constantFrom(1, 20, 250, 2000),
    fc.constantFrom("", "b", "c", "/c", ".ts"),
  )
  .map(([unit, times, end]) => unit.repeat(times).slice(0, 4096) + end);

test(
  "any glob matches a path or not",
  FUZZING,
  fuzz({ quick: 600, long: 20_000 }, fc.record({ glob: globs, path: nearPaths }), ({ glob, path }) => {
    if (typeof matchesAny(path, [glob]) !== "boolean") throw new Error("neither yes nor no");
  }),
);

test(
  "any glob of a config is used or refused",
  FUZZING,
  fuzz({ quick: 24, long: 2000 }, fc.array(globs, { minLength: 1, maxLength: 4 }), (include) => {
    use(
      JSON.stringify({
        categories: [{ id: "a", include, tests: include }],
        docs: include,
        save: { protectedBranches: include },
      }),
    );
  }),
);

const presetGlobs = Object.values(PRESETS).flatMap(({ categories, docs }) => [
  ...docs,
  ...categories.flatMap(({ include, exclude = [] }) => [...include, ...exclude]),
]);
test(
  "the globs of the presets match any path or not",
  FUZZING,
  fuzz({ quick: 24, long: 1500 }, nearPaths, (path) => {
    matchesAny(path, presetGlobs);
  }),
);
