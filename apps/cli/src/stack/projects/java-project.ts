import { countOf } from "../count-of.ts";
import { type FileTree, firstFile, hasFile, hasFolder, pathIn } from "../file-tree.ts";
import type { Project, StackCommand } from "../stack.ts";
import type { DetectProject } from "./detect-project.ts";
import { expandMembers } from "./expand-members.ts";

/** A project that Gradle or Maven builds. */
export const javaProject: DetectProject = (tree) => {
  const gradle = gradleProject(tree);
  const maven = mavenProject(tree);
  if (gradle === null || maven === null) return gradle ?? maven;
  // Some are built by both: then either will do.
  const [one, other] = [gradle.install, maven.install];
  const install = one === null || other === null ? null : { ...one, evidence: [...one.evidence, ...other.evidence] };
  return {
    ...gradle,
    detail: "Gradle and Maven",
    where: `${gradle.where}, ${maven.where}`,
    tests: [...gradle.tests, ...maven.tests],
    install,
    members: [...gradle.members, ...maven.members],
  };
};

/** Where the test sources of a module lie. */
const TEST_FOLDERS = ["src/test/java", "src/test/kotlin", "src/test/groovy", "src/test/scala", "src/commonTest/kotlin"];

function gradleProject(tree: FileTree): Project | null {
  const settings = firstFile(tree, ["settings.gradle.kts", "settings.gradle"]);
  const manifest = firstFile(tree, ["build.gradle.kts", "build.gradle"]) ?? settings;
  if (manifest === null) return null;
  const program = hasFile(tree, "gradlew") ? "./gradlew" : "gradle";
  const modules = settings === null ? [] : modulesOf(tree.read(settings) ?? "");
  const members = modules.map((module) => module.replaceAll(":", "/"));
  return {
    language: "java",
    detail: modules.length > 0 ? `Gradle, ${countOf(modules.length, "module")}` : "Gradle",
    where: manifest,
    members,
    tests: testsOf(tree, members, {
      run: `${program} test`,
      evidence: [
        ...both("gradle", ["test", "check"]),
        ...modules.flatMap((module) => both("gradle", [`:${module}:test`, `:${module}:check`])),
      ],
      where: manifest,
    }),
    install: {
      run: `${program} classes testClasses`,
      evidence: both("gradle", ["classes", "assemble", "test", "check", "build"]),
      where: manifest,
    },
  };
}

/** The wrapper is called by its own name, and counts as much as the program. */
function both(program: "gradle" | "mvn", tasks: readonly string[]): readonly string[] {
  const wrapper = program === "gradle" ? "gradlew" : "mvnw";
  return tasks.flatMap((task) => [`${wrapper} ${task}`, `${program} ${task}`]);
}

const MOST_MODULES = 12;

/** `include(":app", ":lib:core")`, as `app` and `lib:core`. */
function modulesOf(settings: string): readonly string[] {
  const calls = settings.match(/^\s*include\b[^\n]*(?:,\s*\n[^\n]*)*/gm) ?? [];
  return calls
    .flatMap((call) => [...call.matchAll(/["']:?([\w:.-]+)["']/g)])
    .flatMap(([, module]) => module ?? [])
    .slice(0, MOST_MODULES);
}

function mavenProject(tree: FileTree): Project | null {
  const pom = tree.read("pom.xml");
  if (pom === null) return null;
  const program = hasFile(tree, "mvnw") ? "./mvnw" : "mvn";
  const modules = [...pom.matchAll(/<module>\s*([\w./-]+)\s*<\/module>/g)].flatMap(([, module]) => module ?? []);
  const members = expandMembers(tree, modules, "pom.xml");
  const test = { run: `${program} test`, evidence: both("mvn", ["test", "verify"]), where: "pom.xml" };
  return {
    language: "java",
    detail: modules.length > 0 ? `Maven, ${countOf(modules.length, "module")}` : "Maven",
    where: "pom.xml",
    members,
    tests: testsOf(tree, members, test),
    install: {
      run: `${program} test-compile`,
      evidence: both("mvn", ["test-compile", "compile", "test", "package", "verify", "install"]),
      where: "pom.xml",
    },
  };
}

function testsOf(tree: FileTree, modules: readonly string[], command: StackCommand): readonly StackCommand[] {
  const hasTests = [".", ...modules].some((module) =>
    TEST_FOLDERS.some((folder) => hasFolder(tree, pathIn(module, folder))),
  );
  return hasTests ? [command] : [];
}
