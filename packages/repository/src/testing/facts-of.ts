import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readRepository, type RepositoryFacts } from "../read-repository.ts";

/** The facts of a repository that tracks these files. */
export async function factsOf(files: Readonly<Record<string, string>>): Promise<RepositoryFacts> {
  const root = mkdtempSync(join(tmpdir(), "checkpoint-repository-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await readRepository(root, { tracked: Object.keys(files) });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
