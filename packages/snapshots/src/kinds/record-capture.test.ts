import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorkspace } from "../testing/workspace.ts";
import { exactListing } from "./capture-listing.ts";
import { recordCapture } from "./record-capture.ts";

/** What was skipped, and whether the capture is remembered all the same. */
const cases = [
  { rule: "special", isRemembered: true },
  { rule: "out-of-time", isRemembered: false },
];

test.for(cases)("a capture in which a file was skipped as `$rule`", async ({ rule, isRemembered }) => {
  const { root } = createWorkspace({ committed: { "a.txt": "one\n" } });
  const changes = { head: null, branch: null, staged: [], unstaged: [], untracked: [] };
  const capture = {
    entries: [],
    stateKeys: [],
    excluded: [],
    skipped: [{ path: "a.txt", rule, reason: "" }],
    assumptions: [],
    lines: 0,
    bytes: 0,
    uncommitted: 0,
    details: {},
    remember: () => undefined,
    context: null,
    recent: [],
  };
  const record = await recordCapture(
    { root, gitDir: join(root, ".git"), commonDir: join(root, ".git") },
    { capture, listing: exactListing(["a.txt"]), changes, areas: [""], index: "", stash: null },
    { avoid: new Set(), momentNs: BigInt(Date.now() + 60_000) * 1_000_000n },
  );
  expect(record !== null).toBe(isRemembered);
});
