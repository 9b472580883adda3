// Packs every package as it would be published and checks the tarball: publint, and the types as consumers see them.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-checkpoint-packed-"));
try {
  for (const name of readdirSync(packages)) {
    await execa("pnpm", ["pack", "--pack-destination", folder], { cwd: join(packages, name) });
  }
  for (const tarball of readdirSync(folder)) {
    console.log(tarball);
    await execa("publint", ["--strict", join(folder, tarball)], { stdout: "inherit", stderr: "inherit" });
    await execa("attw", ["--profile", "esm-only", "--format", "ascii", "--no-emoji", join(folder, tarball)], {
      stderr: "inherit",
    }).catch((error: unknown) => {
      if (error instanceof Error && "stdout" in error) console.error(error.stdout);
      throw error;
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
