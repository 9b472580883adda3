import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { loadScenario, type Scenario } from "@agent-checkpoint/fixtures";
import { describe, test } from "vitest";
import { bytesOf } from "../testing/bytes-of.ts";
import { callHook, IS_BINARY_TESTED, reasonOf } from "../testing/hook-process.ts";
import { scratchFolder } from "../testing/scratch.ts";
import { stageScenario } from "../testing/stage-scenario.ts";

const daemon = loadScenario("daemon-change-not-restarted");
const generic = loadScenario("generic-tests-missing");

/** A file outside of everything, with words that must be found nowhere. */
const OUTSIDE = "PRIVATE-WORDS";

async function stage(scenario: Scenario) {
  const staged = await stageScenario(scenario, "claude");
  return { ...staged, outside: scratchFolder() };
}

describe("a repository's config that is a link", () => {
  const config = JSON.stringify({ preset: "generic", scope: "tree" });
  const cases = [
    { to: "a private file", text: `${OUTSIDE}\n` },
    { to: "a private file of JSON", text: JSON.stringify({ scope: OUTSIDE, [OUTSIDE]: OUTSIDE }) },
    { to: "a config that could be used", text: config },
  ];
  test.concurrent.for(cases)("out to $to is refused, and nothing of it said", async ({ text }, { expect }) => {
    const { project, outside, stop, home } = await stage(generic);
    writeFileSync(join(outside, "file"), text);
    symlinkSync(join(outside, "file"), join(project, "checkpoint.config.json"));
    const reason = reasonOf(await stop());
    expect(reason).toContain(
      "- `checkpoint.config.json`: expected `a readable file`, found `a link that leads out of the repository`",
    );
    expect(reason).not.toContain(OUTSIDE);
    expect(Object.values(bytesOf(home)).filter((bytes) => bytes.includes(OUTSIDE))).toEqual([]);
  });

  test.concurrent("to another file of the repository is followed", async ({ expect }) => {
    const { project, stop } = await stage(generic);
    writeFileSync(join(project, "shared.json"), JSON.stringify({ scope: "tree" }));
    symlinkSync("shared.json", join(project, "checkpoint.config.json"));
    expect(reasonOf(await stop())).toContain("Changed files:");
    expect(reasonOf(await stop())).toBeNull();
  });

  const endless = [
    { what: "a pipe", make: (path: string) => void execFileSync("mkfifo", [path]), found: "no regular file" },
    { what: "a folder", make: (path: string) => mkdirSync(path), found: "it is a folder" },
    {
      what: "a link to a device",
      make: (path: string) => symlinkSync("/dev/zero", path),
      found: "a link that leads out of the repository",
    },
    {
      what: "more than a config could say",
      make: (path: string) => writeFileSync(path, " ".repeat(1024 * 1024 + 1)),
      found: "more than 1 MB",
    },
  ];
  test.concurrent.for(endless)("or $what, does not keep the agent waiting", async ({ make, found }, { expect }) => {
    const { project, stop } = await stage(generic);
    make(join(project, "checkpoint.config.json"));
    expect(reasonOf(await stop())).toContain(`found \`${found}\``);
  });
});

test.concurrent("the person's own config may be a link", async ({ expect }) => {
  const { outside, stop, home } = await stage(generic);
  mkdirSync(home);
  writeFileSync(join(outside, "mine.json"), JSON.stringify({ scope: 3 }));
  symlinkSync(join(outside, "mine.json"), join(home, "config.json"));
  expect(reasonOf(await stop())).toContain("`scope`");
});

describe("a folder of the repository that is a link", () => {
  test.concurrent("is not looked into for the preset", async ({ expect }) => {
    const { project, outside, stop } = await stage(generic);
    writeFileSync(join(outside, "daemon.py"), "");
    symlinkSync(outside, join(project, "teleclaude"));
    expect(reasonOf(await stop())).not.toContain("instrukt-ai-logs");
  });

  test.concurrent("is not looked into for the plan", async ({ expect }) => {
    const plan = "## Files to Change\n\n| File |\n| --- |\n| `other.ts` |\n";
    const scenario: Scenario = {
      ...generic,
      slug: "slug",
      contents: { ...generic.contents, "todos/slug/implementation-plan.md": plan },
    };
    const drift = "None of the changed files is in the plan";
    const { project, outside, stop } = await stage(scenario);
    renameSync(join(project, "todos"), join(outside, "todos"));
    symlinkSync(join(outside, "todos"), join(project, "todos"));
    expect(reasonOf(await stop())).not.toContain(drift);
    // The same plan in its place is read.
    const inPlace = await stage(scenario);
    expect(reasonOf(await inPlace.stop())).toContain(drift);
  });
});

describe("a transcript that is a link", () => {
  const linked = async (place: (transcript: string, outside: string) => string) => {
    const staged = await stage(loadScenario("everything-done"));
    const transcript = join(dirname(staged.project), "session.jsonl");
    const target = place(transcript, staged.outside);
    renameSync(transcript, target);
    symlinkSync(target, transcript);
    await staged.prompt();
    return { ...staged, message: reasonOf(await staged.stop()) };
  };

  test.concurrent("out of its folder counts as missing", async ({ expect }) => {
    const { message, home } = await linked((_, outside) => join(outside, "session.jsonl"));
    expect(message).toContain("1. Run `make restart`");
    expect(bytesOf(home)["checkpoint.log"]).toContain('detail="transcript missing"');
  });

  test.concurrent("within its folder is read", async ({ expect }) => {
    const { message } = await linked((transcript) => `${transcript}.real`);
    expect(message).toContain("All expected validations were observed");
  });
});

describe("an entry of the home that is a link", () => {
  /** What the hook finds in the place of a file of its own. */
  const places = [
    "checkpoint.log",
    "journal.jsonl",
    "prompted-sessions",
    "checkpoint.db",
    "checkpoint.db-wal",
    "checkpoint.db-shm",
    "checkpoint.lock",
    "checkpoint.db.new",
  ];
  test.concurrent.for(places.flatMap((name) => [true, false].map((isThere) => ({ name, isThere }))))(
    "$name: where it leads (there: $isThere) is neither written nor made",
    async ({ name, isThere }, { expect }) => {
      const { outside, prompt, stop, home } = await stage(daemon);
      mkdirSync(home, { mode: 0o700 });
      // A side file is opened only beside a database.
      if (/-(?:wal|shm)$/.test(name)) {
        await stop({ session_id: "before" });
        rmSync(join(home, name), { force: true });
      }
      const target = join(outside, "target");
      if (isThere) writeFileSync(target, OUTSIDE);
      symlinkSync(target, join(home, name));
      const flagged = () => stop({ stop_hook_active: true });
      const busy = () => stop({ background_tasks: 3 });
      for (const call of [prompt, flagged, busy, stop]) {
        const { exitCode, stderr } = await call();
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      }
      expect(readdirSync(outside)).toEqual(isThere ? ["target"] : []);
      if (isThere) expect(readFileSync(target, "utf8")).toBe(OUTSIDE);
    },
  );
});

describe("code is taken from nobody else's folder", () => {
  const cases = [
    {
      title: "a home that others may write to",
      arrange: (home: string) => chmodSync(home, 0o777),
    },
    {
      title: "a cache that others may write to",
      arrange: (home: string) => {
        mkdirSync(join(home, "compile-cache"));
        chmodSync(join(home, "compile-cache"), 0o777);
      },
    },
    {
      title: "a cache that is a link",
      arrange: (home: string, outside: string) => symlinkSync(outside, join(home, "compile-cache")),
    },
    {
      title: "a home of another user",
      arrange: (home: string) => chownSync(home, 54_321, 54_321),
      isForRoot: true,
    },
  ];
  test.concurrent.for(cases)("$title", async ({ arrange, isForRoot = false }, { expect, skip }) => {
    skip(isForRoot && process.getuid?.() !== 0, "only root can give a folder away");
    const { stop, home, outside } = await stage(daemon);
    mkdirSync(home, { mode: 0o700 });
    arrange(home, outside);
    expect(reasonOf(await stop())).toContain("make restart");
    const cache = join(home, "compile-cache");
    expect({ outside: readdirSync(outside), cached: existsSync(cache) ? readdirSync(cache) : [] }).toEqual({
      outside: [],
      cached: [],
    });
  });

  test.skipIf(IS_BINARY_TESTED).concurrent("a home of one's own keeps it", async ({ expect }) => {
    const { stop, home } = await stage(daemon);
    mkdirSync(home, { mode: 0o700 });
    await stop();
    expect(readdirSync(join(home, "compile-cache")).length).toBeGreaterThan(0);
  });
});

test.concurrent("what is made is readable by its owner only, whatever the umask", async ({ expect }) => {
  const { project, facts, home } = await stage(daemon);
  const under = ["sh", "-c", 'umask 000; exec "$@"', "sh"];
  const events = [
    { hook_event_name: "UserPromptSubmit", session_id: facts.sessionId, cwd: project, prompt: "x" },
    { hook_event_name: "Stop", session_id: facts.sessionId, cwd: project, stop_hook_active: true },
    { hook_event_name: "Stop", session_id: facts.sessionId, cwd: project, background_tasks: 3 },
    { hook_event_name: "Stop", session_id: facts.sessionId, cwd: project },
    { hook_event_name: "Stop", session_id: "another", cwd: project },
  ];
  const env = { CHECKPOINT_HOME: join(home, "deep", "er") };
  for (const event of events) await callHook({ agent: "claude", event, env, under });
  const made = ["", ...readdirSync(home, { recursive: true, encoding: "utf8" })].map((name) => join(home, name));
  const open = made.filter((path) => (lstatSync(path).mode & 0o077) !== 0);
  expect(made.length).toBeGreaterThan(4);
  expect(open).toEqual([]);
  expect(existsSync(join(home, "deep", "er", "checkpoint.db"))).toBe(true);
});
