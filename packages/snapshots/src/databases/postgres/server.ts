import type { Sources } from "../../kinds/sources.ts";

/** How a server is reached, and how long one waits for others there. */
export interface Server {
  readonly env: Sources["env"];
  readonly waitMs: number;
}
