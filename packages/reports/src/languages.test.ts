import { expect, test } from "vitest";
import { languagesOfFile } from "./languages.ts";

const cases = [
  { path: "src/a.ts", languages: ["javascript"] },
  { path: "web/App.vue", languages: ["javascript"] },
  { path: "web/page.astro", languages: ["javascript"] },
  { path: "app\\main.PY", languages: ["python"] },
  { path: "Main.kt", languages: ["java"] },
  { path: "build.gradle.kts", languages: ["java"] },
  { path: "src/lib.hpp", languages: ["c"] },
  { path: "scripts/test.sh", languages: ["shell"] },
  { path: "db/001.sql", languages: ["sql"] },
  { path: "api/Rakefile", languages: ["ruby"] },
  { path: "CMakeLists.txt", languages: ["c"] },
  { path: "Makefile", languages: ["shell"] },
  { path: "README.md", languages: [] },
  { path: "index.html", languages: [] },
  { path: "app.css", languages: [] },
  { path: "logo.svg", languages: [] },
  { path: "a.test.ts.snap", languages: [] },
  { path: "rows.csv", languages: [] },
  { path: "events.jsonl", languages: [] },
  { path: "font.woff2", languages: [] },
  { path: "pnpm-lock.yaml", languages: [] },
  { path: "Cargo.lock", languages: [] },
  { path: "package.json", languages: [] },
  { path: "folder.py/notes", languages: [] },
  { path: "", languages: [] },
];

test.for(cases)("$path", ({ path, languages }) => {
  expect(languagesOfFile(path)).toEqual(languages);
});
