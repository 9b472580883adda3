/** Text that needs no change: printable ASCII. */
const PLAIN = /^[ -~]*$/;

/**
 * Characters that end a line, move the cursor, hide text, reorder it or are not drawn at all.
 * The last property contains variation selectors, fillers and tags, which can hide text.
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

/** Built on first use: the classes take longer to build than most of our programs take to load. */
let invisible: RegExp | null = null;

function invisibleCharacters(): RegExp {
  return (invisible ??= new RegExp(INVISIBLE, "gu"));
}

/** A text with each invisible character as a visible escape. */
export function escapeInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(invisibleCharacters(), escapeCharacter);
}

/** A text on one line, with a space for each run of invisible characters. */
export function blankInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(invisibleCharacters(), "\0").replaceAll(/\0+/g, " ");
}

/** JSON text, or YAML in double quotes, with each invisible character as an escape that means the same; its line breaks stay. */
export function escapeInvisibleInJson(json: string): string {
  if (PLAIN.test(json)) return json;
  return json.replaceAll(invisibleCharacters(), (character) =>
    character === "\n" ? character : character.split("").map(jsonEscape).join(""),
  );
}

function jsonEscape(unit: string): string {
  return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, "0");
}

const NAMED: Readonly<Record<string, string>> = { "\n": String.raw`\n`, "\r": String.raw`\r`, "\t": String.raw`\t` };

/** A character as an escape that can be read and typed. */
export function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return NAMED[character] ?? (code < 256 ? String.raw`\x` + digits.padStart(2, "0") : String.raw`\u{` + `${digits}}`);
}
