import { CheckpointError } from "../report/checkpoint-error.ts";

/** A value as JSON would carry it: a copy that shares nothing with the caller's, without anything but data. */
export function plainCopy(value: unknown, what: string): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : "it cannot be written";
    throw new CheckpointError("invalid", `${what} is no JSON: ${why}`);
  }
}
