/** Whether a terminal shows more than ASCII, by the variables that say so. */
export function isUnicodeTerminal(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (locale !== "") return /utf-?8/i.test(locale);
  // macOS sets no variable for programs that are not started from a shell, and shows UTF-8 all the same.
  return platform === "darwin";
}
