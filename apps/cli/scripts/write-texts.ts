// Takes the two protocol documents and the skills of the plugin into the program, word for word.
import { readFileSync, writeFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const constant = (name: string, says: string, text: string) =>
  `/** ${says} */\nexport const ${name}: string =\n  ${JSON.stringify(text)};\n`;

const protocols = [
  "// Written by scripts/write-texts.ts from docs/checkpoint-schema.md and docs/handoff.md.\n",
  constant("CHECKPOINT_SCHEMA", "The text of docs/checkpoint-schema.md.", read("docs/checkpoint-schema.md")),
  constant("HANDOFF", "The text of docs/handoff.md.", read("docs/handoff.md")),
];
writeFileSync(new URL("../src/protocols/texts.ts", import.meta.url), protocols.join("\n"));

const skills = ["checkpoint", "restore"].map(
  (name) => `  ${name}:\n    ${JSON.stringify(read(`plugins/claude-code/skills/${name}/SKILL.md`))},\n`,
);
writeFileSync(
  new URL("../src/hooks/skill-texts.ts", import.meta.url),
  `// Written by scripts/write-texts.ts from plugins/claude-code/skills.\n
/** The text of each skill, by its name. */
export const SKILLS: Readonly<Record<string, string>> = {\n${skills.join("")}};\n`,
);
