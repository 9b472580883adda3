import type { DeclaredCommand } from "../commands/declared-commands.ts";
import { isSample, pathIn, type Tree } from "../files/tree.ts";
import type { Chore } from "./chore.ts";
import { GENERATORS } from "./generators.ts";
import { MIGRATIONS } from "./migrations.ts";

const MAX_PLACES = 4;

/** The chores of a repository; a task of its own that does the work is asked for in the tool's place. */
export function readChores(tree: Tree, commands: readonly DeclaredCommand[]): readonly Chore[] {
  return [...MIGRATIONS, ...GENERATORS].flatMap(({ kind, tool, label, words, find, onlyTask }) => {
    const places = find(tree, commands).filter(({ folder }) => !isSample(folder));
    // A collection of many projects has no one place to name.
    return (places.length > MAX_PLACES ? [] : places).flatMap((found): readonly Chore[] => {
      const near = commands.filter(({ folder }) => folder === found.folder || folder === "");
      const own = taskFor(near, kind, words);
      if (own === null && onlyTask === true) return [];
      const running = near.filter((command) => words.some((call) => runs(command, call))).map(({ command }) => command);
      const calls = words.map((call) => call.replace("{folder}", found.include[0]?.replace("/**", "") ?? ""));
      return [
        {
          kind,
          tool,
          label,
          include: found.include.map((glob) => pathIn(found.folder, glob)),
          command: own?.command ?? found.command,
          folder: own?.folder ?? found.folder,
          source: own === null ? found.source : `${found.source}, ${own.source}`,
          evidence: [...new Set([...calls, ...running])],
        },
      ];
    });
  });
}

/** The task that runs the tool and nothing else, or has its name without running another of the words. */
function taskFor(
  near: readonly DeclaredCommand[],
  kind: Chore["kind"],
  [tool = "", ...others]: readonly string[],
): DeclaredCommand | null {
  const plain = near.filter((command) => command.kind === kind && !/^(?:pre|post)/.test(command.name));
  const alone = ({ runs: body }: DeclaredCommand) => (body ?? "").split(/&&|\n/).length === 1;
  const named = plain.filter(({ name }) => kind === "migrate" && MIGRATE_NAME.test(name));
  return (
    plain.find((command) => runs(command, tool) && alone(command)) ??
    named.find((command) => !others.some((call) => runs(command, call))) ??
    null
  );
}

const MIGRATE_NAME =
  /^(?:db[:_-])?migrate(?:[:_-](?:up|deploy|latest|run))?$|^(?:run[:_-])?migrations?(?:[:_-](?:up|run))?$|^goose[:_-]up$/;

function runs({ runs: body }: DeclaredCommand, call: string): boolean {
  return body?.includes(call) === true;
}
