import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "@agent-checkpoint/categories";
import { readRepository } from "@agent-checkpoint/repository";
import { afterAll, expect, test } from "vitest";
import { outdatedConfig } from "./outdated-config.ts";
import { writeFiles } from "./testing/stack-cases.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-outdated-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const files = {
  "package.json": '{ "scripts": { "test": "vitest", "test:unit": "vitest unit" } }',
  Makefile: "migrate:\n\t./migrate\n",
  "src/a.ts": "",
  "scripts/check.sh": "",
  "core/Cargo.toml": "",
  "core/tests/a.rs": "",
};

function asks(...runs: readonly string[]): Config {
  return { actions: runs.map((run, index) => ({ id: `a${index}`, steps: [run] })) };
}

const rows: readonly { readonly has: string; readonly config: Config; readonly says: readonly string[] }[] = [
  {
    has: "what is declared",
    config: asks(
      "npm test",
      "npm run test:unit",
      "make migrate",
      "scripts/check.sh",
      "cd core && cargo test",
      "vitest run",
    ),
    says: [],
  },
  {
    has: "a script that is gone",
    config: asks("npm run e2e"),
    says: ["the action a0 runs `npm run e2e`, which is declared nowhere"],
  },
  {
    has: "a target that is gone",
    config: asks("make test"),
    says: ["the action a0 runs `make test`, which is declared nowhere"],
  },
  {
    has: "a file that is gone",
    config: asks("./runtest"),
    says: ["the action a0 runs `./runtest`, which is declared nowhere"],
  },
  {
    has: "a folder that is gone",
    config: asks("cd api && pytest"),
    says: ["the action a0 runs in api, which is gone"],
  },
  {
    has: "the tests of one language of two",
    config: { actions: [{ id: "tests", steps: ["npm test"] }] },
    says: ["the action tests does not name what runs the tests of Rust: `cd core && cargo test`"],
  },
  {
    has: "the tests of both languages",
    config: {
      actions: [{ id: "tests", instruction: "Run `npm test` or `cd core && cargo test`", steps: ["npm test"] }],
    },
    says: [],
  },
  {
    has: "a command of its own for all tests",
    config: { actions: [{ id: "tests", steps: ["./everything"] }] },
    says: ["the action tests runs `./everything`, which is declared nowhere"],
  },
];

test.for(rows)("a config with $has", async ({ config, says }) => {
  const root = mkdtempSync(join(scratch, "repo-"));
  writeFiles(root, files);
  const tracked = Object.keys(files);
  const facts = await readRepository(root, { tracked });
  const hasPath = (path: string) => tracked.some((file) => file === path || file.startsWith(`${path}/`));
  expect(outdatedConfig(config, { facts, hasPath })).toEqual(says);
});
