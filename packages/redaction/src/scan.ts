/** A content to be searched, and the path it came from. */
export interface Scannable {
  readonly path: string;
  readonly bytes: Buffer;
}

/** The rule that found a secret, without the secret. */
export interface Finding {
  readonly rule: string;
  readonly reason: string;
}

/** How much is searched at once, and how much of it is searched again with what follows: more than a secret has. */
const WINDOW_BYTES = 1024 * 1024;
const OVERLAP_BYTES = 16 * 1024;

/**
 * Searches contents for secrets with secretlint; returns the paths that hold one.
 * A call costs more than its text, so contents are searched together, and one by one only if something was found.
 */
export async function scanContents(contents: readonly Scannable[]): Promise<ReadonlyMap<string, Finding>> {
  const found = new Map<string, Finding>();
  const alone = contents.filter(isReadAlone);
  const together = contents.filter((content) => !isReadAlone(content));
  const suspects =
    (await scan(together.map(({ bytes }) => bytes.toString("latin1")).join("\n\n"), "text.txt")) === null
      ? []
      : together;
  for (const { path, bytes } of [...alone, ...suspects]) {
    const finding = await scanWindows(bytes, path.slice(path.lastIndexOf("/") + 1));
    if (finding !== null) found.set(path, finding);
  }
  return found;
}

async function scanWindows(bytes: Buffer, name: string): Promise<Finding | null> {
  for (let start = 0; start === 0 || start + OVERLAP_BYTES < bytes.length; start += WINDOW_BYTES - OVERLAP_BYTES) {
    const finding = await scan(bytes.toString("latin1", start, start + WINDOW_BYTES), name);
    if (finding !== null) return finding;
  }
  return null;
}

/**
 * Whether secretlint looks at the name too, the text has a switch that would act on its neighbours, or it is too long for one
 * call.
 */
function isReadAlone({ path, bytes }: Scannable): boolean {
  if (bytes.length > WINDOW_BYTES) return true;
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
