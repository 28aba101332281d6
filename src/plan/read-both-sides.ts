import { by } from '../base/core/collections.ts';
import { VIEW_ANNOTATIONS } from '../base/releases/labels.ts';
import { sameDocuments } from '../base/source/read-yaml-documents.ts';
import type { Files, FolderState } from './folder-state.ts';
import type { NetworkState } from './network-state.ts';
import { type FileChange, isTemplate, planFile } from './plan-file.ts';
import type { PlanState } from './plan-state.ts';
import { readFolderState } from './read-folder-state.ts';
import { readNetworkState } from './read-network-state.ts';
import { templateValues } from './template-values.ts';

/** The content of one side. */
interface Side extends Pick<PlanState, 'lock' | 'known'> {
  readonly network: NetworkState;
}

export interface BothSides {
  readonly before: Side;
  readonly after: Side;
  /** The files that differ, by path. */
  readonly files: readonly FileChange[];
}

/**
 * Reads the networks of both sides in one walk through their folders, which is most of the work of a plan: each folder
 * is read and printed once, equal parts of both sides are parsed once, and no text is kept.
 */
export function readBothSides(before: PlanState, after: PlanState): BothSides {
  const [was, is] = [new Map<string, FolderState>(), new Map<string, FolderState>()];
  const files: FileChange[] = [];
  for (const folder of new Set([...before.files.folders, ...after.files.folders])) {
    const [old, now] = [before.files.inFolder(folder), after.files.inFolder(folder)];
    const changes = old === now ? [] : changedFiles(old, now);
    files.push(...changes);
    const state = now.size === 0 ? undefined : readFolderState(folder, now);
    if (state !== undefined) is.set(folder, state);
    const earlier = changes.length === 0 || old.size === 0 ? state : readFolderState(folder, old);
    if (earlier !== undefined && old.size > 0) was.set(folder, earlier);
  }
  return {
    before: sideOf(before, was),
    after: sideOf(after, is),
    files: files.sort(by((it) => it.path)),
  };
}

/** One side, in its own order, because the first file with a header is used. */
function sideOf(state: PlanState, states: ReadonlyMap<string, FolderState>): Side {
  const folders = new Map<string, FolderState>();
  for (const it of state.files.folders) {
    const folder = states.get(it);
    if (folder !== undefined) folders.set(it, folder);
  }
  return { lock: state.lock, known: state.known, network: readNetworkState({ ...state, folders }) };
}

function changedFiles(before: Files, after: Files): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, text] of after) {
    const was = before.get(path);
    if (was === undefined) changes.push({ path, change: 'add', ...changedValues(path, null, text) });
    else if (was !== text)
      changes.push({ path, change: 'change', ...(onlyIn(path, was, text) ?? changedValues(path, was, text)) });
  }
  for (const [path, text] of before)
    if (!after.has(path)) changes.push({ path, change: 'remove', ...changedValues(path, text, null) });
  return changes;
}

/** The changed values of a template, computed immediately because no text is kept. */
const changedValues = (path: string, was: string | null, is: string | null): Pick<FileChange, 'values'> =>
  isTemplate(planFile(path)) ? { values: templateValues(was, is) } : {};

function onlyIn(path: string, was: string, is: string): Pick<FileChange, 'onlyLayout' | 'onlyViewAnnotations'> | null {
  const isSame = (a: string, b: string): boolean => sameDocuments({ path, text: a }, { path, text: b });
  if (isSame(was, is)) return { onlyLayout: true };
  const [shortWas, shortIs] = [was, is].map((it) => it.replace(VIEW_ANNOTATION, ''));
  const isShorter = shortWas !== was || shortIs !== is;
  return isShorter && isSame(shortWas ?? '', shortIs ?? '') ? { onlyViewAnnotations: true } : null;
}

const VIEW_ANNOTATION = new RegExp(`^ *(${Object.values(VIEW_ANNOTATIONS).join('|')}): .*\\n`, 'gm');
