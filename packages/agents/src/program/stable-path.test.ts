import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testFolder, writeTestFile } from "../testing/test-folder.ts";
import { isInRunnerCache, stableNodePath, stablePackagePath } from "./stable-path.ts";

describe("the node to write into settings", () => {
  const cases = [
    { installer: "a distribution", node: "usr/bin/node", links: {}, path: ["usr/bin"], stable: "usr/bin/node" },
    {
      installer: "a tarball with a link on the PATH",
      node: "opt/node-v24.1.0-linux-x64/bin/node",
      links: { "usr/local/bin/node": "opt/node-v24.1.0-linux-x64/bin/node" },
      path: ["opt/node-v24.1.0-linux-x64/bin", "usr/local/bin"],
      stable: "usr/local/bin/node",
    },
    {
      installer: "Homebrew",
      node: "brew/Cellar/node@24/24.1.0/bin/node",
      links: {
        "brew/opt/node@24": "brew/Cellar/node@24/24.1.0",
        "brew/bin/node": "brew/Cellar/node@24/24.1.0/bin/node",
      },
      path: ["brew/bin"],
      stable: "brew/opt/node@24/bin/node",
    },
    {
      installer: "mise",
      node: "mise/installs/node/24.1.0/bin/node",
      links: { "mise/installs/node/24": "mise/installs/node/24.1.0" },
      path: ["mise/installs/node/24.1.0/bin"],
      stable: "mise/installs/node/24/bin/node",
    },
    {
      installer: "fnm, whose link on the PATH goes with the login",
      node: "fnm/node-versions/v24.1.0/installation/bin/node",
      links: {
        "state/fnm_multishells/1_2": "fnm/node-versions/v24.1.0/installation",
        "fnm/aliases/default": "fnm/node-versions/v24.1.0/installation",
      },
      path: ["state/fnm_multishells/1_2/bin"],
      stable: "fnm/aliases/default/bin/node",
    },
    {
      installer: "nvm, which has no link",
      node: "nvm/versions/node/v24.1.0/bin/node",
      links: {},
      path: ["nvm/versions/node/v24.1.0/bin"],
      stable: "nvm/versions/node/v24.1.0/bin/node",
    },
    {
      installer: "a link that leads to another node",
      node: "opt/node-v24.1.0/bin/node",
      links: { "usr/local/bin/node": "opt/node-v22.1.0/bin/node" },
      path: ["usr/local/bin"],
      stable: "opt/node-v24.1.0/bin/node",
    },
  ];
  test.for(cases)("$installer", ({ node, links, path, stable }) => {
    const folder = testFolder();
    const at = (name: string) => join(folder, name);
    writeTestFile(at(node), "", 0o755);
    for (const [link, target] of Object.entries(links)) {
      mkdirSync(dirname(at(link)), { recursive: true });
      symlinkSync(at(target), at(link));
    }
    expect(stableNodePath(at(node), path.map(at).join(":"))).toBe(at(stable));
  });
});

test("a program that pnpm installed is written without its version", () => {
  const modules = join(testFolder(), "global", "5");
  const real = join(
    modules,
    ".pnpm",
    "@agent-checkpoint+cli@0.1.0",
    "node_modules",
    "@agent-checkpoint",
    "cli",
    "dist",
    "p.cjs",
  );
  writeTestFile(real, "");
  const stable = join(modules, "node_modules", "@agent-checkpoint", "cli");
  expect(stablePackagePath(real)).toBe(real);
  mkdirSync(dirname(stable), { recursive: true });
  symlinkSync(dirname(dirname(real)), stable);
  expect(stablePackagePath(real)).toBe(join(stable, "dist", "p.cjs"));
});

const caches = [
  { path: "/home/me/.npm/_npx/0123456789abcdef/node_modules/@agent-checkpoint/cli/dist/p.cjs", isCache: true },
  { path: "/home/me/.cache/pnpm/dlx-1234/5/node_modules/@agent-checkpoint/cli/dist/p.cjs", isCache: true },
  { path: "/home/me/.cache/pnpm/dlx/abc/node_modules/@agent-checkpoint/cli/dist/p.cjs", isCache: true },
  { path: "/usr/lib/node_modules/@agent-checkpoint/cli/dist/p.cjs", isCache: false },
];
test.for(caches)("$path: a runner's cache is $isCache", ({ path, isCache }) => {
  expect(isInRunnerCache(path)).toBe(isCache);
});
