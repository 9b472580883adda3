/** A config as `checkpoint init` writes it for the repositories of a run, and one added row. */
export const OWN_CONFIG: Readonly<Record<string, string>> = {
  "checkpoint.config.json": `{
  "$schema": "https://unpkg.com/@agent-checkpoint/categories/schema/checkpoint.config.schema.json",
  // tracked code files: JavaScript/TypeScript 3
  "preset": "generic",
  "actions": [
    // package.json: scripts.test
    {
      "id": "tests",
      "stage": "validate",
      "instruction": "Run targeted tests for changed behavior (all of them: \`npm test\`)",
      "steps": [{ "run": "npm test", "evidence": ["npm test", "npm run test", "npm t", "vitest"] }]
    },
    { "id": "restart", "steps": ["npm run restart"] }
  ],
  "categories": [
    { "id": "server", "label": "server code", "include": ["src/server*.ts", "src/{routes,jobs}/**"], "action": "restart", "tests": true }
  ]
}
`,
};
