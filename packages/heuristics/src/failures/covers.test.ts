import { expect, test } from "vitest";
import { covers } from "./covers.ts";

const cases = [
  { later: "pytest", earlier: "pytest tests/a.py", is: true },
  { later: "pytest -q", earlier: "pytest -x tests/a.py", is: true },
  { later: "pytest tests/a.py tests/b.py", earlier: "pytest tests/a.py", is: true },
  { later: "pytest tests/b.py", earlier: "pytest tests/a.py", is: false },
  { later: "pytest tests/a.py", earlier: "pytest", is: false },
  { later: "pytest tests/a", earlier: "pytest tests/ab.py", is: false },
  { later: "pytest -k one", earlier: "pytest", is: false },
  { later: "pytest -k one", earlier: "pytest -k one", is: true },
  { later: "pytest -k one", earlier: "pytest -k two", is: false },
  { later: "pytest --lf", earlier: "pytest", is: false },
  { later: "npm test", earlier: "npm test -- a.test.ts", is: true },
  { later: "npm test -- a.test.ts", earlier: "npm test", is: false },
  { later: "npm run test:unit", earlier: "npm run test:e2e", is: false },
  { later: "vitest run", earlier: "vitest run a.test.ts", is: true },
  { later: "go test ./...", earlier: "go test ./pkg/a", is: true },
  { later: "go test ./pkg/b", earlier: "go test ./pkg/a", is: false },
  { later: "make test", earlier: "make test", is: true },
  { later: "make build", earlier: "make deploy", is: false },
  { later: "make", earlier: "make deploy", is: false },
  { later: "make build", earlier: "make build", is: true },
  { later: "cargo build --release", earlier: "cargo build", is: true },
  { later: "python a.py", earlier: "python b.py", is: false },
  { later: "git push origin main", earlier: "git push", is: true },
  { later: "git status", earlier: "git push", is: false },
  { later: "npm run build", earlier: "npm run lint", is: false },
];
test.for(cases)("$later covers $earlier: $is", ({ later, earlier, is }) => {
  expect(covers(later.split(" "), earlier.split(" "))).toBe(is);
});
