import { psql, type Target } from "./psql.ts";
import type { Server } from "./server.ts";

/** The database that a service names, and one beside it, where statements about databases run. */
export async function ownDatabase(
  service: string,
  { env }: Server,
): Promise<{ readonly name: string; readonly beside: Target }> {
  const [name = ""] = await psql({ service }, { sql: "SELECT current_database();" }, { env });
  // Every server has these two, and one of them is another one.
  return { name, beside: { service, database: name === "postgres" ? "template1" : "postgres" } };
}
