import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandShape, shapeOfWords } from "./command-shape.ts";
import { NAME_PLACES, PASSWORDS, TOKENS, VALUE_PLACES } from "./testing/secrets-in-commands.ts";

/** Any eight characters of a secret that are found in a text, or a shorter secret as a whole. */
function leaks(shape: string, secret: string): readonly string[] {
  const length = Math.min(8, secret.length);
  return Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length)).filter(
    (piece) => shape.includes(piece) && !/^[a-z_]+$/.test(piece),
  );
}

const tokens = TOKENS.map(({ token }) => token);

test("the table holds the places that were tried", () => {
  expect(VALUE_PLACES.length + NAME_PLACES.length).toBeGreaterThanOrEqual(100);
  expect((VALUE_PLACES.length + NAME_PLACES.length) * tokens.length).toBeGreaterThanOrEqual(243);
});

test.for([...VALUE_PLACES, ...NAME_PLACES])("no token is left of: %s", (place) => {
  const shapes = tokens.map((token) => ({ token, shape: commandShape(place.replaceAll("§", token)) }));
  expect(shapes.filter(({ token, shape }) => leaks(shape, token).length > 0)).toEqual([]);
});

test.for(VALUE_PLACES)("no password is left of: %s", (place) => {
  const shapes = PASSWORDS.map((password) => commandShape(place.replaceAll("§", password)));
  expect(shapes.filter((shape, index) => shape.includes(PASSWORDS[index] ?? ""))).toEqual([]);
});

test("a value has no part in the shape", () => {
  const value = fc
    .string({ minLength: 6, maxLength: 30, unit: fc.constantFrom("a", "Z", "0", "9", "-", "_", ":", "@") })
    .map((text) => `a${text}`);
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [first, second] = [one, other].map((text) => commandShape(`tool --key '${text}' x && npm test`));
      expect(first).toBe(second);
    }),
  );
});

describe("the command stays recognisable", () => {
  const same = [
    "pnpm test",
    "npm run build:web",
    "pnpm -r test",
    "yarn workspace web test",
    "make lint test",
    "pytest -q tests/unit/test_retry.py",
    "pytest tests/a.py::TestX::test_y -x",
    "python tools/report.py",
    "python manage.py migrate",
    "timeout 30 python -m pytest tests",
    "uv run pytest tests",
    "cd packages/web && npx vitest run src/a.test.ts 2>&1 | tail -20",
    "bash -lc 'cargo test --all-features'",
    "go test -race ./pkg/...",
    "(cd api && ./gradlew test)",
    "npm test >/dev/null || true",
    "if true; then make test; fi",
    "docker compose up",
    ".venv/bin/pytest e2e",
  ];
  test.for(same)("%s", (line) => {
    expect(commandShape(line)).toBe(line);
  });

  const shapes = [
    { line: "pytest tests/test_a.py -k x", shape: "pytest tests/test_a.py -k …" },
    { line: "PGPASSWORD=abc psql -h db", shape: "PGPASSWORD=… psql -h …" },
    { line: "npm --prefix web test", shape: "npm --prefix … test" },
    { line: "git commit -m 'hello world' --no-verify", shape: "git commit -m … --no-verify" },
    { line: "grep -rn foo src/a.ts", shape: "grep -rn … src/a.ts" },
    { line: "a\nb \\\n  --flag v", shape: "a; b --flag …" },
    { line: "python - <<'E'\nprint(1)\nE", shape: "python - <<…" },
    { line: "for f in a b; do pytest $f; done", shape: "… pytest …; done" },
    { line: "", shape: "" },
    { line: "$X", shape: "…" },
    { line: `echo ${"a ".repeat(60_000)}`, shape: "echo …" },
  ];
  test.for(shapes)("$shape", ({ line, shape }) => {
    expect(commandShape(line)).toBe(shape);
  });

  test.for([";", "( ", "…", "a ", "\\\n"])("a line of %j again and again has a short shape, soon", (unit) => {
    expect(commandShape(`ls ${unit.repeat(20_000)}`).length).toBeLessThan(1010);
  });

  test("in words", () => {
    expect(shapeOfWords(["pytest", "tests/a.py", "-k", "x y"])).toBe("pytest tests/a.py -k …");
  });
});

test("any line has a shape", () => {
  const line = fc.array(
    fc.oneof(
      fc.constantFrom(...VALUE_PLACES, "'", '"', "`", "$(", ")", "{", "<<E", "|", "&&", "\\\n", "#"),
      fc.string(),
    ),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(line, (parts) => typeof commandShape(parts.join("")) === "string"),
    { numRuns: 2000 },
  );
});
