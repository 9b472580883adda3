// One process that makes or brings back a checkpoint and ends by SIGKILL at a given step; prints what came of it, and its steps.
import { createCheckpoint, restoreCheckpoint } from "../index.ts";
import type { ChildJob } from "./child-program.ts";

const job = JSON.parse(process.argv[2] ?? "") as ChildJob;
const steps: string[] = [];
const step = (name: string): void => {
  if (steps.length === job.killAt) process.kill(process.pid, "SIGKILL");
  steps.push(name);
};
const options = { ...job.options, step };
const result =
  job.restore === undefined
    ? await createCheckpoint(job.create ?? { scope: "." }, options)
    : await restoreCheckpoint(job.restore, options);
console.log(JSON.stringify({ result, steps }));
