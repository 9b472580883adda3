import { type FileTree, firstFile, hasFile, hasFolder } from "../file-tree.ts";
import { callProgram } from "../package-manager.ts";
import { isRails } from "../projects/ruby-project.ts";
import { dig, readData, stringOf } from "../read-data.ts";
import type { Chore, StackCommand } from "../stack.ts";
import { firstFiles } from "../walk-files.ts";
import { type DetectChore, preferTask } from "./detect-chore.ts";
import { plainPath } from "./plain-path.ts";
import { prismaSchema } from "./prisma-schema.ts";

/** Names of tasks that run migrations. */
const named =
  /^(?:db[:_-])?migrate(?:[:_-](?:up|deploy|latest))?$|^(?:run[:_-])?migrations?(?:[:_-](?:up|run))?$|^goose[:_-]up$/;

const prisma: DetectChore = (tree, { tasks, manager }) => {
  const where = "prisma/migrations/";
  if (prismaSchema(tree) === null || !hasFolder(tree, "prisma/migrations")) return null;
  // `prisma migrate dev` wants a terminal, so an agent is asked for the one that does not.
  const tool = "prisma migrate deploy";
  const also = ["prisma migrate dev", "prisma migrate reset", "prisma db push"];
  const { run, evidence } = callProgram(manager, tool, also);
  return migrations("prisma", "prisma/migrations/**", preferTask(tasks, { run, evidence, where, tool, also, named }));
};

const drizzle: DetectChore = (tree, { tasks, manager }) => {
  const where = firstFile(tree, withEndings("drizzle.config"));
  if (where === null) return null;
  const out = /\bout\s*:\s*["'`]([^"'`]+)["'`]/.exec(tree.read(where) ?? "")?.[1] ?? "drizzle";
  const folder = plainPath(out);
  if (folder === null || !hasFolder(tree, folder)) return null;
  const tool = "drizzle-kit migrate";
  const also = ["drizzle-kit push"];
  const { run, evidence } = callProgram(manager, tool, also);
  return migrations("drizzle", `${folder}/**`, preferTask(tasks, { run, evidence, where, tool, also, named }));
};

const knex: DetectChore = (tree, { tasks, manager }) => {
  const where = firstFile(tree, withEndings("knexfile"));
  const folder = ["migrations", "db/migrations", "src/migrations", "database/migrations"].find((path) =>
    hasFolder(tree, path),
  );
  if (where === null || folder === undefined) return null;
  const tool = "knex migrate:latest";
  const { run, evidence } = callProgram(manager, tool, ["knex migrate:up"]);
  return migrations("knex", `${folder}/**`, preferTask(tasks, { run, evidence, where, tool, named }));
};

const alembic: DetectChore = (tree, { tasks, pythonStart }) => {
  const where = "alembic.ini";
  const settings = tree.read(where);
  if (settings === null) return null;
  const location = /^script_location\s*=\s*(?:%\(here\)s\/)?(\S+)/m.exec(settings)?.[1] ?? "alembic";
  const folder = plainPath(location);
  if (folder === null || !hasFolder(tree, folder)) return null;
  const tool = "alembic upgrade";
  const command = preferTask(tasks, {
    run: `${pythonStart}alembic upgrade head`,
    evidence: [tool],
    where,
    tool,
    named,
  });
  return migrations("alembic", `${folder}/versions/**/*.py`, command);
};

const django: DetectChore = (tree, { tasks, pythonStart }) => {
  const where = "manage.py";
  if (!hasFile(tree, where) || firstFiles(tree, /\/migrations\/\d{4}_[^/]*\.py$/, 1).length === 0) return null;
  const tool = "python manage.py migrate";
  const evidence = ["manage.py migrate", tool, "python3 manage.py migrate"];
  const command = preferTask(tasks, { run: pythonStart + tool, evidence, where, tool, named });
  return migrations("django", "**/migrations/[0-9]*.py", command);
};

const rails: DetectChore = (tree, { tasks }) => {
  const where = "db/migrate/";
  if (!isRails(tree) || !hasFolder(tree, "db/migrate")) return null;
  const tool = "rails db:migrate";
  const evidence = [tool, "rails db:prepare", "rake db:migrate"];
  return migrations(
    "rails",
    "db/migrate/**",
    preferTask(tasks, { run: "bin/rails db:migrate", evidence, where, tool, named }),
  );
};

const flyway: DetectChore = (tree) => {
  const command = flywayCall(tree);
  const folder = ["src/main/resources/db/migration", "db/migration", "migrations", "sql"].find((path) =>
    hasFolder(tree, path),
  );
  return command === null || folder === undefined ? null : migrations("flyway", `${folder}/**`, command);
};

/** Without the plugin or a settings file an application migrates when it starts, and there is nothing to run. */
function flywayCall(tree: FileTree): StackCommand | null {
  const gradle = firstFile(tree, ["build.gradle.kts", "build.gradle"]);
  if (gradle !== null && /org\.flywaydb\.flyway\b/.test(tree.read(gradle) ?? "")) {
    const run = hasFile(tree, "gradlew") ? "./gradlew flywayMigrate" : "gradle flywayMigrate";
    return { run, evidence: ["gradlew flywayMigrate", "gradle flywayMigrate"], where: gradle };
  }
  if (/flyway-maven-plugin/.test(tree.read("pom.xml") ?? "")) {
    const run = hasFile(tree, "mvnw") ? "./mvnw flyway:migrate" : "mvn flyway:migrate";
    return { run, evidence: ["mvnw flyway:migrate", "mvn flyway:migrate"], where: "pom.xml" };
  }
  const settings = firstFile(tree, ["flyway.toml", "flyway.conf", "conf/flyway.conf"]);
  return settings === null ? null : { run: "flyway migrate", evidence: ["flyway migrate"], where: settings };
}

const sqlx: DetectChore = (tree, { tasks }) => {
  const manifest = readData(tree, "Cargo.toml");
  const isUsed = [["dependencies"], ["workspace", "dependencies"]].some(
    (keys) => dig(manifest, ...keys, "sqlx") !== undefined,
  );
  if (!isUsed || !tree.list("migrations").some((name) => /\.sql$|\/$/.test(name))) return null;
  const tool = "sqlx migrate run";
  const evidence = [tool, "cargo sqlx migrate run", "sqlx database setup"];
  return migrations(
    "sqlx",
    "migrations/**",
    preferTask(tasks, { run: tool, evidence, where: "migrations/", tool, named }),
  );
};

const diesel: DetectChore = (tree, { tasks }) => {
  const where = "diesel.toml";
  if (!hasFile(tree, where)) return null;
  const folder = plainPath(stringOf(dig(readData(tree, where), "migrations_directory", "dir")) ?? "migrations");
  if (folder === null || !hasFolder(tree, folder)) return null;
  const tool = "diesel migration run";
  const evidence = [tool, "diesel migration redo", "diesel database setup"];
  return migrations("diesel", `${folder}/**`, preferTask(tasks, { run: tool, evidence, where, tool, named }));
};

const SQL_FOLDERS = ["migrations", "db/migrations", "sql/migrations", "database/migrations", "internal/db/migrations"];

/** Tools that want a database on the command line: only a task of the repository can be asked for. */
const goose: DetectChore = (tree, { tasks }) => {
  const folder = SQL_FOLDERS.find((path) => tree.list(path).some((name) => name.endsWith(".sql")));
  const task = tasks.find(({ name, body }) => named.test(name) && /\b(?:goose|migrate|dbmate)\b/.test(body));
  if (folder === undefined || task === undefined || !hasFile(tree, "go.mod")) return null;
  const tool = /\b(goose|dbmate)\b/.exec(task.body)?.[1] ?? "migrate";
  const direct = tool === "goose" ? ["goose up", `goose -dir ${folder} up`] : tool === "dbmate" ? ["dbmate up"] : [];
  const { run, evidence, where } = task;
  return migrations(tool, `${folder}/**`, { run, evidence: [...evidence, ...direct], where });
};

/** Migrations that must have been run once they are written, by tool. */
export const MIGRATIONS: readonly DetectChore[] = [
  prisma,
  drizzle,
  knex,
  alembic,
  django,
  rails,
  flyway,
  sqlx,
  diesel,
  goose,
];

function migrations(tool: string, glob: string, command: StackCommand): Chore {
  return { tool, kind: "migrate", label: "migrations", plural: true, include: [glob], command };
}

function withEndings(name: string): readonly string[] {
  return ["ts", "js", "mjs", "cjs"].map((ending) => `${name}.${ending}`);
}
