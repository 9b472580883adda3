import { type BytePath, nameOf } from "../paths/byte-path.ts";

/** A content to be searched, and the path it came from. */
export interface Scannable {
  readonly path: BytePath;
  readonly bytes: Buffer;
}

/** The rule that found a secret, without the secret. */
export interface Finding {
  readonly rule: string;
  readonly reason: string;
}

/**
 * Searches contents for secrets with secretlint; gives the paths that hold one.
 * A call costs more than its text, so contents are searched together, and one by one only where something was found.
 */
export async function scanContents(contents: readonly Scannable[]): Promise<ReadonlyMap<BytePath, Finding>> {
  const found = new Map<BytePath, Finding>();
  const alone = contents.filter(isReadByName);
  const together = contents.filter((content) => !isReadByName(content));
  const suspects =
    (await scan(together.map(({ bytes }) => bytes.toString("latin1")).join("\n\n"), "text.txt")) === null
      ? []
      : together;
  for (const { path, bytes } of [...alone, ...suspects]) {
    const finding = await scan(bytes.toString("latin1"), nameOf(path));
    if (finding !== null) found.set(path, finding);
  }
  return found;
}

/** Whether secretlint looks at the name too, or the text has a switch that would act on its neighbours. */
function isReadByName({ path, bytes }: Scannable): boolean {
  if (bytes.includes("secretlint-")) return true;
  return path.endsWith(".json") && (/package(-lock)?\.json$/.test(path) || bytes.includes("private_key"));
}

async function scan(content: string, name: string): Promise<Finding | null> {
  if (content === "") return null;
  const { lintSource, config } = await loadScanner();
  const { messages } = await lintSource({
    // The name must not be one that the library would open by itself.
    source: { content, filePath: name, ext: name.slice(name.lastIndexOf(".")), contentType: "text" },
    options: { config, noPhysicFilePath: true },
  });
  const [first] = messages;
  if (first === undefined) return null;
  const rule = first.ruleId.replace("@secretlint/secretlint-rule-", "");
  return { rule: `secret-${rule}`, reason: `its contents hold a secret (${rule})` };
}

let scanner: ReturnType<typeof load> | null = null;

function loadScanner(): ReturnType<typeof load> {
  return (scanner ??= load());
}

async function load() {
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  return { lintSource, config: { rules: [{ id: PRESET, rule: creator, options: {} }] } };
}

const PRESET = "@secretlint/secretlint-rule-preset-recommend";
