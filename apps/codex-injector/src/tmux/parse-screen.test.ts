import { expect, test } from "vitest";
import { parseScreen } from "./read-screen.ts";

/** Letters in capitals are bold, underlines stand for dim, stars for reversed, all others are plain. */
function looks(capture: string): readonly string[] {
  return parseScreen(capture).map(({ cells }) =>
    cells
      .map(({ char, isBold, isDim, isReversed }) =>
        isDim ? "_" : isReversed ? "*" : isBold ? char.toUpperCase() : char,
      )
      .join(""),
  );
}

const cases = [
  { screen: "plain", capture: "ab\n\ncd", rows: ["ab", "", "cd"] },
  { screen: "bold, then reset", capture: "\u001B[1ma\u001B[0mb", rows: ["Ab"] },
  { screen: "a reset without number", capture: "\u001B[1ma\u001B[mb", rows: ["Ab"] },
  { screen: "dim over a line end", capture: "\u001B[2ma\nb\u001B[22mc", rows: ["_", "_c"] },
  { screen: "several at once", capture: "\u001B[0;1;7ma\u001B[27mb", rows: ["*B"] },
  {
    screen: "a colour whose number is that of dim",
    capture: "\u001B[38;5;2ma\u001B[48;2;2;2;2mb\u001B[38:2::2:2:2mc",
    rows: ["abc"],
  },
  { screen: "a style behind a colour", capture: "\u001B[38;5;75;2ma", rows: ["_"] },
  { screen: "a hyperlink", capture: "\u001B]8;;https://example.com\u001B\\a\u001B]8;;\u001B\\b", rows: ["ab"] },
  { screen: "shifted letters and other escapes", capture: "\u000Ea\u000F\u001B[?25lb", rows: ["ab"] },
  { screen: "letters of two units", capture: "\u001B[2m👍\u001B[0m›", rows: ["_›"] },
];
test.for(cases)("$screen", ({ capture, rows }) => {
  expect(looks(capture)).toEqual(rows);
});
