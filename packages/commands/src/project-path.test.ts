import { describe, expect, test } from "vitest";
import { isInProject, joinPath, toProjectPath } from "./project-path.ts";

describe("two paths joined", () => {
  const rows = [
    { base: "/a/b", path: "c", is: "/a/b/c" },
    { base: "/a/b", path: "/c", is: "/c" },
    { base: "/a/b", path: "./c//d/.", is: "/a/b/c/d" },
    { base: "/a/b", path: "../c", is: "/a/c" },
    { base: "/a", path: "../../c", is: "/c" },
    { base: "/", path: "..", is: "/" },
    { base: ".", path: "a", is: "a" },
    { base: ".", path: ".", is: "." },
    { base: "a", path: "..", is: "." },
    { base: ".", path: "..", is: ".." },
    { base: "..", path: "..", is: "../.." },
    { base: "../a", path: "../../b", is: "../../b" },
    { base: "a", path: "..b", is: "a/..b" },
    { base: "/a", path: String.raw`b\c`, is: String.raw`/a/b\c` },
    { base: "C:/a", path: "b", is: "C:/a/b" },
    { base: "/a", path: String.raw`C:\b\c`, is: "C:/b/c" },
    { base: "/a", path: "c:/b", is: "c:/b" },
    { base: String.raw`C:\a`, path: String.raw`..\b`, is: "C:/b" },
    { base: "/a", path: "C:b", is: "/a/C:b" },
    { base: "/a", path: "xC:/b", is: "/a/xC:/b" },
    { base: "/a", path: "1:/b", is: "/a/1:/b" },
    { base: "/a", path: String.raw`xC:\b`, is: String.raw`/a/xC:\b` },
  ];
  test.for(rows)("$base and $path: $is", ({ base, path, is }) => {
    expect(joinPath(base, path)).toBe(is);
  });
});

describe("a path in the project", () => {
  const place = { projectPath: "/home/dev/project", projectAliases: ["/private/project/"] };
  const rows = [
    { path: "a.ts", is: "a.ts" },
    { path: "/home/dev/project/src/a.ts", is: "src/a.ts" },
    { path: "/private/project/src/a.ts", is: "src/a.ts" },
    { path: "/home/dev/project", is: null },
    { path: "/home/dev/projects/a.ts", is: null },
    { path: "/etc/hosts", is: null },
    { path: "../other/a.ts", is: null },
    { path: "a.ts", folder: "src", is: "src/a.ts" },
    { path: "../a.ts", folder: "src", is: "a.ts" },
    { path: "a.ts", folder: "/home/dev/other", is: null },
    { path: "a.ts", folder: "/private/project/src", is: "src/a.ts" },
  ];
  test.for(rows)("$path in $folder: $is", ({ path, folder, is }) => {
    expect(toProjectPath(path, place, folder)).toBe(is);
  });

  test("the root may be the root of all", () => {
    expect(toProjectPath("/a.ts", { projectPath: "/" })).toBe("a.ts");
    expect(toProjectPath("/", { projectPath: "/" })).toBeNull();
  });

  const windows = [
    { path: String.raw`D:\dev\project\src\a.ts`, is: "src/a.ts" },
    { path: "D:/dev/project/src/a.ts", is: "src/a.ts" },
    { path: String.raw`d:\Dev\project\src\A.ts`, is: "src/A.ts" },
    { path: "/d/dev/project/src/a.ts", is: "src/a.ts" },
    { path: "/mnt/d/dev/project/src/a.ts", is: "src/a.ts" },
    { path: String.raw`src\a.ts`, is: "src/a.ts" },
    { path: "a.ts", folder: "/d/dev/project/src", is: "src/a.ts" },
    { path: String.raw`C:\dev\project\src\a.ts`, is: null },
    { path: "/d/dev/projects/a.ts", is: null },
  ];
  test.for(windows)("on Windows $path in $folder: $is", ({ path, folder, is }) => {
    expect(toProjectPath(path, { projectPath: String.raw`D:\dev\project` }, folder)).toBe(is);
  });

  const atHome = [
    { path: "~/project/a.ts", is: "a.ts" },
    { path: "~/.claude/history.jsonl", is: null },
    { path: "~", is: null },
  ];
  test.for(atHome)("from home $path: $is", ({ path, is }) => {
    expect(toProjectPath(path, place)).toBe(is);
  });

  const folders = [
    { folder: ".", is: true },
    { folder: "src", is: true },
    { folder: "/home/dev/project", is: true },
    { folder: "/private/project", is: true },
    { folder: "..", is: false },
    { folder: "/home/dev", is: false },
  ];
  test.for(folders)("$folder lies in it: $is", ({ folder, is }) => {
    expect(isInProject(folder, place)).toBe(is);
  });
});
