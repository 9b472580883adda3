import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCheckpoint, restoreCheckpoint } from "./index.ts";
import { fastFolder } from "./testing/fast-folder.ts";
import { put, someMutations, someThings } from "./testing/random-tree.ts";
import { photograph, photographGit, runTestGit } from "./testing/workspace.ts";

const kinds = [
  { type: "git_stash", keepsEmptyFolders: false },
  { type: "file_backup", keepsEmptyFolders: true },
] as const;

test.for(kinds)(
  "whatever happens to the scope, $type brings it back, and nothing else changes",
  { timeout: 120_000 },
  async ({ type, keepsEmptyFolders }) => {
    await fc.assert(
      fc.asyncProperty(
        someThings,
        someThings,
        someThings,
        someMutations,
        async (committed, dirty, outside, mutations) => {
          const top = fastFolder("round-trip-");
          try {
            const root = join(top, "work");
            const scope = join(root, "in");
            for (const folder of ["work", "work/in", "work/out", "home", "user"]) mkdirSync(join(top, folder));
            runTestGit(root, ["init", "--quiet"]);
            writeFileSync(join(root, ".gitattributes"), "* text=auto\n");
            put(
              scope,
              committed.filter(({ kind }) => kind !== "repository"),
            );
            runTestGit(root, ["add", "--all"]);
            runTestGit(root, ["commit", "--quiet", "--message", "first"]);
            put(scope, dirty);
            put(join(root, "out"), outside);
            const seeScope = (): unknown =>
              keepsEmptyFolders ? photograph(scope) : withoutEmptyFolders(photograph(scope));
            const seeRest = (): unknown => ({
              outside: photograph(join(root, "out"), { times: true }),
              repository: photographGit(root),
            });
            const before = {
              scope: seeScope(),
              rest: seeRest(),
              status: runTestGit(root, ["status", "--porcelain=v2", "-z"]),
            };
            const options = { cwd: root, home: join(top, "home"), userHome: join(top, "user") };

            const made = await createCheckpoint({ scope: "in", checkpoint_type: type }, options);
            fc.pre(made.status === "created" || made.code !== "nothing-matched");
            if (made.status !== "created") throw new Error(made.message);
            expect({
              scope: seeScope(),
              rest: seeRest(),
              status: runTestGit(root, ["status", "--porcelain=v2", "-z"]),
            }).toEqual(before);

            put(scope, mutations);
            const mutated = photograph(scope);
            const back = await restoreCheckpoint({ id: made.report.checkpoint?.id ?? "", removeNew: true }, options);
            expect(back).toMatchObject({ status: "restored", report: { verification: { match: true } } });
            expect({
              scope: seeScope(),
              rest: seeRest(),
              status: runTestGit(root, ["status", "--porcelain=v2", "-z"]),
            }).toEqual(before);

            if (back.status !== "restored" || back.report.undo === null) return;
            const again = await restoreCheckpoint({ id: back.report.undo.checkpoint_id }, options);
            expect(again).toMatchObject({ status: "restored", report: { verification: { match: true } } });
            expect(withoutEmptyFolders(photograph(scope))).toEqual(withoutEmptyFolders(mutated));
          } finally {
            execFileSync("chmod", ["-R", "u+rwx", top]);
            rmSync(top, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 20 },
    );
  },
);

/** Folders without a file below them are nothing to git. */
function withoutEmptyFolders(photo: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const files = Object.keys(photo).filter((path) => !path.endsWith("/"));
  return Object.fromEntries(Object.entries(photo).filter(([path]) => files.some((file) => file.startsWith(path))));
}
