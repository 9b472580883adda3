import { answerJobs } from "../../../../fixtures/src/answer-jobs.ts";
import { saveWork, type SaveReport, type SaveRequest } from "../index.ts";

/** What came of a save in a child process. */
export interface ChildOutcome {
  readonly report: SaveReport;
  readonly steps: readonly string[];
}

answerJobs({
  /** Saves a session's work, and is killed at one of its steps, if that is named. */
  save: async (request = "", killAt = ""): Promise<ChildOutcome> => {
    const steps: string[] = [];
    const report = await saveWork(JSON.parse(request) as SaveRequest, {
      onStep: (name) => {
        steps.push(name);
        if (name === killAt) process.kill(process.pid, "SIGKILL");
      },
    });
    return { report, steps };
  },
});
