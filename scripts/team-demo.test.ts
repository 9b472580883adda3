import { execa } from "execa";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isPostgresMissing } from "../packages/service/src/testing/start-postgres.ts";

test.skipIf(isPostgresMissing())(
  "the demo of a team ends with a page of five machines",
  { timeout: 60_000 },
  async () => {
    const demo = fileURLToPath(new URL("team-demo.ts", import.meta.url));
    const { stdout } = await execa(process.execPath, [demo, "--once"]);
    expect(stdout.match(/^machine \d: \d+ rows sent, \d+ new$/gm)).toHaveLength(5);
    expect(stdout).toMatch(/\/open\?[\w-]{22}\n/);
    expect(stdout).toContain("% of");
  },
);
