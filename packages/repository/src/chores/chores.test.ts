import { expect, test } from "vitest";
import { runFromRoot } from "../test-areas.ts";
import { factsOf } from "../testing/facts-of.ts";

const rows = [
  {
    has: "Prisma in a package",
    files: {
      "packages/db/package.json": '{ "dependencies": { "prisma": "6" } }',
      "packages/db/schema.prisma": "",
      "packages/db/migrations/1/a.sql": "",
    },
    asks: [
      { include: ["packages/db/migrations/**"], run: "cd packages/db && npx prisma migrate deploy" },
      { include: ["packages/db/**/*.prisma"], run: "cd packages/db && npx prisma generate" },
    ],
  },
  {
    has: "Alembic in a folder",
    files: {
      "api/alembic.ini": "script_location = app/alembic\n",
      "api/app/alembic/versions/1.py": "",
      "api/uv.lock": "",
    },
    asks: [{ include: ["api/app/alembic/versions/**/*.py"], run: "cd api && uv run alembic upgrade head" }],
  },
  {
    has: "Laravel",
    files: { artisan: "", "database/migrations/a.php": "" },
    asks: [{ include: ["database/migrations/**"], run: "php artisan migrate" }],
  },
  {
    has: "Ecto",
    files: { "mix.exs": "", "priv/repo/migrations/a.exs": "" },
    asks: [{ include: ["priv/repo/migrations/**"], run: "mix ecto.migrate" }],
  },
  {
    has: "Doctrine",
    files: { "config/packages/doctrine_migrations.yaml": "", "migrations/Version1.php": "" },
    asks: [{ include: ["migrations/**"], run: "php bin/console doctrine:migrations:migrate --no-interaction" }],
  },
  {
    has: "a task that calls the compiler of protobuf",
    files: { Makefile: "proto:\n\tprotoc --go_out=. api/a.proto\n", "api/a.proto": "" },
    asks: [{ include: ["**/*.proto"], run: "make proto" }],
  },
  { has: "protobuf files that nothing compiles", files: { "api/a.proto": "" }, asks: [] },
  { has: "samples", files: { "examples/a/artisan": "", "examples/a/database/migrations/a.php": "" }, asks: [] },
  {
    has: "more places than can be named",
    files: Object.fromEntries(
      ["a", "b", "c", "d", "e"].flatMap((app) => [
        [`${app}/artisan`, ""],
        [`${app}/database/migrations/a.php`, ""],
      ]),
    ),
    asks: [],
  },
];
test.for(rows)("$has", async ({ files, asks }) => {
  const { migrations, generators } = await factsOf(files);
  expect([...migrations, ...generators].map((chore) => ({ include: chore.include, run: runFromRoot(chore) }))).toEqual(
    asks,
  );
});
