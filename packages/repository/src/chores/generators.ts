import { dig, entriesOf, textsIn } from "../files/parsers.ts";
import { folderOf, nameOf, pathIn, type Tree } from "../files/tree.ts";
import type { ChoreRow } from "./chore.ts";
import { dependenciesOf, nodeProgram, plainPath, prismaSchemas } from "./places.ts";

/** Sources from which code is generated, by tool. */
export const GENERATORS: readonly ChoreRow[] = [
  {
    kind: "generate",
    tool: "prisma",
    label: "the Prisma schema",
    words: ["prisma generate", "prisma migrate dev"],
    find: (tree) =>
      prismaSchemas(tree).map(({ folder, schema, home }) => ({
        folder,
        include: [`${home}**/*.prisma`],
        command: nodeProgram(tree, folder, "prisma generate"),
        source: schema,
      })),
  },
  {
    kind: "generate",
    tool: "graphql",
    label: "GraphQL documents",
    words: ["graphql-codegen"],
    find: (tree) =>
      tree
        .named(/^codegen\.(?:ts|yml|yaml|js|json)$/)
        .filter((source) =>
          dependenciesOf(tree, pathIn(folderOf(source), "package.json")).includes("@graphql-codegen/cli"),
        )
        .map((source) => ({
          folder: folderOf(source),
          include: ["**/*.{graphql,gql}", nameOf(source)],
          command: nodeProgram(tree, folderOf(source), "graphql-codegen"),
          source,
        })),
  },
  {
    kind: "generate",
    tool: "protobuf",
    label: "protobuf files",
    words: ["buf generate", "protoc"],
    find: (tree) =>
      tree.named(/^buf\.gen\.ya?ml$/).map((source) => ({
        folder: folderOf(source),
        include: ["**/*.proto", nameOf(source)],
        command: "buf generate",
        source,
      })),
  },
  {
    kind: "generate",
    tool: "protoc",
    label: "protobuf files",
    words: ["protoc"],
    onlyTask: true,
    find: (tree) => {
      const proto = tree.named(/\.proto$/)[0];
      return proto === undefined || tree.named(/^buf\.gen\.ya?ml$/).length > 0
        ? []
        : [{ folder: "", include: ["**/*.proto"], command: "protoc", source: proto }];
    },
  },
  {
    kind: "generate",
    tool: "openapi",
    label: "the OpenAPI description",
    words: [
      "openapi-typescript",
      "openapi-ts",
      "openapi-generator",
      "openapi-generator-cli",
      "orval",
      "oapi-codegen",
      "swagger-codegen",
    ],
    // The description is the file that the task's words name.
    find: (tree, commands) =>
      commands.flatMap(({ kind, folder, runs: body, command }) => {
        const source =
          kind === "generate" && /\b(?:openapi|orval|oapi-codegen|swagger)/.test(body ?? "")
            ? (body ?? "")
                .split(/\s+/)
                .map((word) => word.replace(/^\.\//, ""))
                .find((word) => /\.(?:ya?ml|json)$/.test(word) && tree.has(pathIn(folder, word)))
            : undefined;
        return source === undefined ? [] : [{ folder, include: [source], command, source: pathIn(folder, source) }];
      }),
  },
  {
    kind: "generate",
    tool: "sqlc",
    label: "SQL queries",
    words: ["sqlc generate"],
    find: (tree) =>
      tree.named(/^sqlc\.(?:ya?ml|json)$/).flatMap((source) => {
        const rows = ["sql", "packages"].flatMap((key) => entriesOf(dig(tree.data(source), key)).map(([, row]) => row));
        const paths = rows
          .flatMap((row) => ["queries", "schema"].flatMap((key) => textsIn(dig(row, key))))
          .flatMap((path) => plainPath(path) ?? []);
        const include = [...new Set(paths)].map((path) => (path.endsWith(".sql") ? path : `${path}/**/*.sql`));
        return include.length === 0
          ? []
          : [{ folder: folderOf(source), include: [...include, nameOf(source)], command: "sqlc generate", source }];
      }),
  },
  {
    kind: "generate",
    tool: "go",
    label: "code with `go:generate`",
    words: ["go generate"],
    // A directive stands in the file it generates from, or beside it; many of them say nothing exact.
    find: (tree) => {
      const files = tree.has("go.mod") ? goGenerateFiles(tree) : [];
      return files[0] === undefined || files.length > MAX_DIRECTIVES
        ? []
        : [{ folder: "", include: files, command: "go generate ./...", source: files[0] }];
    },
  },
];

const MAX_DIRECTIVES = 6;
const MAX_GO_FILES = 300;

function goGenerateFiles(tree: Tree): readonly string[] {
  return tree.files
    .filter((path) => path.endsWith(".go") && plainPath(path) !== null)
    .slice(0, MAX_GO_FILES)
    .filter((path) => /^\/\/go:generate /m.test(tree.read(path) ?? ""));
}
