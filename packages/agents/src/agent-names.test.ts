import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The two places that know agents, the app that is for one agent alone, and tests. */
const MAY_KNOW = /^packages\/(?:agents|transcript\/src\/formats)\/|^apps\/codex-injector\/|\.test\.ts$|\/testing\//;

const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** A name as a whole string, as a choice of a pattern, or as a key. */
function namesIn(code: string): readonly string[] {
  const names = AGENT_NAMES.join("|");
  const mention = new RegExp(`["'\`(|](?:${names})["'\`)|]|(?<![\\w.-])(?:${names})\\??:`, "g");
  return [...code.replaceAll(COMMENT, "").matchAll(mention)].map(([found]) => found);
}

test("only agents and transcript/formats know an agent's name", () => {
  const files = globSync(["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"], { cwd: ROOT });
  const found = files
    .filter((file) => !MAY_KNOW.test(file))
    .flatMap((file) => namesIn(readFileSync(ROOT + file, "utf8")).map((name) => `${file}: ${name}`));
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

const mentions = [
  { code: `const AGENTS = ["claude", 'gemini'];`, found: [`"claude"`, `'gemini'`] },
  { code: "const TITLES = { claude: 1, codex: 2 };", found: ["claude:", "codex:"] },
  { code: "/^session\\/(claude|gemini|codex)$/", found: ["(claude|", "|codex)"] },
  {
    code: `// like "claude"\n/** or "codex" */ run("checkpoint why --agent codex", "~/.claude", "teleclaude");`,
    found: [],
  },
];
test.for(mentions)("$code", ({ code, found }) => {
  expect(namesIn(code)).toEqual(found);
});
