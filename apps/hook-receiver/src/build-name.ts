declare const BUILT_AS: string | undefined;

/** What the build calls itself, after all that is in it; null where the program runs from its sources. */
export const BUILD_NAME: string | null = typeof BUILT_AS === "undefined" ? null : BUILT_AS;
