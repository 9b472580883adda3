// A machine's sync as a process of its own, to be killed: node sync-child.ts <home> <enrolment as JSON>
import { openStore } from "@agent-checkpoint/store";
import { type Enrolment, httpTarget, syncTeam } from "@agent-checkpoint/team";

const [home = "", text = "{}"] = process.argv.slice(2);
const enrolment = JSON.parse(text) as Enrolment;
const opened = await openStore(home, { busyTimeoutMs: 5000 });
if (!opened.ok) throw new Error(opened.detail);
process.send?.("syncing");
const result = await syncTeam({
  store: opened.store,
  enrolment,
  target: httpTarget(enrolment),
  client: "child",
  now: new Date(),
});
console.log(result.outcome);
await opened.store.close();
