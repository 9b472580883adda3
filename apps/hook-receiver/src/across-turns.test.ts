import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadScenario, type Step } from "@agent-checkpoint/fixtures";
import { execa } from "execa";
import { describe, test } from "vitest";
import { reasonOf } from "./testing/hook-process.ts";
import { type PlayedSession, stopFirst, write } from "./testing/play-turns.ts";
import { passes } from "./testing/stage-scenario.ts";

const SILENCE = passes("claude");
const missing = loadScenario("generic-tests-missing");
const done = loadScenario("generic-done");

const commitAll = async (project: string) => {
  const identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"];
  await execa("git", ["add", "--all"], { cwd: project });
  await execa("git", [...identity, "commit", "--quiet", "--message", "Back off"], { cwd: project });
};

describe("what was proven", () => {
  test.concurrent("is not asked for again when something else changes", async ({ expect: expectHere }) => {
    const { first, turn } = await stopFirst(done);
    expectHere(first).toEqual(SILENCE);
    expectHere(await turn([{ edit: "README.md" }], write("README.md", "words"))).toEqual(SILENCE);
  });

  test.concurrent("is asked for again once the file itself changes", async ({ expect: expectHere }) => {
    const { turn } = await stopFirst(done);
    const answer = await turn([{ edit: "src/server.ts" }], write("src/server.ts", "changed again"));
    expectHere(reasonOf(answer)).toContain("`src/server.ts`");
  });

  test.concurrent("stays proven when it is committed", async ({ expect: expectHere }) => {
    const { turn } = await stopFirst(done);
    expectHere(await turn([{ shell: "git commit -qam 'Back off'", output: "" }], commitAll)).toEqual(SILENCE);
  });
});

describe("a run that is not about the change", () => {
  const GREEN = "Test Files  1 passed (1)\n     Tests  4 passed (4)";
  const layOut = async (project: string) => {
    for (const name of ["api", "crypto"]) {
      mkdirSync(join(project, "packages", name), { recursive: true });
      write(`packages/${name}/package.json`, '{ "scripts": { "test": "vitest run" } }')(project);
      write(`packages/${name}/a.test.ts`, "")(project);
      write(`packages/${name}/a.ts`, "")(project);
    }
    await execa("git", ["add", "--all"], { cwd: project });
  };

  test.concurrent("does not prove another package", async ({ expect: expectHere }) => {
    const { turn } = await stopFirst(done);
    const run = { shell: "cd packages/crypto && npm test", output: GREEN };
    const calls = ["api", "crypto"].flatMap((name) => [{ write: `packages/${name}/a.ts` }]);
    const reason = reasonOf(await turn([...calls, run], layOut)) ?? "";
    expectHere(reason).toContain("`packages/api/a.ts`");
    expectHere(reason).toContain("cd packages/api && npm test");
  });

  test.concurrent("by hand does not stand for tests that are there", async ({ expect: expectHere }) => {
    const { turn } = await stopFirst(done);
    const calls = [{ edit: "src/server.ts" }, { shell: "node src/server.ts", output: "" }];
    expectHere(reasonOf(await turn(calls, write("src/server.ts", "again")))).toContain("`src/server.ts`");
  });
});

describe("what was asked for and left", () => {
  test.concurrent("is not asked for at every later turn", async ({ expect: expectHere }) => {
    const { first, turn } = await stopFirst(missing);
    expectHere(reasonOf(first)).toContain("`src/server.ts`");
    expectHere(await turn([{ edit: "README.md" }], write("README.md", "words"))).toEqual(SILENCE);
    expectHere(await turn([{ edit: "README.md" }], write("README.md", "more words"))).toEqual(SILENCE);
  });

  const pass: Step = { shell: "npm test", output: "ok\n" };
  const WAIVER = "Done. agent-checkpoint: cannot verify tests because the runner needs a licence.";

  const ways: { way: string; after: (session: PlayedSession) => Promise<unknown> }[] = [
    { way: "without a word", after: ({ goOn }) => goOn([]) },
    { way: "with a reason, which silences nothing", after: ({ goOn }) => goOn([], WAIVER) },
  ];
  test.concurrent.for(ways)(
    "$way, is mentioned once more where something else blocks, and then not until it changes",
    async ({ after }, { expect: expectHere }) => {
      const session = await stopFirst(missing);
      const { turn, settled } = session;
      await after(session);
      const second = await turn([{ edit: "src/server.test.ts" }], async (project) => {
        await settled(1);
        write("src/server.test.ts", "changed")(project);
      });
      expectHere(reasonOf(second)).toMatch(
        /`src\/server\.ts`[^]*`src\/server\.test\.ts`|`src\/server\.test\.ts`[^]*`src\/server\.ts`/,
      );
      const third = await turn([{ edit: "src/retry.ts" }], async (project) => {
        await settled(2);
        write("src/retry.ts", "new")(project);
      });
      expectHere(reasonOf(third)).toContain("`src/retry.ts`");
      expectHere(reasonOf(third)).not.toContain("`src/server.ts`");
      const fourth = await turn([{ edit: "src/server.ts" }], write("src/server.ts", "changed again"));
      expectHere(reasonOf(fourth)).toContain("`src/server.ts`");
    },
  );

  test.concurrent("is not mentioned again if it was done after all", async ({ expect: expectHere }) => {
    const { turn, goOn, settled } = await stopFirst(missing);
    await goOn([pass]);
    const second = await turn([{ edit: "src/server.test.ts" }], async (project) => {
      await settled(1);
      write("src/server.test.ts", "changed")(project);
    });
    expectHere(reasonOf(second)).toContain("`src/server.test.ts`");
    expectHere(reasonOf(second)).not.toContain("`src/server.ts`");
  });
});

describe("a turn that was not judged", () => {
  const ways = [
    { way: "passed by the timer", scenario: { ...missing, minutes: 0.1 }, changes: {} },
    { way: "was interrupted, so that there was no stop", scenario: missing, changes: null },
    { way: "passed in plan mode", scenario: missing, changes: { permission_mode: "plan" } },
  ];
  test.concurrent.for(ways)("since it $way: its changes are asked about later", async (row, { expect: expectHere }) => {
    const { first, turn } = await stopFirst(row.scenario, { changes: row.changes });
    expectHere(first).toEqual(SILENCE);
    const answer = await turn([{ read: "README.md" }], () => undefined);
    expectHere(reasonOf(answer)).toContain("`src/server.ts`");
    expectHere(await turn([{ read: "README.md" }], () => undefined)).toEqual(SILENCE);
  });
});

test.concurrent("what was changed before the session was first seen is not asked about", async ({
  expect: expectHere,
}) => {
  const { turn } = await stopFirst({ ...missing, minutes: 0.1 }, { isNew: false });
  expectHere(await turn([{ read: "README.md" }], () => undefined)).toEqual(SILENCE);
});

describe("a commit within the turn", () => {
  test.concurrent("does not end the question", async ({ expect: expectHere }) => {
    const { turn } = await stopFirst(done);
    const calls: readonly Step[] = [{ edit: "src/server.ts" }, { shell: "git commit -qam 'Back off'", output: "" }];
    const answer = await turn(calls, async (project) => {
      write("src/server.ts", "changed again")(project);
      await commitAll(project);
    });
    expectHere(reasonOf(answer)).toContain("`src/server.ts`");
  });

  test.concurrent("of files that the session did not write is not its work", async ({ expect: expectHere }) => {
    const { turn } = await stopFirst(done);
    const answer = await turn([{ shell: "git pull", output: "" }], async (project) => {
      write("src/theirs.ts", "from a colleague")(project);
      await commitAll(project);
    });
    expectHere(answer).toEqual(SILENCE);
  });
});
