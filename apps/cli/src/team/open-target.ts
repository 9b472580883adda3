import { isDatabase, type Enrolment, httpTarget, readEnrolment, type TeamTarget } from "@agent-checkpoint/team";
import { refused } from "../cli-error.ts";

/** The enrolment of this home; a `CliError` if there is none. */
export function requireEnrolment(home: string): Enrolment {
  const found = readEnrolment(home);
  if (found.ok) return found.enrolment;
  if (found.reason === "none")
    throw refused(
      "this machine is in no team",
      "An admin's `checkpoint team invite` gives a code; then `checkpoint team join`.",
    );
  throw refused(`the enrolment cannot be used: ${found.detail}`, "`checkpoint team leave`, then join again.");
}

/** Where the rows of a machine go: its team's service, or a database, whose driver is loaded only then. */
export async function openTarget({ url, token }: Enrolment, signal?: AbortSignal): Promise<TeamTarget> {
  if (!isDatabase(url)) return httpTarget({ url, token, signal });
  const { databaseTarget } = await import("@agent-checkpoint/service");
  return databaseTarget(url, token);
}
