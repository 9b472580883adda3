/** Whether a terminal shows Unicode, according to the environment. */
export function isUnicodeTerminal(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (locale !== "") return /utf-?8/i.test(locale);
  // macOS sets no variable for programs that are not started from a shell, but shows UTF-8.
  return platform === "darwin";
}
