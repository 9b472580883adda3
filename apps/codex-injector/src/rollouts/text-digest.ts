import { hash } from "node:crypto";

/** What a text is known by: as a `TurnPrompt`'s digest, so that prompts of the rollout and of its timeline compare. */
export const textDigest = (text: string): string => hash("sha256", text.trim(), "hex").slice(0, 16);
