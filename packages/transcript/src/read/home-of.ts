import type { TranscriptQuery } from "../types.ts";

/** The home folder that a query is about; whoever names it does not load what tells of the system. */
export const homeOf = ({ home }: TranscriptQuery): string => home ?? process.getBuiltinModule("node:os").homedir();

/** A variable of the environment that a query is about; an empty one counts as not set. */
export const variableOf = ({ env = process.env }: TranscriptQuery, name: string): string | null => env[name] || null;
