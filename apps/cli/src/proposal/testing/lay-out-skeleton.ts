import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { writeFiles } from "./stack-cases.ts";

interface Skeleton {
  readonly manifests: Readonly<Record<string, string>>;
  /** Names of targets by file. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
}

/** How a file with targets of these names is written, by the file's name. */
const TARGET_FILES: readonly (readonly [file: RegExp, line: (name: string) => string])[] = [
  [/^rakefile$/i, (name) => `task "${name}"\n`],
  [/^noxfile\.py$/, (name) => `@nox.session\ndef ${name}(session):\n    pass\n`],
  [/^mix\.exs$/, () => ""],
  [/./, (name) => `${name}:\n`],
];

/** Lays out what a described repository declares in a folder, and gives the paths that it tracks. */
export function layOutSkeleton(described: string, folder: string): readonly string[] {
  const unpack = (file: string) => gunzipSync(readFileSync(join(described, file))).toString("utf8");
  const { manifests, targets }: Skeleton = JSON.parse(unpack("manifests.json.gz"));
  writeFiles(folder, manifests);
  for (const [path, names] of Object.entries(targets)) {
    const line = TARGET_FILES.find(([file]) => file.test(basename(path)))?.[1];
    writeFiles(folder, { [path]: names.map((name) => line?.(name.replace(/:$/, "")) ?? "").join("") });
  }
  return unpack("tracked.txt.gz")
    .split("\n")
    .filter((path) => path !== "");
}
