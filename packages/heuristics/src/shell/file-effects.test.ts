import { expect, test } from "vitest";
import { fileEffects } from "./file-effects.ts";
import { parseCommandLine } from "./parse-command-line.ts";

const cases: { line: string; reads?: string[]; writes?: string[] }[] = [
  { line: "cat a.py b.py", reads: ["a.py", "b.py"] },
  { line: "head -20 a.py", reads: ["a.py"] },
  { line: "sed -n '1,20p' a.py", reads: ["a.py"] },
  { line: "grep -n foo a.py", reads: ["a.py"] },
  { line: "grep -e foo a.py", reads: ["a.py"] },
  { line: "sed -i 's/a/b/' a.py", writes: ["a.py"] },
  { line: "sed -i.bak -e 's/a/b/' a.py", writes: ["a.py"] },
  { line: "perl -pi -e 's/a/b/' a.py", writes: ["a.py"] },
  { line: "echo x > a.py", writes: ["a.py"] },
  { line: "echo x >> a.py", writes: ["a.py"] },
  { line: "cat > a.py <<EOF\nx\nEOF", writes: ["a.py"] },
  { line: "tee a.py", writes: ["a.py"] },
  { line: "mv a.py b.py", writes: ["a.py", "b.py"] },
  { line: "cp a.py b.py", reads: ["a.py"], writes: ["b.py"] },
  { line: "rm -f a.py", writes: ["a.py"] },
  { line: "git checkout -- a.py", writes: ["a.py"] },
  { line: "git restore a.py", writes: ["a.py"] },
  { line: "git diff a.py", reads: ["a.py"] },
  { line: "git add a.py" },
  { line: "pytest a.py" },
  { line: "wc -l < a.py", reads: ["a.py"] },
];
test.for(cases)("$line", ({ line, reads = [], writes = [] }) => {
  const [command] = parseCommandLine(line);
  expect(command && fileEffects(command)).toEqual({ reads, writes });
});
