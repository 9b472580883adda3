// The service as a process of its own, to be killed: node service-child.ts <database> <port>
import { serveTeam } from "../serve-team.ts";

const [databaseUrl = "", port = "0"] = process.argv.slice(2);
await serveTeam({
  databaseUrl,
  team: "shop",
  host: "127.0.0.1",
  port: Number(port),
  tls: null,
  isBehindProxy: false,
  keepMonths: 13,
  log: () => undefined,
});
process.send?.("listening");
