import { toJsonSchema } from "@valibot/to-json-schema";
import { configSchema } from "../src/config/schema.ts";
import { PRESET_NAMES, PRESETS } from "../src/presets/presets.ts";

/** What of a JSON Schema is told. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** The documentation of the config file, from the schema that checks it and the presets it extends. */
export function configDocs(): string {
  const root = toJsonSchema(configSchema(), { errorMode: "ignore" }) as Schema;
  const rows = (key: string) => root.properties?.[key]?.items ?? {};
  const step = rows("actions").properties?.["steps"]?.items?.anyOf?.find(({ properties }) => properties) ?? {};
  return [
    INTRODUCTION,
    `## Keys\n\n${keyTable(root)}`,
    `## A category\n\nA kind of file, and what a change to it asks for.\n\n${keyTable(rows("categories"))}\n\n${CATEGORY}`,
    `## An action\n\nSomething the agent may be asked to do.\n\n${keyTable(rows("actions"))}\n\nA step is a command, or an object:\n\n${keyTable(step)}\n\n${EVIDENCE}`,
    `## Observations\n\nThe keys of \`checks\`. An observation that does not block by itself appears in a message that is sent anyway.\n\n${keyTable(root.properties?.["checks"] ?? {})}`,
    `## Safety\n\nThe keys of \`safety\`; [snapshots.md](snapshots.md) explains them.\n\n${keyTable(root.properties?.["safety"] ?? {})}`,
    `## Saving\n\nThe keys of \`save\`; [autosave.md](autosave.md) explains them.\n\n${keyTable(root.properties?.["save"] ?? {})}`,
    `## Presets\n\n${presetTable()}\n\n${PRESETS_TEXT}`,
  ]
    .join("\n\n")
    .concat("\n");
}

const INTRODUCTION = `<!-- Written by packages/categories/scripts/write-config-docs.ts from the schema: change that, then run it. -->

# The config file

\`checkpoint.config.json\` at a repository's root says what a change there asks for. Comments and trailing commas are
allowed. \`checkpoint init\` writes one that fits the repository ([what it knows](stacks.md)), \`checkpoint config check\` reports what is wrong with
it, and \`checkpoint config show\` lists the resulting rules, each value with its source.

\`\`\`jsonc
{
  "$schema": "https://unpkg.com/@agent-checkpoint/categories/schema/checkpoint.config.schema.json",
  "preset": "generic",
  "actions": [
    { "id": "migrate", "steps": [{ "run": "npx knex migrate:latest", "evidence": ["knex migrate:latest"] }] }
  ],
  "categories": [
    { "id": "migrations", "label": "migrations", "plural": true, "include": ["migrations/**"], "action": "migrate" }
  ]
}
\`\`\`

There are three layers, and each one overrides the one before: the preset, your own \`config.json\` in \`$CHECKPOINT_HOME\` (default
\`\${XDG_STATE_HOME:-~/.local/state}/agent-checkpoint\`), and the repository's file. If you have joined a [team](team.md), its
modes, thresholds and switches lie between the preset and your own. The last file that names a preset
chooses it. A row of \`categories\` or \`actions\` with a known id replaces that row, \`"off": true\` removes it, and a
new id is added; other keys replace the earlier value. Every stop reports a config that cannot be used, with file, key,
what was expected and what was found.

A rule that you write may block from its first stop on: you have decided that it should. Give it
\`"modes": { "its-id": "shadow" }\` to see first what would come of it; \`checkpoint rules\` then tells whether it is worth asking for.
What you have not written begins in shadow: everything that \`checkpoint init\` adds beside the tests. The \`generic\` preset
asks for tests alone.`;

const CATEGORY = `Globs have a real globstar (\`src/**/*.py\` matches \`src/a.py\`) and match dotfiles. They have at most
300 characters, at most six stars and no group that may repeat (\`+(a|b)\`, \`*(a)\`), which could take forever on some paths. A file may
be in several categories. Categories are tried before \`docs\`; a file in neither asks for tests.

The action with the id \`tests\` is the one that \`tests\` asks for.`;

const EVIDENCE = `Evidence is compared word by word with the commands that ran, without the words that only start them: \`sudo\`,
\`timeout 60\`, \`env\`, \`npx\`, \`pnpm exec\`, \`uv run\`, \`poetry run\`, \`bundle exec\`, \`python -m\`, a path before the
program. So \`cd api && uv run pytest -q\` meets \`pytest\`, and \`make lint test\` meets \`make test\`. Evidence
may name a wrapper too; it is ignored there as well. A run counts if it succeeded after the last change to a file that asks for it.`;

const PRESETS_TEXT = `Without a config, \`teleclaude\` applies in the TeleClaude repository, and \`generic\` elsewhere. No language has a preset:
which one a file is written in, and what runs its tests, comes from [the tables of languages and stacks](stacks.md).`;

function keyTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([key, schema]) => {
    const { meaning, fallback } = splitDefault(schema.description ?? "");
    const name = required.includes(key) ? `\`${key}\` (required)` : `\`${key}\``;
    return [name, typeOf(schema), fallback, meaning];
  });
  return table(["key", "value", "default", "means"], rows);
}

/** The default stands at the end of a description. */
function splitDefault(description: string): { readonly meaning: string; readonly fallback: string } {
  const [, meaning, fallback] = /^(.*?)\s*Default: (.*)\.$/.exec(description) ?? [];
  return { meaning: meaning ?? description, fallback: fallback ?? "" };
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${plural(schema.items ?? {})}`;
  if (schema.type === "boolean") return "`true`, `false`";
  return (
    { null: "`null`", string: "text", object: "object", integer: "whole number" }[schema.type ?? ""] ??
    schema.type ??
    ""
  );
}

function plural(items: Schema): string {
  if (items.anyOf) return "commands or objects";
  return items.type === "object" ? "objects" : "texts";
}

function presetTable(): string {
  const rows = PRESET_NAMES.map((name) => {
    const { actions, scope, allClear } = PRESETS[name];
    return [
      `\`${name}\``,
      scope === "tree" ? "every uncommitted file" : "the files this session changed",
      actions.map(({ id }) => `\`${id}\``).join(", "),
      allClear === "deliver" ? "at every stop" : "when an action is missing or a failed command was left open",
    ];
  });
  return table(["preset", "judges", "actions", "blocks"], rows);
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}
