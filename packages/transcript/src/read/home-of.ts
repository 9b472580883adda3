import { homedir } from "node:os";
import type { TranscriptQuery } from "../types.ts";

/** The home folder that a query is about. */
export const homeOf = ({ home }: TranscriptQuery): string => home ?? homedir();

/** A variable of the environment that a query is about; an empty one counts as not set. */
export const variableOf = ({ env = process.env }: TranscriptQuery, name: string): string | null => env[name] || null;
