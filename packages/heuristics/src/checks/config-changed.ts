import { inlineCode } from "../inline-code.ts";
import type { Check } from "./check.ts";

/** The rules of this checkpoint were changed in the turn that they judge. */
export const configChanged: Check = ({ turn, configFile }) => {
  if (configFile === null || turn?.changes.some(({ file }) => file === configFile) !== true) return [];
  const changing = turn.calls.filter(({ writes }) => writes.some(({ file }) => file === configFile));
  return [
    {
      check: "config-changed",
      text: `${inlineCode(configFile)} was changed this turn, and this checkpoint follows the changed rules.`,
      isFailure: false,
      calls: changing.map(({ number }) => number),
    },
  ];
};
