import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { BenchFleet } from './fleet.ts';
import { measureProgram, type ProcessCost } from './process-cost.ts';

/** The topology as it was, or with one of the edits. */
export type TopologyText = 'base' | 'one' | 'hubMoved';

/** A folder with the files of a fleet, and the build of weft that works there. */
export interface BenchFolder {
  readonly path: string;
  /** For what is no file of the fleet. */
  readonly scratch: string;
  readonly fleet: BenchFleet;
  readonly weft: string;
}

export function benchFolder(path: string, fleet: BenchFleet, weft: string): BenchFolder {
  const scratch = `${path}-scratch`;
  mkdirSync(join(path, 'topologies'), { recursive: true });
  mkdirSync(scratch, { recursive: true });
  const folder = { path, scratch, fleet, weft };
  useTopology(folder, 'base');
  if (fleet.keys !== '') writeFileSync(join(path, 'topologies/topology.keys.yaml'), fleet.keys);
  return folder;
}

const topologyFile = (folder: BenchFolder): string => join(folder.path, 'topologies/topology.yaml');

export function useTopology(folder: BenchFolder, which: TopologyText): void {
  const { topology, edits } = folder.fleet;
  const text = which === 'base' ? topology : edits[which];
  const file = topologyFile(folder);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** Without what compile has written; the next run does not wait for the disk because of the one before it. */
export function emptyOut(folder: BenchFolder): void {
  setAside(folder, join(folder.path, 'out'));
  rmSync(join(folder.path, 'topologies/topology.lock.yaml'), { force: true });
  waitForDisk(folder);
}

/**
 * Moves a folder out of the way, until everything is removed at the end: where many files have just been removed, ext4 takes up
 * to ten times as long to make new ones, for half a minute.
 */
export function setAside({ scratch }: BenchFolder, path: string): void {
  if (existsSync(path)) renameSync(path, mkdtempSync(join(scratch, 'aside-')));
}

/** Before so few links are written, the disk has nothing to catch up with. */
const FEW_LINKS = 1_000;

/** Until everything that was written is on the disk. */
export function waitForDisk({ path, fleet }: BenchFolder): void {
  if (fleet.links >= FEW_LINKS) measureProgram({ argv: ['sync'], cwd: path });
}

const isCompiled = (folder: BenchFolder): boolean => existsSync(join(folder.path, 'out/addresses.json'));

/** The number and size of the files that compile has written. */
export function sizeOfOut(folder: BenchFolder): { readonly files: number; readonly bytes: number } {
  if (!isCompiled(folder)) return { files: 0, bytes: 0 };
  const found = readdirSync(join(folder.path, 'out'), { recursive: true, withFileTypes: true });
  const files = found.filter((it) => it.isFile());
  return {
    files: files.length,
    bytes: files.reduce((sum, it) => sum + statSync(join(it.parentPath, it.name)).size, 0),
  };
}

/** Bundles as the topology requires them now, without measuring. */
export function compileUnmeasured(folder: BenchFolder): void {
  runWeft(folder, ['compile']);
}

export interface WeftRun {
  readonly exits?: readonly number[];
  readonly limitSeconds?: number;
}

export const runWeft = (folder: BenchFolder, args: readonly string[], run: WeftRun = {}): ProcessCost =>
  measureProgram({ argv: [process.execPath, folder.weft, ...args], cwd: folder.path, ...run });

/** A git repository with everything that is in the folder, committed; the objects of another one are not stored again. */
export function commitAll(folder: BenchFolder, message: string, objectsOf?: BenchFolder): void {
  const git = (...args: readonly string[]) =>
    measureProgram({ argv: ['git', '-c', 'gc.auto=0', ...args], cwd: folder.path });
  if (!existsSync(join(folder.path, '.git'))) {
    git('init', '-q');
    if (objectsOf)
      writeFileSync(join(folder.path, '.git/objects/info/alternates'), `${join(objectsOf.path, '.git/objects')}\n`);
  }
  git('add', '-A');
  git('commit', '-q', '-m', message);
}
