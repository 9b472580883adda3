import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findTranscript } from "./find-transcript.ts";
import { type TestFolder, newFolder } from "./testing/copy-recordings.ts";
import type { AgentName } from "./formats/agent-names.ts";

const SESSION = "0199f3a0-1c00-7000-8000-00000000000a";

let folder: TestFolder;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => folder.remove());

const write = (path: string, content = "{}\n"): string => {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};

const find = (agentName: AgentName, env: Readonly<Record<string, string>> = {}, sessionId = SESSION): string | null =>
  findTranscript({ agentName, sessionId, projectPath: "/home/dev/my_project.app", home: folder.path, env });

const gemini = (sessionId: string): string => `{"sessionId":"${sessionId}","projectHash":"00","startTime":"…"}\n`;

describe.for(["claude", "gemini", "codex"] as const)("for %s", (agent) => {
  test("an empty home has none", () => {
    expect(find(agent)).toBeNull();
  });

  test.for(["../../../secret", "x/../../../../secret", "a/b", "a\\b", "..", ".", ""])(
    "the session id %o cannot lead elsewhere",
    (id) => {
      write("secret.jsonl");
      write(`.claude/projects/-home-dev-my-project-app/${id}.jsonl`);
      write(`.codex/archived_sessions/rollout-1-${id}.jsonl`);
      write(`.gemini/tmp/mine/chats/session-1-${id.slice(0, 8)}.jsonl`, gemini(id));
      expect(find(agent, {}, id)).toBeNull();
    },
  );
});

describe("claude", () => {
  test("in the project's folder", () => {
    const file = write(`.claude/projects/-home-dev-my-project-app/${SESSION}.jsonl`);
    write(`.claude/projects/-home-dev-other/${SESSION}.jsonl`);
    expect(find("claude")).toBe(file);
  });

  test("in the project's folder rather than one that comes before it", () => {
    write(`.claude/projects/-a/${SESSION}.jsonl`);
    const file = write(`.claude/projects/-home-dev-my-project-app/${SESSION}.jsonl`);
    expect(find("claude")).toBe(file);
  });

  test("in another project's folder", () => {
    const file = write(`.claude/projects/-home-dev-other/${SESSION}.jsonl`);
    expect(find("claude")).toBe(file);
  });

  test("where the configuration was moved to", () => {
    const file = write(`config/projects/-home-dev-my-project-app/${SESSION}.jsonl`);
    expect(find("claude", { CLAUDE_CONFIG_DIR: join(folder.path, "config") })).toBe(file);
  });

  test("a folder with that name is none", () => {
    write(`.claude/projects/-home-dev-my-project-app/${SESSION}.jsonl/file`);
    expect(find("claude")).toBeNull();
  });
});

describe("gemini", () => {
  const NAME = "session-2026-11-16T02-41-0199f3a0";

  test("in the folder that projects.json names", () => {
    write(".gemini/projects.json", '{"projects":{"/home/dev/my_project.app":"mine"}}');
    const file = write(`.gemini/tmp/mine/chats/${NAME}.jsonl`, gemini(SESSION));
    write(`.gemini/tmp/a/chats/${NAME}.jsonl`, gemini(SESSION) + gemini(SESSION));
    expect(find("gemini")).toBe(file);
  });

  test("in a folder named by a hash, as one object", () => {
    const file = write(
      `.gemini/tmp/5f2c/chats/${NAME}.json`,
      `{\n  "sessionId": "${SESSION}",\n  "projectHash": "5f2c",\n  "messages": []\n}`,
    );
    expect(find("gemini")).toBe(file);
  });

  test("not a session whose id only begins alike", () => {
    write(`.gemini/tmp/mine/chats/${NAME}.jsonl`, gemini(SESSION.replace(/a$/, "b")));
    expect(find("gemini")).toBeNull();
  });

  test("not the stub that a resumed session leaves behind", () => {
    write(`.gemini/tmp/mine/chats/${NAME.replace("02-41", "02-43")}.jsonl`, gemini(SESSION));
    const file = write(`.gemini/tmp/mine/chats/${NAME}.jsonl`, `${gemini(SESSION)}{"$set":{"lastUpdated":"…"}}\n`);
    expect(find("gemini")).toBe(file);
  });

  test("where the home was moved to", () => {
    const file = write(`elsewhere/.gemini/tmp/mine/chats/${NAME}.jsonl`, gemini(SESSION));
    expect(find("gemini", { GEMINI_CLI_HOME: join(folder.path, "elsewhere") })).toBe(file);
  });
});

describe("codex", () => {
  const NAME = `rollout-2025-10-18T03-00-00-${SESSION}.jsonl`;

  test.for(["2025/10/17", "2025/10/18", "2025/10/19", "2024/01/02"])("in the folder of %s", (day) => {
    const file = write(`.codex/sessions/${day}/${NAME}`);
    write(`.codex/sessions/2025/10/18/rollout-2025-10-18T03-00-00-${SESSION.replace(/a$/, "b")}.jsonl`);
    expect(find("codex")).toBe(file);
  });

  test("in the folder of its day rather than the days beside it, and those rather than any other", () => {
    const days = ["2025/10/17", "2025/10/16", "2025/10/18", "2026/01/02", "2025/11/30", "2025/11/03", "2025/10/19"];
    const files = days.map((day) => write(`.codex/sessions/${day}/${NAME}`));
    write(`.codex/sessions/2099x/01/01/${NAME}`);
    write(`.codex/sessions/x2099/01/01/${NAME}`);
    const found = files.map(() => {
      const file = find("codex") ?? "";
      rmSync(file);
      return file;
    });
    expect(found).toEqual(files);
    expect(find("codex")).toBeNull();
  });

  test("not another file that ends alike", () => {
    write(`.codex/sessions/2025/10/18/notes-${SESSION}.jsonl`);
    write(`.codex/sessions/2025/10/18/rollout-${SESSION}.jsonl.bak`);
    expect(find("codex")).toBeNull();
  });

  test("among the archived ones", () => {
    const file = write(`.codex/archived_sessions/${NAME}`);
    expect(find("codex")).toBe(file);
  });

  test("where the home was moved to", () => {
    const file = write(`elsewhere/sessions/2025/10/18/${NAME}`);
    expect(find("codex", { CODEX_HOME: join(folder.path, "elsewhere") })).toBe(file);
  });

  test("a session whose id tells no time", () => {
    const id = "3f0c9a52-1111-4222-8333-00000000000a";
    const file = write(`.codex/sessions/2025/05/07/rollout-2025-05-07T03-00-00-${id}.jsonl`);
    expect(find("codex", {}, id)).toBe(file);
  });
});
