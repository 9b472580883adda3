import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { execa } from "execa";
import { pushWithRetries } from "../index.ts";
import { aRepository, type ARepository } from "../testing/a-repository.ts";

const push = { rules: { push: true } } as const;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A repository with a remote, whose branch has its upstream there. */
async function withRemote(): Promise<ARepository & { readonly remote: string }> {
  const repository = await aRepository();
  const { folder, git } = repository;
  const remote = join(folder, "remote.git");
  await execa("git", ["init", "--quiet", "--bare", remote]);
  await git("remote", "add", "origin", remote);
  await git("push", "--quiet", "--set-upstream", "origin", "work");
  return { ...repository, remote };
}

/** A server that answers every request in the same way, or never. */
async function listening(answer: number | null): Promise<string> {
  const server = createServer((_request, response) => {
    if (answer !== null) response.writeHead(answer, { "WWW-Authenticate": 'Basic realm="git"' }).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/repo.git`;
}

test("is not tried unless it is wanted", async () => {
  const { agent, save, git } = await withRemote();
  agent.write("new.txt", "new\n");
  expect(await save()).toMatchObject({ outcome: "committed" });
  expect(await git("rev-list", "--count", "origin/work..work")).toBe("1");
});

test("brings the commit to the branch's own upstream, under that name", async () => {
  const { agent, save, git, remote } = await withRemote();
  await git("config", "branch.work.merge", "refs/heads/elsewhere");
  agent.write("new.txt", "new\n");
  const { outcome, commit } = await save(push);
  expect(outcome).toBe("committed_pushed");
  expect((await execa("git", ["rev-parse", "refs/heads/elsewhere"], { cwd: remote })).stdout).toBe(commit);
});

test("without a remote keeps the commit and says so", async () => {
  const { agent, save } = await aRepository();
  agent.write("new.txt", "new\n");
  expect(await save(push)).toMatchObject({
    outcome: "committed_push_deferred",
    detail: expect.stringContaining("no_upstream"),
    pushLater: null,
  });
});

test("to a remote that cannot be reached keeps the commit, and is worth another try", async () => {
  const { agent, save, git } = await withRemote();
  await git("remote", "set-url", "origin", "http://127.0.0.1:9/repo.git");
  agent.write("new.txt", "new\n");
  const report = await save(push);
  expect(report).toMatchObject({ outcome: "committed_push_deferred", detail: expect.stringContaining("network") });
  expect(report.pushLater).toMatchObject({ branch: "work", commit: report.commit });
});

test("to a remote that asks for a password ends at once", { timeout: 30_000 }, async () => {
  const { agent, save, git } = await withRemote();
  await git("remote", "set-url", "origin", await listening(401));
  agent.write("new.txt", "new\n");
  const started = performance.now();
  expect(await save(push)).toMatchObject({
    outcome: "committed_push_deferred",
    detail: expect.stringContaining("authentication"),
    pushLater: null,
  });
  expect(performance.now() - started).toBeLessThan(15_000);
});

test("to a remote that never answers is given up in time", { timeout: 30_000 }, async () => {
  const { agent, save, git } = await withRemote();
  await git("remote", "set-url", "origin", await listening(null));
  agent.write("new.txt", "new\n");
  expect(await save({ ...push, budgetMs: 8000 })).toMatchObject({
    outcome: "committed_push_deferred",
    detail: expect.stringContaining("network"),
  });
});

test("that is no fast-forward is never forced", async () => {
  const { agent, save, git, remote, folder } = await withRemote();
  const other = join(folder, "other");
  await execa("git", ["clone", "--quiet", "--branch", "work", remote, other]);
  const elsewhere = (...args: string[]) =>
    execa("git", ["-c", "user.name=Other", "-c", "user.email=o@example.com", ...args], { cwd: other });
  await elsewhere("commit", "--quiet", "--allow-empty", "--message", "theirs");
  await elsewhere("push", "--quiet");
  agent.write("new.txt", "new\n");
  expect(await save(push)).toMatchObject({
    outcome: "committed_push_deferred",
    detail: expect.stringContaining("non_fast_forward"),
    pushLater: null,
  });
  expect((await execa("git", ["log", "-1", "--format=%s", "work"], { cwd: remote })).stdout).toBe("theirs");
  expect(await git("log", "-1", "--format=%s")).toBe("checkpoint: auto-checkpoint");
});

test("is tried again until the remote is there", { timeout: 30_000 }, async () => {
  const { agent, save, git, remote, project } = await withRemote();
  await git("remote", "set-url", "origin", `${remote}.later`);
  agent.write("new.txt", "new\n");
  const { pushLater } = await save(push);
  if (pushLater === null) throw new Error("nothing left to push");
  expect(pushLater.root).toBe(project);
  setTimeout(() => void git("remote", "set-url", "origin", remote), 300);
  expect(await pushWithRetries({ ...pushLater, timeoutMs: 5000 }, [1000, 1000])).toMatchObject({ status: "pushed" });
  expect((await execa("git", ["rev-parse", "work"], { cwd: remote })).stdout).toBe(pushLater.commit);
});
