import { type FileTree, firstFile, hasFile } from "../file-tree.ts";
import { callProgram } from "../package-manager.ts";
import { dependenciesOf } from "../projects/node-package.ts";
import { dig, readData, stringOf } from "../read-data.ts";
import type { Chore, StackCommand } from "../stack.ts";
import { commandsOf, tasksThatRun } from "../tasks/task.ts";
import { firstFiles } from "../walk-files.ts";
import { type DetectChore, onlyTask, preferTask } from "./detect-chore.ts";
import { plainPath } from "./plain-path.ts";
import { prismaSchema } from "./prisma-schema.ts";

const prisma: DetectChore = (tree, { tasks, manager }) => {
  const schema = prismaSchema(tree);
  if (schema === null || !dependenciesOf(tree).includes("prisma")) return null;
  const tool = "prisma generate";
  const { run, evidence } = callProgram(manager, tool, ["prisma migrate dev"]);
  const command = preferTask(tasks, { run, evidence, where: schema.sign, tool, also: ["prisma migrate dev"] });
  return generate("prisma", { label: "the Prisma schema", include: [schema.include], command });
};

const graphql: DetectChore = (tree, { tasks, manager }) => {
  const where = firstFile(
    tree,
    ["ts", "yml", "yaml", "js", "json"].map((ending) => `codegen.${ending}`),
  );
  if (where === null || !dependenciesOf(tree).includes("@graphql-codegen/cli")) return null;
  const tool = "graphql-codegen";
  const { run, evidence } = callProgram(manager, tool);
  const command = preferTask(tasks, { run, evidence, where, tool });
  return generate("graphql", { label: "GraphQL documents", include: ["**/*.{graphql,gql}", where], command });
};

/** Through buf, or through a task that calls the compiler. */
const protobuf: DetectChore = (tree, { tasks }) => {
  const where = firstFile(tree, ["buf.gen.yaml", "buf.gen.yml"]);
  const tool = "buf generate";
  const command =
    where === null ? onlyTask(tasks, "protoc") : preferTask(tasks, { run: tool, evidence: [tool], where, tool });
  if (command === null) return null;
  const include = ["**/*.proto", ...(where === null ? [] : [where])];
  return generate("protobuf", { label: "protobuf files", include, command });
};

const sqlc: DetectChore = (tree, { tasks }) => {
  const where = firstFile(tree, ["sqlc.yaml", "sqlc.yml", "sqlc.json"]);
  const sources = where === null ? [] : sqlcSources(readData(tree, where));
  if (where === null || sources.length === 0) return null;
  const tool = "sqlc generate";
  const command = preferTask(tasks, { run: tool, evidence: [tool], where, tool });
  return generate("sqlc", { label: "SQL queries", include: [...sources, where], command });
};

/** The queries and schemas of a sqlc file, in the layouts of versions 1 and 2. */
function sqlcSources(settings: unknown): readonly string[] {
  const rows = ["sql", "packages"].flatMap((key) => listOf(dig(settings, key)));
  const paths = rows.flatMap((row) => ["queries", "schema"].flatMap((key) => listOf(dig(row, key))));
  const plain = paths.flatMap((path) => plainPath(stringOf(path) ?? "") ?? []);
  return [...new Set(plain)].map((path) => (path.endsWith(".sql") ? path : `${path}/**/*.sql`));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

const OPENAPI_TOOLS = [
  "openapi-typescript",
  "openapi-ts",
  "openapi-generator-cli generate",
  "openapi-generator generate",
  "orval",
  "oapi-codegen",
  "swagger-codegen generate",
];

/** A task that generates from a description which its words name, and which lies in the tree. */
const openapi: DetectChore = (tree, { tasks }) => {
  const task = OPENAPI_TOOLS.flatMap((words) => tasksThatRun(tasks, words))[0];
  if (task === undefined) return null;
  const words = commandsOf(task.body).flatMap(({ argv }) => argv.flatMap((word) => plainPath(word) ?? []));
  const source = words.find((word) => /\.(?:ya?ml|json)$/.test(word) && hasFile(tree, word));
  if (source === undefined) return null;
  const { run, evidence, where } = task;
  return generate("openapi", {
    label: "the OpenAPI description",
    include: [source],
    command: { run, evidence, where },
  });
};

const MOST_GO_FILES = 400;
const MOST_DIRECTIVES = 6;

/** A directive stands in the file it generates from, or beside it; many of them say nothing exact. */
const goGenerate: DetectChore = (tree, { tasks }) => {
  const files = hasFile(tree, "go.mod") ? filesWithDirective(tree) : [];
  const [where] = files;
  if (where === undefined || files.length > MOST_DIRECTIVES) return null;
  const tool = "go generate";
  const command = preferTask(tasks, { run: "go generate ./...", evidence: [tool], where, tool });
  return generate("go", { label: "code with `go:generate`", include: files, command });
};

function filesWithDirective(tree: FileTree): readonly string[] {
  return firstFiles(tree, /\.go$/, MOST_GO_FILES).filter(
    (file) => plainPath(file) !== null && /^\/\/go:generate /m.test(tree.read(file) ?? ""),
  );
}

/** Sources from which code is generated, by tool. */
export const CODEGEN: readonly DetectChore[] = [prisma, graphql, protobuf, sqlc, openapi, goGenerate];

function generate(
  tool: string,
  {
    label,
    include,
    command,
  }: { readonly label: string; readonly include: readonly string[]; readonly command: StackCommand },
): Chore {
  return { tool, kind: "generate", label, plural: label.endsWith("s"), include, command };
}
