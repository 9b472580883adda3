// Prints how many source files and lines each package and program has, without tests; at HEAD, or at a given revision.
import { execFileSync } from "node:child_process";

const [revision = "HEAD"] = process.argv.slice(2);
const places = ["packages/*/src/*.ts", "apps/*/src/*.ts", ":!*.test.ts", ":!*/testing/*"];
const counts = execFileSync("git", ["grep", "--count", "", revision, "--", ...places], { encoding: "utf8" });

const sizes = new Map<string, { files: number; lines: number }>();
for (const line of counts.trimEnd().split("\n")) {
  const [, path = "", count] = line.split(":");
  for (const name of [path.split("/", 2).join("/"), "all"]) {
    const { files, lines } = sizes.get(name) ?? { files: 0, lines: 0 };
    sizes.set(name, { files: files + 1, lines: lines + Number(count) });
  }
}
const rows = [...sizes].map(([name, { files, lines }]) => `| ${name} | ${files} | ${lines} |`).toSorted();
console.log(["| | files | lines |", "| --- | ---: | ---: |", ...rows].join("\n"));
