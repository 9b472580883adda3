import { expect, test } from "vitest";
import { holdsPaste } from "./paste-message.ts";

const LONG = `${"größe 検査 👩‍💻\n".repeat(100)}the end of the long message`;

const cases = [
  { shown: "the whole", text: "one two\nthree", message: "one two\nthree", holds: true },
  { shown: "the whole, wrapped and without tabs", text: "one\ntwo   three", message: "one\ttwo three", holds: true },
  { shown: "the whole, letters composed", text: "gro\u0308\u00DFe 42", message: "größe 42", holds: true },
  { shown: "the length", text: `[Pasted Content ${Array.from(LONG).length} chars]`, message: LONG, holds: true },
  {
    shown: "another length",
    text: `[Pasted Content ${Array.from(LONG).length + 1} chars]`,
    message: LONG,
    holds: false,
  },
  {
    shown: "the length and more",
    text: `[Pasted Content ${Array.from(LONG).length} chars] x`,
    message: LONG,
    holds: false,
  },
  { shown: "the end", text: "the end of the long message", message: LONG, holds: true },
  { shown: "too little of the end", text: "message", message: LONG, holds: false },
  {
    shown: "the beginning",
    text: "one two three four five six",
    message: "one two three four five six seven",
    holds: false,
  },
  { shown: "the whole and more", text: "one two three x", message: "one two three", holds: false },
  {
    shown: "something before it",
    text: "x one two three four five six",
    message: "one two three four five six",
    holds: false,
  },
  { shown: "nothing", text: "", message: "one two three", holds: false },
];
test.for(cases)("$shown: $holds", ({ text, message, holds }) => {
  expect(holdsPaste(text, message)).toBe(holds);
});
