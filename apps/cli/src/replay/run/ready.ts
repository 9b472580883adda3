/** What a thread says when it can take its first file. */
export const READY = "ready";
