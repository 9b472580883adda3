/** The name of a language that has a preset. */
export type LanguageName = "node" | "python" | "rust" | "go" | "ruby" | "java";

/** A language that has a preset, by the files of its projects. */
export interface Language {
  readonly id: LanguageName;
  /** What it is called in the middle of a sentence. */
  readonly name: string;
  readonly sources: readonly string[];
  readonly testFiles: readonly string[];
  /** Files that say what a project depends on. */
  readonly manifests: readonly string[];
  readonly install: Install;
}

/** How a language brings dependencies up to date. */
export interface Install {
  readonly instruction: string;
  readonly run: string;
  /** What stands for `run` in a sentence, if that is no command. */
  readonly called?: string;
  /** Commands that do it: programs, each with every one of the words after it. */
  readonly calls: readonly (readonly [programs: string, words: string])[];
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
    install: {
      instruction: "Install the changed dependencies",
      run: "the install",
      called: "an install of the dependencies",
      calls: [["npm pnpm yarn bun", "install, i, ci, add, remove, uninstall, update, up, dedupe"]],
    },
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
    install: {
      instruction: "Install the changed dependencies",
      run: "the install",
      called: "an install of the dependencies",
      calls: [
        ["pip", "install"],
        ["pip-sync", ""],
        ["uv", "sync, add, remove, lock, pip install, pip sync"],
        ["poetry pdm", "install, add, remove, update, sync, lock"],
        ["pipenv", "install, uninstall, update, sync, lock"],
      ],
    },
  },
  {
    id: "rust",
    name: "Rust",
    sources: ["**/*.rs"],
    testFiles: ["**/tests/**/*.rs"],
    manifests: ["**/{Cargo.toml,Cargo.lock}"],
    install: {
      instruction: "Run `cargo check` with the changed manifests",
      // Cargo brings the dependencies up to date whenever it builds.
      run: "cargo check",
      calls: [["cargo", "check, build, test, nextest, clippy, run, bench, add, remove, update, fetch"]],
    },
  },
  {
    id: "go",
    name: "Go",
    sources: ["**/*.go"],
    testFiles: ["**/*_test.go"],
    manifests: ["**/{go.mod,go.sum,go.work,go.work.sum}"],
    install: {
      instruction: "Run `go mod tidy` with the changed manifests",
      // A build fails where go.mod and go.sum do not fit the code.
      run: "go mod tidy",
      calls: [["go", "mod tidy, mod download, mod verify, get, work sync, build, test, vet, run"]],
    },
  },
  {
    id: "ruby",
    name: "Ruby",
    sources: ["**/*.{rb,rake,ru}", "**/Rakefile"],
    testFiles: ["**/*_{spec,test}.rb", "**/{spec,test}/**/*.rb"],
    manifests: ["**/{Gemfile,Gemfile.lock}", "**/*.gemspec"],
    install: {
      instruction: "Run `bundle install` with the changed manifests",
      run: "bundle install",
      calls: [["bundle", "install, add, remove, update, check, lock"]],
    },
  },
  {
    id: "java",
    name: "Java",
    sources: ["**/*.{java,kt,groovy,scala}"],
    testFiles: ["**/src/{test,*Test}/**/*.{java,kt,groovy,scala}", "**/*{Test,Tests,IT}.{java,kt,groovy,scala}"],
    manifests: ["**/pom.xml", "**/{build,settings}.{gradle,gradle.kts}", "**/{gradle.properties,libs.versions.toml}"],
    install: {
      instruction: "Build with the changed manifests",
      run: "the build",
      called: "a build",
      calls: [
        ["mvn mvnw mvnd", "compile, test-compile, test, package, verify, install"],
        ["gradle gradlew", "assemble, classes, testClasses, test, check, build"],
      ],
    },
  },
];
