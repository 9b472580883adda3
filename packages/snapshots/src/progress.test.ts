import { expect, test } from "vitest";
import { createCheckpoint, type Progress, restoreCheckpoint, verifyCheckpoints } from "./index.ts";
import { createWorkspace } from "./testing/workspace.ts";

test("whoever waits for a large tree is told of every step, and how much of it is done", async () => {
  const { options, write } = createWorkspace({ git: false });
  const names = Array.from({ length: 600 }, (_, index) => `f${index}.txt`);
  for (const name of names) write(name, `${name}\n`);
  const told: Progress[] = [];
  const listened = { ...options, progress: (progress: Progress) => void told.push(progress) };
  const steps = (): readonly string[] => [
    ...new Set(told.splice(0).map(({ step, done, total }) => `${step} ${Math.floor((3 * done) / total)}/3`)),
  ];
  const { report } = await createCheckpoint({ scope: "." }, listened);
  expect(steps()).toEqual(expect.arrayContaining(["reading 0/3", "reading 1/3", "reading 2/3", "restoring 1/3"]));
  await verifyCheckpoints(report.checkpoint?.id ?? "", listened);
  expect(steps()).toEqual(["verifying 0/3", "verifying 1/3", "verifying 2/3"]);
  for (const name of names) write(name, "changed\n");
  await restoreCheckpoint({ id: report.checkpoint?.id ?? "" }, listened);
  expect(steps()).toEqual(expect.arrayContaining(["verifying 1/3", "reading 1/3", "restoring 1/3", "restoring 2/3"]));
});
