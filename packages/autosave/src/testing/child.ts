// One process that saves a session's work and ends by SIGKILL at a given step; prints what came of it, and its steps.
import { saveWork } from "../index.ts";
import type { ChildJob } from "./child-program.ts";

const job = JSON.parse(process.argv[2] ?? "") as ChildJob;
const steps: string[] = [];
const report = await saveWork(job.request, {
  onStep: (name) => {
    steps.push(name);
    if (name === job.killAt) process.kill(process.pid, "SIGKILL");
  },
});
console.log(JSON.stringify({ report, steps }));
