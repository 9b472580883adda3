/** The name of a repository's config file, at its root. */
export const CONFIG_FILE = "checkpoint.config.json";

/** The name of a person's config file, in the home of the store. */
export const PERSONAL_FILE = "config.json";
