import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCheckpoint } from "./index.ts";
import { createWorkspace, photograph, type Workspace } from "./testing/workspace.ts";

const SCOPES = ["src/*.none", "a.txt src/*.none", "empty", "link/inside", "../..", ""];

/** A workspace with one file that is captured, one that is ignored, an empty folder and a link to elsewhere. */
function workspace({ git }: { readonly git: boolean }): Workspace {
  const made = createWorkspace({ git, committed: { "src/a.txt": "1\n", ".gitignore": "ignored\n" } });
  mkdirSync(join(made.root, "empty"));
  mkdirSync(`${made.root}-elsewhere`);
  symlinkSync(`${made.root}-elsewhere`, join(made.root, "link"));
  return made;
}

/** Everything that the program could have written to, times included. */
function everything({ root, options }: Workspace): unknown {
  return {
    files: photograph(root, { times: true }),
    own: [".checkpoints", ".audit"].map((name) => existsSync(join(root, name)) && photograph(join(root, name))),
    git:
      existsSync(join(root, ".git")) && readdirSync(join(root, ".git"), { recursive: true, encoding: "utf8" }).sort(),
    home: photograph(options.home),
  };
}

describe.for([{ git: true }, { git: false }])("bad input leaves nothing behind (git: $git)", ({ git }) => {
  test.for(SCOPES)("where nothing was made before: %j", async (scope) => {
    const made = workspace({ git });
    const before = everything(made);
    const result = await createCheckpoint({ scope: scope.split(" ") }, { ...made.options, auditAs: "create" });
    expect(result).toMatchObject({ status: "refused", report: { checkpoint_created: false } });
    expect(everything(made)).toEqual(before);
  });

  test.for(SCOPES)("where there is a store: %j", async (scope) => {
    const made = workspace({ git });
    await createCheckpoint({ scope: "src" }, { ...made.options, auditAs: "create" });
    const before = everything(made);
    const result = await createCheckpoint({ scope: scope.split(" ") }, { ...made.options, auditAs: "create" });
    expect(result).toMatchObject({ status: "refused" });
    expect(everything(made)).toEqual(before);
  });
});

test("a scope of something is none of its business", async () => {
  const made = workspace({ git: true });
  for (const scope of ["src", "src/*.txt", "yet-to-be-made.txt", "."])
    expect(await createCheckpoint({ scope }, made.options)).toMatchObject({ status: "created" });
});
