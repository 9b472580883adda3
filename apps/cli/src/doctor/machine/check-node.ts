import { isNodeTooOld, OLDEST_NODE } from "@agent-checkpoint/files/node-version";
import { fail, type Finding, ok } from "../finding.ts";
import type { Machine } from "./machine.ts";

/** Whether the running Node is new enough. */
export function checkNode({ nodeVersion }: Machine): readonly Finding[] {
  return isNodeTooOld(nodeVersion)
    ? [fail(`${nodeVersion} is too old`, `Install Node ${OLDEST_NODE} or newer.`)]
    : [ok(nodeVersion)];
}
