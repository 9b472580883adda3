export type { Chore } from "./chores/chore.ts";
export type { CiCommand } from "./commands/ci-commands.ts";
export type { DeclaredCommand } from "./commands/declared-commands.ts";
export { type CommandKind, recognise, type Recognised } from "./commands/programs.ts";
export {
  type LanguageShare,
  type ReadOptions,
  readRepository,
  type RepositoryCommand,
  type RepositoryFacts,
} from "./read-repository.ts";
export type { Project } from "./stacks.ts";
export { runFromRoot, type TestArea, testAreas } from "./test-areas.ts";
