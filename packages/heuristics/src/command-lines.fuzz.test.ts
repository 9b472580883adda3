import { PRESETS, type Rules } from "@agent-checkpoint/categories";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FUZZING, fuzz } from "../../../fixtures/src/fuzzing/fuzz.ts";
import { explainTurn } from "./explain/explain-turn.ts";
import { runHeuristics } from "./weigh-turn.ts";
import { failed, PROJECT, shell, turnOf, write } from "./test-calls.ts";
import type { CheckpointContext } from "./types.ts";
import { parseCommandLine } from "@agent-checkpoint/commands";

/** What command lines are made of, and what opens something that nothing closes. */
const PIECES = [
  ..."a|b|make restart|pytest -q|cd a|cd ..|set -e|set -o pipefail|exit $?|A=b|sudo|env A=b|timeout 5|uv run".split(
    "|",
  ),
  ..."xargs|exec|eval|bash -c|bash -lc|python -m|python -X dev -m|nohup|nice -n 5|time|!|coproc|function f|f()".split(
    "|",
  ),
  ..."(|)|{|}|((|))|[[|]]|[|]|$(|${|${a:-|$((|$[|`|<(|>(|@(|!(|a=(|${a[|{a,|..}|<<E|<<-'E'|<<<|E|'|\"|$'|$\"|\\".split(
    "|",
  ),
  ..."if|then|elif|else|fi|for a in|select a in|while|until|do|done|case a in|b)|;;|;&|esac|in".split("|"),
  ..."&&,||,|,|&,;,&,>,>>,<,2>&1,&>,>|,> a.ts,< b.ts,#,*,?,~,~/,=,\\\n,\n,\t,\r\n,\0,\u2028,\ud800,é,::,a.py::b,a.ts:12,-,--".split(
    ",",
  ),
];

const separator = fc.constantFrom(" ", "", "\n", "; ", "  ");
const text = fc
  .array(
    fc.tuple(
      fc.oneof(
        { arbitrary: fc.constantFrom(...PIECES), weight: 6 },
        { arbitrary: fc.string({ unit: "binary", maxLength: 20 }), weight: 1 },
      ),
      separator,
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.map(([piece, space]) => piece + space).join(""));

/** A few pieces over and over, up to a hundred thousand characters. */
interface Repetition {
  readonly unit: string;
  readonly length: number;
  readonly end: string;
}

const repetition: fc.Arbitrary<Repetition> = fc.record({
  unit: fc
    .array(fc.tuple(fc.constantFrom(...PIECES), separator), { minLength: 1, maxLength: 3 })
    .map((pieces) => pieces.map(([piece, space]) => piece + space).join("")),
  length: fc.constantFrom(500, 5000, 100_000),
  end: fc.array(fc.constantFrom(...PIECES), { maxLength: 2 }).map((pieces) => pieces.join(" ")),
});

const spellOut = ({ unit, length, end }: Repetition): string =>
  unit.repeat(Math.ceil(length / Math.max(1, unit.length))).slice(0, length) + end;

test(
  "any command line is parsed",
  FUZZING,
  fuzz({ quick: 300, long: 25_000 }, text, (line) => {
    for (const { argv, decides, maskedBy, step, redirectsTo, redirectsFrom } of parseCommandLine(line)) {
      const isWellFormed =
        [...argv, ...redirectsTo, ...redirectsFrom].every((word) => typeof word === "string") &&
        decides === (maskedBy === null) &&
        step > 0;
      if (!isWellFormed) throw new Error(`not well-formed: ${argv.join(" ")}`);
    }
  }),
);

test(
  "a long command line takes no longer than its length asks for",
  FUZZING,
  fuzz({ quick: 30, long: 3000 }, repetition, (line) => {
    parseCommandLine(spellOut(line));
  }),
);

const context: CheckpointContext = {
  projectPath: PROJECT,
  workingSlug: "slug",
  agentName: "claude",
  plan: "## Files to Change\n| `a.ts` | x |\n",
};

const files = ["teleclaude/a.py", "b\n`c`.ts", "config.yml"];

/** An edit, the command, which fails, and the command once more. */
const turnWith = (line: string, output: string, folder: string | null) =>
  turnOf(
    write("teleclaude/a.py"),
    { ...failed(line), resultSnippet: output.slice(0, 500), cwd: folder },
    { ...shell(line), resultSnippet: output.slice(0, 500) },
  );

const judge = (turn: TurnTimeline) => {
  const result = runHeuristics(files, turn, context);
  for (const said of [...result.requiredActions, ...result.observations])
    if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(said)) throw new Error(`more than a line: ${JSON.stringify(said)}`);
  return result;
};

test(
  "a turn with any command line and output is judged in single lines",
  FUZZING,
  fuzz(
    { quick: 90, long: 6000 },
    fc.record({
      line: text,
      output: fc.oneof(text, fc.string({ unit: "binary", maxLength: 600 })),
      folder: fc.option(text),
    }),
    ({ line, output, folder }) => {
      const turn = turnWith(line, output, folder);
      const result = judge(turn);
      expect(explainTurn(files, turn, context).result).toEqual(result);
    },
  ),
);

test(
  "a turn with a long command line is judged",
  FUZZING,
  fuzz({ quick: 9, long: 1000 }, repetition, (line) => {
    judge(turnWith(spellOut(line), line.end, null));
  }),
);

/** The generic rules, with a command of somebody's own as what proves that tests were run. */
const rulesWith = (evidence: readonly string[]): Rules => ({
  ...PRESETS.generic,
  actions: PRESETS.generic.actions.map((action) => ({ ...action, steps: [{ run: evidence[0] ?? "a", evidence }] })),
});

test(
  "whatever a config takes for evidence is looked for",
  FUZZING,
  fuzz(
    { quick: 60, long: 4000 },
    fc.record({
      evidence: fc.array(
        fc.oneof(
          text.map((line) => line.slice(0, 300)),
          fc
            .tuple(fc.constantFrom(" ", "a ", "( ", "\\ ", "a  "), fc.nat({ max: 100 }))
            .map(([unit, times]) => `a${unit.repeat(times)}b`),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      line: fc.oneof(
        text,
        fc.constantFrom(" ", "a ", "\n").map((unit) => `a${unit.repeat(5000)}c`),
      ),
    }),
    ({ evidence, line }) => {
      const rules = rulesWith(evidence);
      const turn = turnWith(line, "", null);
      expect(explainTurn(files, turn, { ...context, rules }).result).toEqual(
        runHeuristics(files, turn, { ...context, rules }),
      );
    },
  ),
);
