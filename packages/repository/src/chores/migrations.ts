import { dig, textsIn } from "../files/parsers.ts";
import { folderOf, pathIn, type Tree } from "../files/tree.ts";
import type { ChoreRow } from "./chore.ts";
import { beside, folderPrefix, nodeProgram, plainPath, prismaSchemas, pythonProgram } from "./places.ts";

/** Migrations that must have been run once they are written, by tool. */
export const MIGRATIONS: readonly ChoreRow[] = [
  {
    kind: "migrate",
    tool: "prisma",
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
    words: ["artisan migrate", "php artisan migrate"],
    find: (tree) => beside(tree, tree.named("artisan"), ["database/migrations"], () => "php artisan migrate"),
  },
  {
    kind: "migrate",
    tool: "ecto",
    label: "migrations",
    words: ["mix ecto.migrate", "mix ecto.setup", "mix ecto.reset"],
    find: (tree) => beside(tree, tree.named("mix.exs"), ["priv/repo/migrations"], () => "mix ecto.migrate"),
  },
  {
    kind: "migrate",
    tool: "doctrine",
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
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
    label: "migrations",
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
];

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
