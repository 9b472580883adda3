import { type ProjectPlace, toProjectPath } from "../turn/project-path.ts";
import type { TurnCall } from "../turn/read-turn.ts";

/** Places in error output that name a file: Python, test runners, compilers. */
const IN_OUTPUT = [
  /\bFile "([^"\n]+)", line \d/g,
  /\b(?:FAILED|ERROR)\s+([^\s:]+\.\w+)/g,
  /(?:^|[\s("'])((?:[\w.@+-]+\/)*[\w.@+-]+\.\w{1,5})[:(]\d+/gm,
];

/** The files of the project that a failed call is about: those it names, and those its output points at. */
export function concernedFiles({ record, commands, writes }: TurnCall, place: ProjectPlace): ReadonlySet<string> {
  const named = commands.flatMap(({ argv, folder }) =>
    argv
      .slice(1)
      .filter(looksLikeFile)
      .map((word) => toProjectPath(bare(word), place, folder ?? ".")),
  );
  const pointedAt = IN_OUTPUT.flatMap((pattern) =>
    [...record.resultSnippet.matchAll(pattern)].map((match) => toProjectPath(match[1] ?? "", place, record.cwd ?? ".")),
  );
  const all = [...writes.map(({ file }) => file), ...named, ...pointedAt];
  return new Set(all.filter((file) => file !== null));
}

function looksLikeFile(word: string): boolean {
  return !word.startsWith("-") && !word.includes("://") && /[^/.]\.[A-Za-z]\w{0,5}(?:::.*|:\d+.*)?$/.test(word);
}

/** `tests/a.py::test_x` and `a.py:12` are about their file. */
function bare(word: string): string {
  return word.replace(/::.*$|:\d+.*$/, "");
}
