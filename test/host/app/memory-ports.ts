import { inFolders } from '../../../src/base/core/folder-files.ts';
import type { FileReader, OutputTree, Ports, ProgressStep } from '../../../src/host/app/ports.ts';
import { GitError } from '../../../src/host/disk/disk-error.ts';
import type { ReadResult } from '../../../src/host/disk/read-text-file.ts';
import type { Inspection, TreeDifference } from '../../../src/host/disk/tree/inspect-tree.ts';
import type { TreeRequest, TreeResult } from '../../../src/host/disk/tree/write-tree.ts';

export interface MemoryPorts extends Ports {
  /** The files by path. */
  readonly disk: Map<string, string>;
  /** Steps that were reported, in order. */
  readonly steps: readonly ProgressStep[];
}

/** A world without a disk: files by path, and bundles that are compared and written by their texts alone. */
export function memoryPorts(files: Readonly<Record<string, string>>, tree: Partial<OutputTree> = {}): MemoryPorts {
  const disk = new Map(Object.entries(files));
  const steps: ProgressStep[] = [];
  return {
    disk,
    steps,
    files: memoryFiles(disk),
    tree: { ...memoryTree(disk), ...tree },
    progress: (step) => steps.push(step),
  };
}

/** The files for a lookup, without live clusters. */
export const lookupPorts = (files: FileReader) => ({
  files,
  readDump: async () => ({ kind: 'missing' as const }),
  listFolder: async () => ({ kind: 'missing' as const }),
  readPipedDump: async () => ({ kind: 'missing' as const }),
  list: async () => ({ kind: 'listed' as const, text: '' }),
});

function memoryFiles(disk: ReadonlyMap<string, string>): FileReader {
  const below = (folder: string): readonly string[] =>
    [...disk.keys()].filter((it) => it.startsWith(`${folder}/`)).map((it) => it.slice(folder.length + 1));
  const readText = async (path: string): Promise<ReadResult> => {
    const text = disk.get(path);
    return text === undefined ? { kind: 'missing' } : { kind: 'ok', text };
  };
  return {
    folder: '/fleet',
    readText,
    readTexts: (paths) => Promise.all(paths.map(readText)),
    namesIn: async (folder) => {
      const paths = below(folder);
      return paths.length === 0 ? undefined : paths.filter((it) => !it.includes('/')).sort();
    },
    linkBelow: async () => undefined,
    readFolder: async (folder, isWanted = () => true) => {
      const paths = below(folder);
      if (paths.length === 0) return { kind: 'missing' };
      const texts = paths.filter(isWanted).map((it) => [it, disk.get(`${folder}/${it}`) ?? ''] as const);
      return { kind: 'read', files: inFolders(new Map(texts)) };
    },
    folderInRepository: (path) => (path.startsWith('/') ? undefined : path),
    treeBelow: async () => ({ files: new Map(), textsOf: async () => new Map() }),
    gitRules: async () => [],
    hasUncommitted: async () => true,
    openCommit: async () => {
      throw new GitError('no repository');
    },
  };
}

function memoryTree(disk: Map<string, string>): OutputTree {
  const compare = ({ root, files, lockFile }: TreeRequest): Extract<TreeDifference, { kind: 'compared' }> => {
    const paths = [...files.keys()].sort();
    const created = paths.filter((it) => !disk.has(`${root}/${it}`));
    const changed = paths.filter((it) => !created.includes(it) && disk.get(`${root}/${it}`) !== files.get(it));
    const there = [...disk.keys()].filter((it) => it.startsWith(`${root}/`)).map((it) => it.slice(root.length + 1));
    const removed = there.filter((it) => !files.has(it)).sort();
    const lockChanged = lockFile !== null && disk.get(lockFile.path) !== lockFile.text;
    const touched = created.length + changed.length + removed.length;
    return {
      ...{ kind: 'compared', created, changed, removed, keptEdited: [], lockChanged, changedRecords: [] },
      unchanged: paths.length - created.length - changed.length,
      isCurrent: touched === 0 && !lockChanged,
    };
  };
  return {
    compare: async (request) => compare(request),
    contentOf: (root) => {
      const addresses = disk.get(`${root}/addresses.json`);
      if (addresses === undefined) return { kind: 'empty' };
      return { kind: 'bundles', fleets: [...addresses.matchAll(/"topology": "(.*)"/g)].map((it) => it[1] ?? '') };
    },
    write: async (request, mayApply = async () => true): Promise<TreeResult> => {
      const { changedRecords: _, isCurrent: __, ...found } = compare(request);
      if (!(await mayApply(inspectionOf(found)))) return { kind: 'not-allowed' };
      for (const it of found.removed) disk.delete(`${request.root}/${it}`);
      for (const [path, text] of request.files) disk.set(`${request.root}/${path}`, text);
      if (request.lockFile !== null) disk.set(request.lockFile.path, request.lockFile.text);
      return { ...found, kind: 'written' };
    },
    inspect: async () => ({ kind: 'refused', problems: [] }),
    writtenByWeft: () => () => true,
  };
}

/** The result of the disk's tree. */
const inspectionOf = (
  found: Pick<Extract<TreeDifference, { kind: 'compared' }>, 'created' | 'changed' | 'removed' | 'unchanged'>,
): Inspection => ({
  kind: 'possible',
  placements: [...found.created, ...found.changed].map((path) => ({
    path,
    hash: '',
    isNew: found.created.includes(path),
    staged: null,
  })),
  removals: found.removed,
  stagedFolders: new Map(),
  ...{
    keptEdited: [],
    folders: [],
    removalsComeFirst: false,
    records: new Map(),
    stagedRecords: new Map(),
    changedRecords: [],
  },
  ...{ unchanged: found.unchanged, lockChanged: false, journal: null },
});
