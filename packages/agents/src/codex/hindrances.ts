import { join } from "node:path";
import { parse } from "smol-toml";
import type { Hindrance, SettingsPlace } from "../agent-settings.ts";
import { asObject, readTextIfAny } from "../read-json-object.ts";

/** What Codex's configuration says that keeps its hooks from running. */
export function hindrances({ env, userHome, projectRoot }: SettingsPlace): readonly Hindrance[] {
  const files = [join(env["CODEX_HOME"] || join(userHome, ".codex"), "config.toml")];
  return [...new Set([...files, join(projectRoot, ".codex", "config.toml")])].flatMap((file) => {
    const features = asObject(readToml(file)["features"]);
    const key = SWITCHES.find((name) => features[name] === false);
    if (key === undefined) return [];
    const what = `\`${key} = false\` stands under \`[features]\`: Codex runs no hooks.`;
    return [{ id: "hooks-off", file, what, fix: "Take that line out." }];
  });
}

/** The feature's name, and the one it had before 0.130. */
const SWITCHES = ["hooks", "codex_hooks"] as const;

function readToml(file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(readTextIfAny(file) ?? "");
  } catch {
    return {};
  }
}
