import { expect, test } from "vitest";
import { shell, turnOf } from "../test-calls.ts";
import { readTurn } from "../turn/read-turn.ts";
import { findMentions } from "./explain-turn.ts";

const mentions = (command: string, line: string) =>
  findMentions(readTurn(turnOf(shell(line)), { projectPath: "/p" }), [command]).map(({ verdict }) => verdict);

test("spaces in a row are one between two words, however many there are", () => {
  expect(mentions("make   restart", "echo make restart")).toEqual([{ status: "mentioned", by: "echo" }]);
  const before = process.cpuUsage();
  expect(mentions(`make${" ".repeat(200)}restart`, `echo make${" ".repeat(5000)}stop`)).toEqual([]);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});

test("a command without words is named nowhere", () => {
  expect(mentions("  ", "echo make restart")).toEqual([]);
});
