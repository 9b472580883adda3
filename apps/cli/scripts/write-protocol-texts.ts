// Takes the two protocol documents into the program, word for word.
import { readFileSync, writeFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
const constant = (name: string, says: string, text: string) =>
  `/** ${says} */\nexport const ${name}: string =\n  ${JSON.stringify(text)};\n`;

const lines = [
  "// Written by scripts/write-protocol-texts.ts from docs/checkpoint-schema.md and docs/handoff.md.\n",
  constant("CHECKPOINT_SCHEMA", "The text of docs/checkpoint-schema.md.", read("checkpoint-schema.md")),
  constant("HANDOFF", "The text of docs/handoff.md.", read("handoff.md")),
];
writeFileSync(new URL("../src/protocols/texts.generated.ts", import.meta.url), lines.join("\n"));
