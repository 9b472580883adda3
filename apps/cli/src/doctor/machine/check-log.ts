import { join } from "node:path";
import { type Finding, ok, warn } from "../finding.ts";
import { sayAgo } from "../say-ago.ts";
import type { Machine } from "./machine.ts";
import { readLogFaults } from "./read-log-faults.ts";

/** What went wrong in the last day, by the log. */
export function checkLog({ home, now }: Machine): readonly Finding[] {
  const path = join(home, "checkpoint.log");
  const faults = readLogFaults(path, now());
  if (faults === null || faults.latest === null) return [ok("no fault in the last 24 hours")];
  const { count, latest } = faults;
  const many = count === 1 ? "1 fault" : `${count} faults`;
  return [warn(`${many} in the last 24 hours, the latest ${sayAgo(latest.at, now())}: ${latest.text}`, `Read ${path}`)];
}
