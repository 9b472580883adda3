import { readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";

const ROOT = new URL("../", import.meta.url);

/** Does some work in this process, and returns the files of ours whose functions it called, relative to the root of the repository. */
export async function walk(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => (url.startsWith(ROOT.href) ? url.slice(ROOT.href.length) : ""))
    .filter((path) => /^(?:apps|packages)\//.test(path))
    .toSorted();
}

/** Where a walk stands in a document, and what it is of. */
interface Section {
  readonly name: string;
  readonly document: string;
  readonly subject: string;
  /** The files that the walk is about, where it also leads through general ones. */
  readonly own?: RegExp;
}

/** Prints a walk as a section of a document, a row for each package with its files; `--write` puts it into the document. */
export function tellWalk(files: readonly string[], { name, document, subject, own }: Section): void {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const rows = new Map<string, string[]>();
  for (const path of files) {
    const [, room = "", file = ""] = /^(?:apps|packages)\/([^/]+)\/src\/(.*)\.ts$/.exec(path) ?? [];
    rows.set(room, [...(rows.get(room) ?? []), `\`${file}\``]);
  }
  const owned = own === undefined ? "" : `, ${files.filter((path) => own.test(path)).length} of them its own`;
  const section = [
    start,
    `${subject} runs ${files.length} files${owned}, once the program has started:`,
    "",
    "| package | files |",
    "| --- | --- |",
    ...[...rows].map(([room, cells]) => `| ${room} (${cells.length}) | ${cells.join(", ")} |`),
    end,
  ].join("\n");
  if (!process.argv.includes("--write")) return void process.stdout.write(`${section}\n`);
  const path = new URL(document, ROOT);
  const [before = "", rest = ""] = readFileSync(path, "utf8").split(start);
  writeFileSync(path, `${before}${section}${rest.split(end)[1] ?? ""}`);
}
