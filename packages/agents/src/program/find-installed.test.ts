import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testFolder, writeTestFile } from "../testing/test-folder.ts";
import { findInstalled } from "./find-installed.ts";

const agent = { program: "codex", packageName: "@openai/codex" };
const FAILS_IF_RUN = "#!/bin/sh\necho 9.9.9\n";

test("an npm package tells its version without being run", async () => {
  const folder = testFolder();
  const module = join(folder, "lib", "node_modules", "@openai", "codex");
  writeTestFile(join(module, "package.json"), `{ "name": "@openai/codex", "version": "0.166.0" }`);
  const program = writeTestFile(join(module, "bin", "codex.js"), FAILS_IF_RUN, 0o755);
  const path = link(program, join(folder, "bin", "codex"));
  expect(await findInstalled(agent, { PATH: dirname(path) })).toEqual({ path, version: "0.166.0" });
});

test("a program in a folder of its version tells it without being run", async () => {
  const folder = testFolder();
  const program = writeTestFile(join(folder, "versions", "2.1.325"), FAILS_IF_RUN, 0o755);
  const path = link(program, join(folder, "bin", "codex"));
  expect(await findInstalled(agent, { PATH: dirname(path) })).toEqual({ path, version: "2.1.325" });
});

const answers = [
  { says: "a version", script: "echo codex-cli 0.146.0", version: "0.146.0" },
  { says: "something else", script: "echo hello", version: null },
  { says: "a version and fails", script: "echo 0.146.0; exit 3", version: "0.146.0" },
];
test.for(answers)("another program is asked, and says $says", async ({ script, version }) => {
  const path = writeTestFile(join(testFolder(), "codex"), `#!/bin/sh\n${script}\n`, 0o755);
  expect(await findInstalled(agent, { PATH: `${dirname(path)}:/bin` })).toEqual({ path, version });
});

test("what is no program is passed over", async () => {
  const folder = testFolder();
  mkdirSync(join(folder, "a", "codex"), { recursive: true });
  writeTestFile(join(folder, "b", "codex"), "not to be run");
  const path = writeTestFile(join(folder, "c", "0.1.0", "codex"), FAILS_IF_RUN, 0o755);
  const PATH = ["", "relative", join(folder, "a"), join(folder, "b"), dirname(path)].join(":");
  expect(await findInstalled(agent, { PATH })).toEqual({ path, version: "0.1.0" });
  expect(await findInstalled(agent, { PATH: join(folder, "a") })).toBeNull();
  expect(await findInstalled(agent, {})).toBeNull();
});

function link(target: string, path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  return path;
}
