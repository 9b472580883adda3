import type { DeclaredCommand } from "./commands/declared-commands.ts";
import { packageManager, pythonManager } from "./files/package-manager.ts";
import { dig, entriesOf, textsIn } from "./files/parsers.ts";
import { folderOf, isSample, nameOf, pathIn, type Tree } from "./files/tree.ts";

/** Files that ask for a command when they change: migrations to be run, code to be generated. */
export interface Chore {
  readonly kind: "migrate" | "generate";
  /** The tool: `prisma`. */
  readonly tool: string;
  /** The words for the files in the middle of a sentence. */
  readonly label: string;
  /** Globs of the files, from the root. */
  readonly include: readonly string[];
  readonly command: string;
  readonly folder: string;
  /** Words of commands that prove it. */
  readonly evidence: readonly string[];
  readonly source: string;
}

/** What a detector finds in a folder; paths are relative to it. */
interface Found {
  readonly folder: string;
  readonly include: readonly string[];
  readonly command: string;
  /** The file that shows it, from the root. */
  readonly source: string;
}

interface ChoreRow {
  readonly kind: Chore["kind"];
  readonly tool: string;
  readonly label: string;
  /** Words of commands that do the work; the first is the tool itself. */
  readonly words: readonly string[];
  readonly find: (tree: Tree, commands: readonly DeclaredCommand[]) => readonly Found[];
  /** Whether only a task of the repository can be asked for. */
  readonly onlyTask?: true;
}

const MIGRATIONS = "migrations";

const CHORES: readonly ChoreRow[] = [
  {
    kind: "migrate",
    tool: "prisma",
    label: MIGRATIONS,
    // `prisma migrate dev` wants a terminal, so an agent is asked for the one that does not.
    words: ["prisma migrate deploy", "prisma migrate dev", "prisma migrate reset", "prisma db push"],
    find: (tree) =>
      prismaSchemas(tree).flatMap(({ folder, schema, home }) => {
        const migrations = [`${home}migrations`, `${folderPrefix(folderOf(home.slice(0, -1)))}migrations`].find(
          (path) => tree.hasFolder(pathIn(folder, path)),
        );
        return migrations === undefined
          ? []
          : [
              {
                folder,
                include: [`${migrations}/**`],
                command: nodeProgram(tree, folder, "prisma migrate deploy"),
                source: schema,
              },
            ];
      }),
  },
  {
    kind: "migrate",
    tool: "drizzle",
    label: MIGRATIONS,
    words: ["drizzle-kit migrate", "drizzle-kit push"],
    find: (tree) =>
      tree.named(/^drizzle\.config\.[cm]?[jt]s$/).flatMap((source) => {
        const folder = folderOf(source);
        const out = plainPath(/\bout\s*:\s*["'`]([^"'`]+)["'`]/.exec(tree.read(source) ?? "")?.[1] ?? "drizzle");
        return out === null || !tree.hasFolder(pathIn(folder, out))
          ? []
          : [{ folder, include: [`${out}/**`], command: nodeProgram(tree, folder, "drizzle-kit migrate"), source }];
      }),
  },
  {
    kind: "migrate",
    tool: "knex",
    label: MIGRATIONS,
    words: ["knex migrate:latest", "knex migrate:up"],
    find: (tree) =>
      beside(
        tree,
        tree.named(/^knexfile\.[cm]?[jt]s$/),
        ["migrations", "db/migrations", "src/migrations", "database/migrations"],
        (folder) => nodeProgram(tree, folder, "knex migrate:latest"),
      ),
  },
  {
    kind: "migrate",
    tool: "alembic",
    label: MIGRATIONS,
    words: ["alembic upgrade"],
    find: (tree) =>
      tree.named("alembic.ini").flatMap((source) => {
        const folder = folderOf(source);
        const location = /^script_location\s*=\s*(?:%\(here\)s\/)?(\S+)/m.exec(tree.read(source) ?? "")?.[1];
        const known = [location, "alembic", "app/alembic", "migrations"].find(
          (path) => path !== undefined && plainPath(path) !== null && tree.hasFolder(pathIn(folder, path)),
        );
        return known === undefined
          ? []
          : [
              {
                folder,
                include: [`${known}/versions/**/*.py`],
                command: pythonProgram(tree, folder, "alembic upgrade head"),
                source,
              },
            ];
      }),
  },
  {
    kind: "migrate",
    tool: "django",
    label: MIGRATIONS,
    words: ["manage.py migrate", "python manage.py migrate", "python3 manage.py migrate"],
    find: (tree) => {
      const isMigration = /\/migrations\/\d{4}_[^/]*\.py$/;
      return tree
        .named("manage.py")
        .filter((source) =>
          tree.files.some((path) => path.startsWith(folderPrefix(folderOf(source))) && isMigration.test(path)),
        )
        .map((source) => ({
          folder: folderOf(source),
          include: ["**/migrations/[0-9]*.py"],
          command: pythonProgram(tree, folderOf(source), "python manage.py migrate"),
          source,
        }));
    },
  },
  {
    kind: "migrate",
    tool: "rails",
    label: MIGRATIONS,
    words: ["rails db:migrate", "rails db:prepare", "rake db:migrate"],
    find: (tree) =>
      beside(
        tree,
        tree.named("application.rb").filter((path) => folderOf(path) === "config"),
        ["db/migrate"],
        () => "bin/rails db:migrate",
        "",
      ),
  },
  {
    kind: "migrate",
    tool: "laravel",
    label: MIGRATIONS,
    words: ["artisan migrate", "php artisan migrate"],
    find: (tree) => beside(tree, tree.named("artisan"), ["database/migrations"], () => "php artisan migrate"),
  },
  {
    kind: "migrate",
    tool: "ecto",
    label: MIGRATIONS,
    words: ["mix ecto.migrate", "mix ecto.setup", "mix ecto.reset"],
    find: (tree) => beside(tree, tree.named("mix.exs"), ["priv/repo/migrations"], () => "mix ecto.migrate"),
  },
  {
    kind: "migrate",
    tool: "doctrine",
    label: MIGRATIONS,
    words: ["console doctrine:migrations:migrate", "php bin/console doctrine:migrations:migrate"],
    find: (tree) =>
      beside(
        tree,
        tree.named(/^doctrine_migrations\.ya?ml$/),
        ["migrations"],
        () => "php bin/console doctrine:migrations:migrate --no-interaction",
        "",
      ),
  },
  {
    kind: "migrate",
    tool: "flyway",
    label: MIGRATIONS,
    words: [
      "flyway migrate",
      "gradlew flywayMigrate",
      "gradle flywayMigrate",
      "mvnw flyway:migrate",
      "mvn flyway:migrate",
    ],
    find: (tree) =>
      tree.named(/^(?:build\.gradle(?:\.kts)?|pom\.xml|flyway\.(?:toml|conf))$/).flatMap((source) => {
        const command = flywayCommand(tree, source);
        return command === null
          ? []
          : beside(
              tree,
              [source],
              ["src/main/resources/db/migration", "db/migration", "migrations", "sql"],
              () => command,
            );
      }),
  },
  {
    kind: "migrate",
    tool: "sqlx",
    label: MIGRATIONS,
    words: ["sqlx migrate run", "cargo sqlx migrate run", "sqlx database setup"],
    find: (tree) => {
      const users = tree
        .named("Cargo.toml")
        .filter((path) =>
          [["dependencies"], ["workspace", "dependencies"]].some(
            (keys) => dig(tree.data(path), ...keys, "sqlx") !== undefined,
          ),
        );
      return beside(tree, users, ["migrations"], () => "sqlx migrate run");
    },
  },
  {
    kind: "migrate",
    tool: "diesel",
    label: MIGRATIONS,
    words: ["diesel migration run", "diesel migration redo", "diesel database setup"],
    find: (tree) =>
      tree
        .named("diesel.toml")
        .flatMap((source) =>
          beside(
            tree,
            [source],
            [textsIn(dig(tree.data(source), "migrations_directory", "dir"))[0] ?? "migrations"],
            () => "diesel migration run",
          ),
        ),
  },
  {
    kind: "migrate",
    tool: "goose",
    label: MIGRATIONS,
    words: ["goose up", "goose -dir {folder} up", "dbmate up"],
    // These want a database on the command line.
    onlyTask: true,
    find: (tree) =>
      beside(
        tree,
        tree.named("go.mod"),
        ["migrations", "db/migrations", "sql/migrations", "database/migrations", "internal/db/migrations"],
        () => "goose up",
      ),
  },
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
const MAX_PLACES = 4;

/** The chores of a repository; a task of its own that does the work is asked for in the tool's place. */
export function readChores(tree: Tree, commands: readonly DeclaredCommand[]): readonly Chore[] {
  return CHORES.flatMap(({ kind, tool, label, words, find, onlyTask }) => {
    const places = find(tree, commands).filter(({ folder }) => !isSample(folder));
    // A collection of many projects has no one place to name.
    return (places.length > MAX_PLACES ? [] : places).flatMap((found): readonly Chore[] => {
      const near = commands.filter(({ folder }) => folder === found.folder || folder === "");
      const own = taskFor(near, kind, words);
      if (own === null && onlyTask === true) return [];
      const running = near.filter((command) => words.some((call) => runs(command, call))).map(({ command }) => command);
      const calls = words.map((call) => call.replace("{folder}", found.include[0]?.replace("/**", "") ?? ""));
      return [
        {
          kind,
          tool,
          label,
          include: found.include.map((glob) => pathIn(found.folder, glob)),
          command: own?.command ?? found.command,
          folder: own?.folder ?? found.folder,
          source: own === null ? found.source : `${found.source}, ${own.source}`,
          evidence: [...new Set([...calls, ...running])],
        },
      ];
    });
  });
}

/** The task that runs the tool and nothing else, or has its name without running another of the words. */
function taskFor(
  near: readonly DeclaredCommand[],
  kind: Chore["kind"],
  [tool = "", ...others]: readonly string[],
): DeclaredCommand | null {
  const plain = near.filter((command) => command.kind === kind && !/^(?:pre|post)/.test(command.name));
  const alone = ({ runs: body }: DeclaredCommand) => (body ?? "").split(/&&|\n/).length === 1;
  const named = plain.filter(({ name }) => kind === "migrate" && MIGRATE_NAME.test(name));
  return (
    plain.find((command) => runs(command, tool) && alone(command)) ??
    named.find((command) => !others.some((call) => runs(command, call))) ??
    null
  );
}

const MIGRATE_NAME =
  /^(?:db[:_-])?migrate(?:[:_-](?:up|deploy|latest|run))?$|^(?:run[:_-])?migrations?(?:[:_-](?:up|run))?$|^goose[:_-]up$/;

function runs({ runs: body }: DeclaredCommand, call: string): boolean {
  return body?.includes(call) === true;
}

/** Schemas with the package they belong to: `home` is the schema's folder from there, with a slash at its end. */
function prismaSchemas(
  tree: Tree,
): readonly { readonly folder: string; readonly schema: string; readonly home: string }[] {
  return tree.named("schema.prisma").flatMap((schema) => {
    let folder = folderOf(schema);
    while (folder !== "" && !tree.has(pathIn(folder, "package.json"))) folder = folderOf(folder);
    if (
      !dependenciesOf(tree, pathIn(folder, "package.json")).some(
        (name) => name === "prisma" || name === "@prisma/client",
      )
    )
      return [];
    const home = folderOf(folder === "" ? schema : schema.slice(folder.length + 1));
    return [{ folder, schema, home: folderPrefix(home) }];
  });
}

function folderPrefix(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}

/** The first of the folders that stands beside a file, with the command to run there. */
function beside(
  tree: Tree,
  sources: readonly string[],
  folders: readonly string[],
  command: (folder: string) => string,
  fixed?: string,
): readonly Found[] {
  return sources.flatMap((source) => {
    const folder = fixed ?? folderOf(source);
    const found = folders.find((path) => tree.hasFolder(pathIn(folder, path)));
    return found === undefined ? [] : [{ folder, include: [`${found}/**`], command: command(folder), source }];
  });
}

/** Without the plugin or a settings file an application migrates when it starts, and there is nothing to run. */
function flywayCommand(tree: Tree, source: string): string | null {
  const text = tree.read(source) ?? "";
  const wrapped = (wrapper: string, program: string) =>
    tree.has(pathIn(folderOf(source), wrapper)) ? `./${wrapper}` : program;
  if (/build\.gradle/.test(source))
    return /org\.flywaydb\.flyway\b/.test(text) ? `${wrapped("gradlew", "gradle")} flywayMigrate` : null;
  if (source.endsWith("pom.xml"))
    return text.includes("flyway-maven-plugin") ? `${wrapped("mvnw", "mvn")} flyway:migrate` : null;
  return "flyway migrate";
}

function goGenerateFiles(tree: Tree): readonly string[] {
  return tree.files
    .filter((path) => path.endsWith(".go") && plainPath(path) !== null)
    .slice(0, MAX_GO_FILES)
    .filter((path) => /^\/\/go:generate /m.test(tree.read(path) ?? ""));
}

function nodeProgram(tree: Tree, folder: string, command: string): string {
  const starts: Readonly<Record<string, string>> = { npm: "npx", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" };
  return `${starts[packageManager(tree, folder)?.name ?? "npm"] ?? "npx"} ${command}`;
}

function pythonProgram(tree: Tree, folder: string, command: string): string {
  const manager = pythonManager(tree, folder);
  return manager === null ? command : `${manager} run ${command}`;
}

function dependenciesOf(tree: Tree, manifest: string): readonly string[] {
  return ["dependencies", "devDependencies"].flatMap((key) =>
    entriesOf(dig(tree.data(manifest), key)).map(([name]) => name),
  );
}

/** A path named in a settings file, if it lies inside the tree and may stand in a glob. */
function plainPath(path: string): string | null {
  const plain = path.replace(/^\.\//, "").replace(/\/+$/, "");
  return /^[\w@.-][\w@./-]*$/.test(plain) && !plain.split("/").includes("..") ? plain : null;
}
