import { styleText } from "node:util";

/** Text styles for a terminal; plain text elsewhere. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly name: (text: string) => string;
}

/** Colours on a terminal unless `NO_COLOR` is set; `FORCE_COLOR` turns them on everywhere. */
export function createStyle({
  isTerminal,
  env,
}: {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Style {
  const isForced = Boolean(env["FORCE_COLOR"]) && env["FORCE_COLOR"] !== "0";
  const isColoured = !env["NO_COLOR"] && (isForced || (isTerminal && env["TERM"] !== "dumb"));
  const as = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  return { bold: as("bold"), dim: as("dim"), good: as("green"), warn: as("yellow"), bad: as("red"), name: as("cyan") };
}

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
