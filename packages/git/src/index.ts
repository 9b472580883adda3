export { commitPaths, type CommitRequest, type CommitResult, takeBackIntent, waitForIndex } from "./commit.ts";
export { type Importer, type ObjectReader, openImport, openObjects } from "./object-store.ts";
export { findCommitByTrailer, type FoundCommit, hashFiles, listNames, readCommitted } from "./objects.ts";
export {
  type ChangedBlob,
  type CommitRange,
  type RangeCommit,
  type RangeReading,
  readRange,
  writeNote,
} from "./range.ts";
export {
  type GitFailure,
  type GitOptions,
  type GitResult,
  type GitRunOptions,
  namesIn,
  runGit,
  runGitAsUser,
  runGitSync,
} from "./run-git.ts";
export {
  type ChangedFiles,
  isLargeRepository,
  listChangedFiles,
  listChangedFilesSync,
  type ListOptions,
} from "./status.ts";
export { readTrackedNames, type TrackedNames } from "./tracked-names.ts";
export {
  findGitRoot,
  type HeadRelation,
  isTrackedSync,
  type Operation,
  operationIn,
  peekHead,
  peekRepository,
  peekWorkTree,
  readHead,
  readHeadSync,
  readWorkTree,
  relateHead,
  type WorkTree,
  type WorkTreeReading,
} from "./work-tree.ts";
