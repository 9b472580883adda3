import type { Surroundings } from "../../surroundings.ts";
import type { StoreFacts } from "./read-store.ts";

/** What the checks that are of no agent look at. */
export interface Machine extends Pick<Surroundings, "env" | "cwd" | "userHome" | "home" | "now"> {
  /** The root of the repository that the doctor was called in, else the folder itself. */
  readonly root: string;
  readonly nodeVersion: string;
  readonly store: StoreFacts;
}
