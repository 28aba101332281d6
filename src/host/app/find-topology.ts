import { basename, dirname, join, resolve } from 'node:path';
import { HEADER_START } from '../../base/core/generated-files.ts';
import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { type FileReader, type TextReader, TOPOLOGIES, TOPOLOGY } from './ports.ts';
import { OperationRefused, type Refusal } from './refusal.ts';

/** The files of one topology: paths as the user would type them, relative to the working folder. */
export interface TopologyFiles {
  readonly topology: string;
  /** True when it was found without being named. */
  readonly byDefault: boolean;
  readonly keys: string;
  readonly identities: string;
  readonly lock: string;
}

/** Finds the topology to use: the named one, the only one in the named folder, or the default one. */
export async function findTopology(
  files: FileReader,
  named: string | undefined,
  lock: string | undefined,
): Promise<TopologyFiles> {
  const path = named === undefined ? await defaultTopology(files) : await namedTopology(files, named);
  const found = filesOf(path, lock, named === undefined);
  const refusal = lock === undefined ? undefined : await refuseLock(files, found);
  if (refusal !== undefined) throw new OperationRefused(refusal);
  return found;
}

/** Finds every topology of the fleet, or of the named folder, sorted by name. */
export async function findAllTopologies(
  files: FileReader,
  named: string | undefined,
): Promise<readonly TopologyFiles[]> {
  const paths = await (named === undefined ? everyDefault(files) : topologiesInNamed(files, named));
  return paths.map((it) => filesOf(it, undefined, paths.length === 1 && named === undefined));
}

/** Every topology of the fleet in a folder: its `topology.yaml`, and those in its folder of topologies. */
export async function topologiesOfFleet(reader: TextReader, folder: string): Promise<readonly string[]> {
  const own = join(folder, TOPOLOGY);
  return [...((await isThere(reader, own)) ? [own] : []), ...(await topologiesIn(reader, join(folder, TOPOLOGIES)))];
}

/** Every topology of the fleet that a topology belongs to, and of its folder; the file itself may be missing. */
export async function topologiesBeside(reader: TextReader, topology: string): Promise<readonly string[]> {
  const folder = dirname(topology);
  const fleet = basename(folder) === TOPOLOGIES ? dirname(folder) : folder;
  return [...new Set([...(await topologiesIn(reader, folder)), ...(await topologiesOfFleet(reader, fleet))])];
}

/** The topologies directly in a folder; none if it is missing. */
export const topologiesIn = async (reader: TextReader, folder: string): Promise<readonly string[]> =>
  ((await reader.namesIn(folder)) ?? []).filter(isTopologyName).map((it) => join(folder, it));

async function isThere({ readText }: TextReader, path: string): Promise<boolean> {
  const { kind } = await readText(path);
  return kind !== 'missing' && kind !== 'is-directory';
}

/** The common start of the topology, lock and keys paths: `topologies/topology` for `topologies/topology.yaml`. */
const stemOf = (topology: string): string => topology.replace(/\.ya?ml$/, '');

export function filesOf(topology: string, lock: string | undefined, byDefault: boolean): TopologyFiles {
  const stem = stemOf(topology);
  return {
    topology,
    byDefault,
    keys: `${stem}.keys.yaml`,
    identities: `${stem}.identities.yaml`,
    lock: lock ?? `${stem}.lock.yaml`,
  };
}

async function namedTopology(files: FileReader, named: string): Promise<string> {
  const entries = await files.namesIn(named);
  if (entries !== undefined) return onlyTopologyIn(named, entries, false);
  const companion = /^(.*)\.(lock|keys|identities)\.(ya?ml)$/.exec(named);
  if (companion === null) return named;
  const [, stem = '', kind = '', ending = ''] = companion;
  const what = kind === 'lock' || kind === 'identities' ? kind : 'keys';
  throw new OperationRefused({ kind: 'not-a-topology', path: named, what, topology: `${stem}.${ending}` });
}

/** `topology.yaml` in the working folder; otherwise the one in `topologies/`. */
async function defaultTopology(files: FileReader): Promise<string> {
  if (await isThere(files, TOPOLOGY)) return TOPOLOGY;
  const entries = await files.namesIn(TOPOLOGIES);
  if (entries === undefined) throw await noTopologies(files);
  return onlyTopologyIn(TOPOLOGIES, entries, true);
}

function onlyTopologyIn(folder: string, entries: readonly string[], byDefault: boolean): string {
  const names = entries.filter(isTopologyName);
  const [first] = names;
  if (names.includes(TOPOLOGY)) return join(folder, TOPOLOGY);
  if (first === undefined) throw nothingIn(folder, entries, byDefault);
  if (names.length === 1) return join(folder, first);
  const topologies = names.map((it) => join(folder, it));
  throw new OperationRefused({
    kind: 'several-topologies',
    folder,
    topologies,
    preferred: byDefault ? TOPOLOGY : null,
  });
}

async function everyDefault(files: FileReader): Promise<readonly string[]> {
  const found = await topologiesOfFleet(files, '');
  if (found.length > 0) return found;
  const entries = await files.namesIn(TOPOLOGIES);
  throw entries === undefined ? await noTopologies(files) : nothingIn(TOPOLOGIES, entries, true);
}

/** The topologies of a named folder; those of a whole fleet for the `topology.yaml` in its folder. */
async function topologiesInNamed(files: FileReader, named: string): Promise<readonly string[]> {
  const entries = await files.namesIn(named);
  if (entries === undefined && basename(named) === TOPOLOGY && (await isThere(files, named)))
    return topologiesOfFleet(files, dirname(named));
  if (entries === undefined) throw new OperationRefused({ kind: 'no-folder', folder: named });
  const names = entries.filter(isTopologyName);
  if (names.length === 0) throw nothingIn(named, entries, false);
  return names.map((it) => join(named, it));
}

/** Files in the working folder may be the topology under another name. */
async function noTopologies(files: FileReader): Promise<OperationRefused> {
  const here = ((await files.namesIn('.')) ?? []).filter((it) => isTopologyName(it.replace(/\.yml$/, '.yaml')));
  return new OperationRefused({ kind: 'no-topologies', folder: TOPOLOGIES, file: TOPOLOGY, here });
}

const nothingIn = (folder: string, entries: readonly string[], byDefault: boolean): OperationRefused =>
  new OperationRefused({ kind: 'no-topology-in-folder', folder, entries, other: byDefault ? TOPOLOGY : null });

const isTopologyName = (name: string): boolean => /\.yaml$/.test(name) && !/\.(lock|keys|identities)\.yaml$/.test(name);

/** The file with the most similar name in the folder of a missing one. */
export async function nearMiss(files: FileReader, path: string): Promise<string | undefined> {
  const entries = await files.namesIn(dirname(path));
  const suggestion = didYouMean(basename(path), entries ?? []);
  return suggestion === undefined ? undefined : join(dirname(path), suggestion);
}

/**
 * Refuses a path of `--lock` at which another file is or belongs, because compile would replace it. Invalid decisions
 * in a lock are reported elsewhere, with their places.
 */
async function refuseLock(
  files: FileReader,
  { topology, keys, lock }: Pick<TopologyFiles, 'topology' | 'keys' | 'lock'>,
): Promise<Refusal | undefined> {
  const isLockPath = (path: string): boolean => resolve(files.folder, path) === resolve(files.folder, lock);
  if (isLockPath(topology)) return { kind: 'not-a-lock', path: lock, what: 'topology' };
  if (isLockPath(keys) || /\.keys\.ya?ml$/.test(lock)) return { kind: 'not-a-lock', path: lock, what: 'keys' };
  if (lock.split(/[\\/]/).includes('.git')) return { kind: 'not-a-lock', path: lock, what: 'git' };
  const owner = await ownerOf(files, lock);
  if (owner !== undefined && resolve(files.folder, owner) !== resolve(files.folder, topology))
    return { kind: 'lock-of-another-topology', path: lock, topology, owner };
  const read = await files.readText(lock);
  const isOther = read.kind === 'not-utf8' || read.kind === 'too-large';
  if (isOther || (read.kind === 'ok' && !isLock(read.text))) return { kind: 'not-a-lock', path: lock, what: 'other' };
  return undefined;
}

/** The topology whose lock has this path by default. */
async function ownerOf(files: FileReader, lock: string): Promise<string | undefined> {
  const [, stem] = /^(.*)\.lock\.yaml$/.exec(lock) ?? [];
  if (stem === undefined) return undefined;
  for (const path of [`${stem}.yaml`, `${stem}.yml`]) if ((await files.readText(path)).kind === 'ok') return path;
  return undefined;
}

/** True for an empty file and for the remains of a lock: the stage that reads it reports what is missing. */
const isLock = (text: string): boolean =>
  text.trim() === '' ||
  text.split('\n').some((it) => it.startsWith('decisions:') || it.startsWith(`# ${HEADER_START}`));
