import { userInfo } from "node:os";

/** The name of the user that runs the program, or the number where it has none. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
