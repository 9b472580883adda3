import { expect, test } from "vitest";
import { isAffordable } from "./affordable-glob.ts";

/** A path for which two stars are a hundred ways, four ten thousand, and seven the most that is tried. */
const path = "a".repeat(10);

const choices = (open: string, sign: string, count: number) =>
  `${open}${Array.from({ length: count }, () => "a").join(sign)}${open === "{" ? "}" : ")"}`;

const cases = [
  { glob: "src/a.ts", is: true },
  { glob: "*a".repeat(7), is: true },
  { glob: "*a".repeat(8), is: false },
  { glob: "**/a/".repeat(7), is: true },
  { glob: "!(a)".repeat(7), is: true },
  { glob: "!(a)".repeat(8), is: false },
  { glob: `${"*a".repeat(6)}${choices("{", ",", 10)}`, is: true },
  { glob: `${"*a".repeat(6)}${choices("{", ",", 11)}`, is: false },
  { glob: `${"*a".repeat(6)}${choices("@(", "|", 10)}`, is: true },
  { glob: `${"*a".repeat(6)}${choices("@(", "|", 11)}`, is: false },
  { glob: `${"*a".repeat(6)}{a,b}{a,b,c,d,e}`, is: true },
  { glob: `${"*a".repeat(6)}{a,b}{a,b,c,d,e,f}`, is: false },
  { glob: `${"*a".repeat(6)}{a,{b,c,d,e,f}}`, is: true },
  { glob: `${"*a".repeat(6)}{a,{b,c,d,e,f,g}}`, is: false },
  { glob: `${"*a".repeat(6)}${"?(a)".repeat(3)}`, is: true },
  { glob: `${"*a".repeat(6)}${"?(a)".repeat(4)}`, is: false },
  { glob: `${"*a".repeat(6)}${"(a)".repeat(40)}`, is: true },
  { glob: `${"*a".repeat(7)}}})`, is: true },
  { glob: "+(a)", is: false },
  { glob: "*(a)", is: false },
  { glob: "(a)*", is: false },
  { glob: "(a)+", is: false },
  { glob: "(a){2}", is: false },
  { glob: "(a)b", is: true },
];
test.for(cases)("$glob is affordable: $is", ({ glob, is }) => {
  expect(isAffordable(glob, path)).toBe(is);
});
