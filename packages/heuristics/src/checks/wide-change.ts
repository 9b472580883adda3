import { inlineCode } from "../inline-code.ts";
import type { Check } from "./check.ts";

const MOST_FOLDERS = 3;

/** Changed files in more than three top-level folders; files at the root belong to none. */
export const wideChange: Check = ({ changedFiles }) => {
  const folders = new Set(
    changedFiles.filter((file) => file.includes("/")).map((file) => file.slice(0, file.indexOf("/"))),
  );
  if (folders.size <= MOST_FOLDERS) return [];
  const named = [...folders]
    .toSorted()
    .slice(0, MOST_FOLDERS + 2)
    .map((folder) => inlineCode(folder, 40));
  const more = folders.size - named.length;
  const list = more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
  return [
    {
      check: "wide-change",
      text: `Changes span multiple subsystems (${list}): verify that they belong together.`,
      isFailure: false,
      calls: [],
    },
  ];
};
