import { expect, test } from "vitest";
import { type FoundTurn, type TurnMark, findTurns } from "./find-turns.ts";

const SIZE = 100;

/** What an entry says, by its offset; null for one that says nothing. */
type Marks = Readonly<Record<number, TurnMark | null>>;

const find = (marks: Marks): readonly FoundTurn[] => {
  const entries = Object.keys(marks).map((offset) => ({ offset: Number(offset), value: {} }));
  return [...findTurns(entries, { mentions: [], take: ({ offset }) => marks[offset] ?? null }, SIZE)];
};

const opens: TurnMark = { kind: "opens" };
const mayOpen: TurnMark = { kind: "may-open" };
const ends: TurnMark = { kind: "ends" };
const goesOn: TurnMark = { kind: "goes-on", turnId: "t" };

const turn = (from: number, to: number, hints: FoundTurn["hints"] = {}): FoundTurn => ({ from, to, hints });

const cases: readonly { title: string; marks: Marks; turns: readonly FoundTurn[] }[] = [
  { title: "nothing is said", marks: { 0: null, 5: null }, turns: [] },
  { title: "one prompt", marks: { 0: null, 5: opens, 9: null }, turns: [turn(5, SIZE)] },
  { title: "a turn lies up to the next prompt", marks: { 5: opens, 9: opens }, turns: [turn(5, 9), turn(9, SIZE)] },
  { title: "what was taken back had ended", marks: { 5: opens, 9: ends }, turns: [turn(5, 9)] },
  { title: "an end without a turn", marks: { 5: ends, 9: ends, 12: opens }, turns: [turn(12, SIZE)] },
  {
    title: "a further prompt names the turn that it went into, and that one only",
    marks: { 5: opens, 9: goesOn, 20: opens },
    turns: [turn(5, 20, { promptId: "t" }), turn(20, SIZE)],
  },
  { title: "unsure prompts count alone", marks: { 5: mayOpen, 9: mayOpen }, turns: [turn(5, 9), turn(9, SIZE)] },
  { title: "unsure prompts before a sure one", marks: { 5: mayOpen, 9: opens }, turns: [turn(9, SIZE)] },
  { title: "unsure prompts after a sure one", marks: { 5: opens, 9: mayOpen }, turns: [turn(5, SIZE)] },
];

test.for(cases)("$title", ({ marks, turns }) => {
  expect(find(marks)).toEqual(turns);
});
