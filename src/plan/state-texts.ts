import type { FolderState } from './folder-state.ts';

/** Path below `out/` to text. */
export type Files = ReadonlyMap<string, string>;

/** What the files of each folder say, in their order. */
export type Folders = ReadonlyMap<string, FolderState>;

/** The lines of a lock, by key. */
export type Decisions = ReadonlyMap<string, string>;
