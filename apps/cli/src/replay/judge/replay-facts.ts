import { existsSync } from "node:fs";
import { readRepository, type RepositoryFacts } from "@agent-checkpoint/repository";

/** Finds what is known of the repositories of past sessions, each looked at once; null for those that are not on this machine. */
export function createFactsFinder({
  lentRoot,
}: {
  readonly lentRoot: string | null;
}): (root: string) => Promise<RepositoryFacts | null> {
  const known = new Map<string, Promise<RepositoryFacts | null>>();
  return (root) => {
    const place = existsSync(root) ? root : lentRoot;
    if (place === null) return Promise.resolve(null);
    const facts = known.get(place) ?? readRepository(place);
    known.set(place, facts);
    return facts;
  };
}
