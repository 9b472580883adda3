import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { getCheckpointContent } from "../get-checkpoint-content.ts";

let isLarge = false;
vi.mock("@agent-checkpoint/git", async (original) => ({
  ...(await original<object>()),
  isLargeRepository: () => isLarge,
}));

/** What lies in a folder for temporary files is nobody's work. */
const PLACE = fileURLToPath(new URL("../../node_modules/.changes-", import.meta.url));
let home = "";
let root = "";
const homes: string[] = [];
afterAll(() => homes.forEach((one) => rmSync(one, { recursive: true, force: true })));

const PATCH = ["--- a/src/app.py", "+++ b/src/app.py", "@@ -1 +1 @@", "-x = 1", "+x = 2", ""].join("\n");

/** A program that rewrites the file that it is given last, as the real one of that name does. */
const REWRITE =
  '#!/bin/sh\nfor last; do :; done\n[ -d "$last" ] && last="$last/app.py"\nsed s/1/2/ "$last" > "$last.new" && mv "$last.new" "$last"\n';

beforeEach(() => {
  home = mkdtempSync(PLACE);
  homes.push(home);
  root = join(home, "project");
  for (const folder of ["src", "tests"]) mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(home, "bin"));
  for (const program of ["ruff", "black", "jscodeshift", "ast-grep", "comby", "openapi-generator", "uv", "codemod"]) {
    writeFileSync(join(home, "bin", program), REWRITE);
    chmodSync(join(home, "bin", program), 0o755);
  }
  writeFileSync(join(root, "src", "app.py"), "x = 1\n");
  writeFileSync(join(root, "tests", "test_app.py"), "def test(): pass\n");
  writeFileSync(join(root, "Makefile"), "generate:\n\tsed -i s/1/2/ src/app.py\n");
  writeFileSync(join(home, "x.patch"), PATCH);
  writeFileSync(
    join(home, "edit.py"),
    "import re; p='src/app.py'; s=open(p).read(); open(p,'w').write(s.replace('1','2'))\n",
  );
  run("git init -qb main && git config user.email a@b.c && git config user.name a && git add -A && git commit -qm one");
  run("git checkout -qb other && sed -i s/1/2/ src/app.py && git commit -qam two && git checkout -q main");
});

function run(command: string, env: Readonly<Record<string, string>> = {}): number {
  const path = `${join(home, "bin")}:${process.env["PATH"] ?? ""}`;
  const { status, stderr } = spawnSync("bash", ["-c", command], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, HOME: home, PATH: path, ...env },
  });
  expect(stderr).not.toMatch(/not found|No such/);
  return status ?? -1;
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly from: Date;
  readonly to: Date;
  readonly output?: string;
}

/** Runs a command for real and tells when it started and ended. */
async function bash(command: string, output = ""): Promise<Call> {
  await setTimeout(30);
  const from = new Date();
  run(command);
  await setTimeout(30);
  return { name: "Bash", input: { command }, from, to: new Date(), output };
}

/** What a stop asks for after these calls, the same in a large repository, where git may be asked about few paths. */
async function asked(...calls: readonly Call[]): Promise<readonly string[]> {
  const line = { sessionId: "s", cwd: root, version: "2.1.0", userType: "external", isSidechain: false };
  const said = (at: Date, type: string, content: unknown) =>
    JSON.stringify({
      ...line,
      type,
      timestamp: at.toISOString(),
      uuid: String(at.getTime()),
      message: { role: type, content },
    });
  const lines = calls.flatMap(({ name, input, from, to, output }, index) => [
    said(from, "assistant", [{ type: "tool_use", id: `call-${index}`, name, input }]),
    said(to, "user", [{ type: "tool_result", tool_use_id: `call-${index}`, is_error: false, content: output ?? "" }]),
  ]);
  const transcriptPath = join(home, "session.jsonl");
  writeFileSync(transcriptPath, [said(new Date(0), "user", "Do it"), ...lines, ""].join("\n"));
  const request = { agentName: "claude", projectPath: root, transcriptPath, workingSlug: null, home } as const;
  const now = new Date();
  isLarge = true;
  const inLarge = await getCheckpointContent({ ...request, now });
  isLarge = false;
  const checkpoint = await getCheckpointContent({ ...request, now });
  expect(inLarge).toEqual(checkpoint);
  const { result } = checkpoint;
  return result?.actions.map(({ id }) => id) ?? ["nothing judged"];
}

const ways = [
  "for f in src/*.py; do sed -i s/1/2/ $f; done",
  "sed -i s/1/2/ src/*.py",
  "perl -pi -e s/1/2/ src/app.py",
  "grep -rl 1 src | xargs sed -i s/1/2/",
  "find src -name '*.py' -exec sed -i s/1/2/ {} +",
  "awk '{ sub(1, 2) } 1' src/app.py > /tmp/x.$$ && mv /tmp/x.$$ src/app.py",
  "python3 ../edit.py",
  "python3 - < ../edit.py",
  "python3 - <<'EOF'\nfrom pathlib import Path\nfor p in Path('src').glob('*.py'): p.write_text('x = 2')\nEOF",
  "python3 -c \"import glob; [open(p, 'w').write('x = 2') for p in glob.glob('src/*.py')]\"",
  "node -e \"const fs = require('fs'); for (const f of fs.readdirSync('src')) fs.writeFileSync('src/' + f, 'x = 2')\"",
  "git apply ../x.patch",
  "patch -p1 -s < ../x.patch",
  "git cherry-pick -n other",
  "git diff main other | git apply",
  "git stash -q; sed -i s/1/2/ src/app.py",
  "make -s generate",
  "ruff check --fix src",
  "jscodeshift -t t.js src",
  "ast-grep run -p a -r b -U src",
  "comby -i a b src",
  "codemod src",
  "openapi-generator generate -o src",
  "F=src/app.py; echo 'x = 2' > $F",
  "cd src && cat > app.py <<'EOF'\nx = 2\nEOF",
];

describe("what a call changes without an edit tool is the turn's work", () => {
  test.for(ways)("%s", async (way) => {
    const call = await bash(way);
    expect(await asked(call)).toEqual(["tests"]);
  });

  test.for(ways)("and makes tests before it stale: %s", async (way) => {
    const now = new Date();
    const edit = {
      name: "Edit",
      input: { file_path: "src/app.py", old_string: "x", new_string: "y" },
      from: now,
      to: now,
    };
    const tested = await bash("true");
    const tests = { ...tested, input: { command: "pytest" }, output: "5 passed in 0.12s" };
    const call = await bash(way);
    expect(await asked(edit, tests, call)).toEqual(way.includes("--fix") ? [] : ["tests"]);
  });
});

describe("what is not", () => {
  test("a change while no call ran is the person's", async () => {
    const call = await bash("python3 ../edit.py --help; git checkout -q src");
    run("sed -i s/1/3/ src/app.py");
    expect(await asked(call)).toEqual([]);
  });

  test.for(["pytest", "cat src/app.py", "git log -1", "sleep 0"])(
    "a change while `%s` ran is the person's",
    async (command) => {
      const call = await bash("sed -i s/1/2/ src/app.py");
      expect(await asked({ ...call, input: { command } })).toEqual([]);
    },
  );

  test("what git brings from other commits is not", async () => {
    expect(await asked(await bash("git merge -q other"))).toEqual([]);
  });

  test("a formatter changes nothing that tests could see", async () => {
    expect(await asked(await bash("black src"))).toEqual([]);
  });
});

test.for([
  { name: "mcp__filesystem__edit_file", input: { path: "src/app.py", edits: [{ oldText: "1", newText: "2" }] } },
  { name: "mcp__serena__replace_symbol_body", input: { relative_path: "src/app.py", name_path: "x", body: "x = 2" } },
  { name: "mcp__jetbrains__replace_text_in_file", input: { pathInProject: "src/app.py", oldText: "1", newText: "2" } },
])("an edit by $name", async ({ name, input }) => {
  const call = await bash("sed -i s/1/2/ src/app.py");
  expect(await asked({ ...call, name, input })).toEqual(["tests"]);
});

describe("another repository or work tree that the turn works in", () => {
  const now = new Date();
  const edit = (path: string): Call => {
    writeFileSync(join(root, path), "x = 3\n");
    return {
      name: "Edit",
      input: { file_path: join(root, path), old_string: "1", new_string: "3" },
      from: now,
      to: now,
    };
  };
  const tested = (command: string): Call => ({
    name: "Bash",
    input: { command },
    from: now,
    to: now,
    output: "5 passed in 0.12s",
  });

  const rows = [
    {
      is: "a sister, committed",
      stage: "cp -r . ../sister",
      work: "cd ../sister && git commit -qam x",
      tests: null,
      asks: ["tests"],
    },
    {
      is: "a sister, tested there",
      stage: "cp -r . ../sister",
      work: "cd ../sister && git add .",
      tests: "cd ../sister && pytest",
      asks: [],
    },
    {
      is: "a sister, tested here",
      stage: "cp -r . ../sister",
      work: "cd ../sister && git add .",
      tests: "pytest",
      asks: ["tests"],
    },
    {
      is: "a sister without tests",
      stage: "cp -r . ../sister && cd ../sister && git rm -rqf tests",
      work: "git -C ../sister add .",
      tests: null,
      asks: [],
    },
    { is: "a sister that git is not used in", stage: "cp -r . ../sister", work: "ls ../sister", tests: null, asks: [] },
    {
      is: "a work tree",
      stage: "git worktree add -q ../sister",
      work: "cd ../sister && git commit -qam x",
      tests: null,
      asks: ["tests"],
    },
  ];
  test.for(rows)("$is: $asks", async ({ stage, work, tests, asks }) => {
    run(stage);
    const calls = [edit("../sister/src/app.py"), await bash(work), ...(tests === null ? [] : [tested(tests)])];
    expect(await asked(...calls)).toEqual(asks);
  });
});
