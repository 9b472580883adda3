/** The name of a language that has a preset. */
export type LanguageName = "node" | "python" | "rust" | "go" | "ruby" | "java";

/** A language a repository may be written in, by the files its projects have. */
export interface Language {
  readonly id: LanguageName;
  /** What it is called in the middle of a sentence. */
  readonly name: string;
  readonly sources: readonly string[];
  readonly testFiles: readonly string[];
  /** Files that say what a project depends on. */
  readonly manifests: readonly string[];
}

/** The languages that have a preset of their own. */
export const LANGUAGES: readonly Language[] = [
  {
    id: "node",
    name: "JavaScript",
    sources: ["**/*.{js,jsx,cjs,mjs,ts,tsx,cts,mts,vue,svelte,astro}"],
    testFiles: [
      "**/*.{test,spec,cy}.{js,jsx,cjs,mjs,ts,tsx,cts,mts}",
      "**/{test,tests,__tests__,spec,specs,e2e,cypress}/**/*.{js,jsx,cjs,mjs,ts,tsx,cts,mts}",
    ],
    manifests: [
      "**/package.json",
      "**/{package-lock,npm-shrinkwrap}.json",
      "**/{pnpm-lock,pnpm-workspace}.yaml",
      "**/{yarn.lock,bun.lock,bun.lockb}",
    ],
  },
  {
    id: "python",
    name: "Python",
    sources: ["**/*.{py,pyi,pyx}"],
    testFiles: ["**/{test_*,*_test,conftest}.py", "**/{test,tests}/**/*.py"],
    manifests: [
      "**/{pyproject.toml,setup.py,Pipfile,Pipfile.lock}",
      "**/{uv,poetry,pdm}.lock",
      "**/requirements*.{txt,in}",
      "**/requirements/*.{txt,in}",
    ],
  },
  {
    id: "rust",
    name: "Rust",
    sources: ["**/*.rs"],
    testFiles: ["**/tests/**/*.rs"],
    manifests: ["**/{Cargo.toml,Cargo.lock}"],
  },
  {
    id: "go",
    name: "Go",
    sources: ["**/*.go"],
    testFiles: ["**/*_test.go"],
    manifests: ["**/{go.mod,go.sum,go.work,go.work.sum}"],
  },
  {
    id: "ruby",
    name: "Ruby",
    sources: ["**/*.{rb,rake,ru}", "**/Rakefile"],
    testFiles: ["**/*_{spec,test}.rb", "**/{spec,test}/**/*.rb"],
    manifests: ["**/{Gemfile,Gemfile.lock}", "**/*.gemspec"],
  },
  {
    id: "java",
    name: "Java",
    sources: ["**/*.{java,kt,groovy,scala}"],
    testFiles: ["**/src/{test,*Test}/**/*.{java,kt,groovy,scala}", "**/*{Test,Tests,IT}.{java,kt,groovy,scala}"],
    manifests: ["**/pom.xml", "**/{build,settings}.{gradle,gradle.kts}", "**/{gradle.properties,libs.versions.toml}"],
  },
];
