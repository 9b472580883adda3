import type { Redirection } from "unbash";

/** The files that a command's input and output are redirected to. */
export interface Redirections {
  readonly to: readonly string[];
  readonly from: readonly string[];
}

/** A command without redirections. */
export const NO_REDIRECTIONS: Redirections = { to: [], from: [] };

/** The files among redirections; descriptors and `/dev/null` are none. */
export function redirections(redirects: readonly Redirection[]): Redirections {
  const to: string[] = [];
  const from: string[] = [];
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || !redirect.target) continue;
    const { operator, target } = redirect;
    if (operator === "<") from.push(target.value);
    else if (operator !== "<&" && !(operator === ">&" && /^(?:\d+|-)$/.test(target.value))) to.push(target.value);
  }
  return { to: to.filter((file) => file !== "/dev/null"), from };
}
