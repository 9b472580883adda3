import { hookSettings, type HookRegistration } from "./cli-run.ts";
import { INSIDE } from "./sandbox.ts";
import { MODEL_PORT } from "./stage.ts";

/** What differs between the Codex homes of runs. */
export interface CodexSettings {
  readonly model?: string | undefined;
  readonly hooks?: readonly HookRegistration[] | undefined;
  /** The program that Codex notifies of finished turns. */
  readonly notify?: readonly string[] | undefined;
  /** More lines of config.toml, beginning with a table of their own. */
  readonly moreConfig?: string | undefined;
}

/** The environment that Codex finds its home and its model with. */
export const CODEX_ENV: Readonly<Record<string, string>> = {
  CODEX_HOME: `${INSIDE.home}/.codex`,
  OPENAI_API_KEY: "dummy",
};

/** The files of a Codex home, as paths in the user's home with their contents. */
export function codexSettings({
  model = "gpt-5.5",
  hooks,
  notify,
  moreConfig = "",
}: CodexSettings): Record<string, string> {
  return {
    ".codex/config.toml": `${notify ? `notify = ${JSON.stringify(notify)}\n` : ""}${configToml(model)}${moreConfig}`,
    ...(hooks && { ".codex/hooks.json": JSON.stringify({ hooks: hookSettings(hooks, 60) }) }),
  };
}

function configToml(model: string): string {
  return `model = "${model}"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "Fake loopback"
base_url = "http://127.0.0.1:${MODEL_PORT}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
[projects."${INSIDE.project}"]
trust_level = "trusted"
`;
}
