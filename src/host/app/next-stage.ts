import { basename, dirname, join } from 'node:path';
import { withLf } from '../../base/core/encodings.ts';
import { parseLockKey } from '../../base/core/lock-key.ts';
import { parseLock, printLock } from '../../fleet/lock/lock.ts';
import { BASE_STAGE } from '../../plan/stages/draft-stages.ts';
import type { TopologyRequest, Unanswered } from './compile-topology.ts';
import { lookAt } from './drift-fleet.ts';
import type { TopologyFiles } from './find-topology.ts';
import { compileForLive, type LiveRequest } from './live-sources.ts';
import type { LivePorts } from './ports.ts';

interface NextStageRequest extends TopologyRequest, LiveRequest {
  /** The folder that `weft plan --steps` has written. */
  readonly folder: string;
  /** The folder of the bundles. */
  readonly out: string;
}

/** The place of a change in states, and the next state if it may go on. */
export type NextStage =
  /** The topology is the last state. */
  | { readonly kind: 'finished'; readonly stage: string }
  /** Clusters are not as the present state has them, or were not read. */
  | {
      readonly kind: 'not-arrived';
      readonly stage: string;
      readonly differing: readonly string[];
      readonly unread: readonly string[];
    }
  /** The files of the next state, by path, which are to replace those beside the topology. */
  | { readonly kind: 'next'; readonly from: string; readonly to: string; readonly files: ReadonlyMap<string, string> };

type NextStageResult = Unanswered | NextStage;

/**
 * Finds the state that the topology is in, and returns the next one if all clusters are as that state has them. The
 * position is in git alone: it is the state whose files equal those of the topology, apart from nudges.
 */
export async function nextStage(ports: LivePorts, request: NextStageRequest): Promise<NextStageResult> {
  const topology = await compileForLive(ports.files, request);
  if (topology.kind !== 'compiled') return topology;
  const stages = await readStages(ports, request.folder);
  if (stages.length < 2) return { kind: 'refused', refusal: { kind: 'no-stages', folder: request.folder } };
  const index = await presentStage(ports, topology.files, stages);
  const [present, next] = [stages[index], stages[index + 1]];
  if (present === undefined)
    return {
      kind: 'refused',
      refusal: { kind: 'not-a-stage', topology: topology.files.topology, folder: request.folder },
    };
  if (next === undefined) return { kind: 'finished', stage: present.name };
  const drift = await lookAt(ports, request, topology);
  if (drift.kind !== 'compared') return drift;
  const { model, lock } = topology.compiled;
  const differing = drift.clusters.filter(({ rollout }) => rollout.state !== 'same').map((it) => it.drift.cluster);
  const unread = drift.others.filter((it) => model.clusters.get(it)?.retired === false);
  if (differing.length + unread.length > 0) return { kind: 'not-arrived', stage: present.name, differing, unread };
  const { topology: path, lock: lockPath } = topology.files;
  const files = new Map([...next.files].map(([name, text]) => [join(dirname(path), name), text]));
  const nextLock = files.get(lockPath);
  if (nextLock !== undefined) files.set(lockPath, withNudgesOf(lock, nextLock, basename(path)));
  return { kind: 'next', from: present.name, to: next.name, files };
}

interface WrittenStage {
  readonly name: string;
  /** By path below the folder of the topology. */
  readonly files: ReadonlyMap<string, string>;
}

/** The states in a folder, in the order of their numbers. */
export async function readStages(
  { files }: Pick<LivePorts, 'files'>,
  folder: string,
): Promise<readonly WrittenStage[]> {
  const read = await files.readFolder(folder, (path) => STAGE.test(path));
  if (read.kind !== 'read') return [];
  return read.files.folders
    .filter((it) => STAGE.test(`${it}/`))
    .map((name) => ({
      name,
      files: new Map([...read.files.inFolder(name)].map(([path, text]) => [path.slice(name.length + 1), text])),
    }))
    .sort((a, b) => Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10));
}

const STAGE = /^[0-9]{1,3}-[a-z]+\//;

/** The last state whose files are those of the topology; -1 for none. The lock of the base may be a later one. */
async function presentStage(
  { files }: Pick<LivePorts, 'files'>,
  { topology, lock }: TopologyFiles,
  stages: readonly WrittenStage[],
): Promise<number> {
  const folder = dirname(topology);
  const isThere = async (path: string, text: string): Promise<boolean> => {
    const target = join(folder, path);
    const read = await files.readText(target);
    if (read.kind !== 'ok') return false;
    const [is, wanted] = [withLf(read.text), withLf(text)];
    return target === lock ? withoutNudges(is) === withoutNudges(wanted) : is === wanted;
  };
  for (const [index, stage] of [...stages.entries()].reverse()) {
    const compared = [...stage.files].filter(([path]) => stage.name !== BASE_STAGE || join(folder, path) !== lock);
    const equal = await Promise.all(compared.map(([path, text]) => isThere(path, text)));
    if (equal.every((it) => it)) return index;
  }
  return -1;
}

/** A lock without the lines that `weft compile --nudge` may change in the middle of a change: no address depends on them. */
const withoutNudges = (lock: string): string => lock.replace(/^ {2}\S+\/nudge: \d+\n/gm, '');

/** The next lock with the nudges of the present one: without them, the links would be nudged again. */
function withNudgesOf(present: string, next: string, topology: string): string {
  const [was, is] = [present, next].map((text) => {
    const read = parseLock({ path: 'lock', text });
    return read.ok ? [...read.value.decisions].map(([key, { value }]) => [key, value] as const) : [];
  });
  const nudges = (was ?? []).filter(([key]) => parseLockKey(key)?.kind === 'nudge');
  return nudges.length === 0 ? next : printLock(topology, new Map([...(is ?? []), ...nudges]));
}
