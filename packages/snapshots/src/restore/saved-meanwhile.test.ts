import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCheckpoint, restoreCheckpoint } from "../index.ts";
import { createWorkspace, type Workspace } from "../testing/workspace.ts";

const FILES = { "a.txt": "one\n", "src/b.ts": "two\n", "src/c.ts": "three\n" };
const SAVED = "saved by a person\n";

/** The ways in which programs save a file. */
const SAVES: readonly { readonly way: string; readonly save: (path: string) => void }[] = [
  { way: "in place", save: (path) => writeFileSync(path, SAVED) },
  {
    way: "by a rename",
    save: (path) => {
      writeFileSync(`${path}~`, SAVED);
      renameSync(`${path}~`, path);
    },
  },
  {
    way: "by removing it first",
    save: (path) => {
      rmSync(path, { force: true });
      writeFileSync(path, SAVED);
    },
  },
];

async function broken(): Promise<Workspace & { readonly id: string }> {
  const workspace = createWorkspace({ committed: FILES });
  const { report } = await createCheckpoint({ scope: "." }, workspace.options);
  for (const path of Object.keys(FILES)) workspace.write(path, "broken\n");
  workspace.write("src/new.ts", "new\n");
  return { ...workspace, id: report.checkpoint?.id ?? "" };
}

/** The steps of such a restore, from the first after which something could be lost. */
async function stepsOfRestore(): Promise<readonly string[]> {
  const { options, id } = await broken();
  const steps: string[] = [];
  await restoreCheckpoint({ id, removeNew: true }, { ...options, step: (name) => void steps.push(name) });
  return steps.slice(steps.indexOf("kept"));
}

test.for(SAVES.flatMap((save) => [...Object.keys(FILES), "src/new.ts"].map((path) => ({ ...save, path }))))(
  "$path saved $way at any step of a restore is there afterwards, or can be brought back",
  { timeout: 120_000 },
  async ({ save, path }) => {
    for (const at of await stepsOfRestore()) {
      const { root, options, id } = await broken();
      const step = (name: string): void => void (name === at && save(join(root, path)));
      const result = await restoreCheckpoint({ id, removeNew: true }, { ...options, step });
      expect({ at, status: result.status, saved: readFileSync(join(root, path), "utf8") }).toMatchObject({
        at,
        saved: SAVED,
      });
      // A restore that stopped has taken everything else back.
      const others = Object.keys(FILES).filter((other) => other !== path);
      const expected =
        result.status === "restored" ? FILES : Object.fromEntries(others.map((other) => [other, "broken\n"]));
      for (const other of others)
        expect(readFileSync(join(root, other), "utf8")).toBe(expected[other as keyof typeof FILES]);
    }
  },
);
