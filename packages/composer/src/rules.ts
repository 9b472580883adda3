/** What is known of a repository before its files are looked at: for a program that is not to load more. */
export { findRules } from "./rules/find-rules.ts";
export type { KeptRules } from "./rules/kept-rules.ts";
export type { LoadedRules } from "./rules/load-rules.ts";
export { isSafeSlug } from "./rules/read-plan.ts";
