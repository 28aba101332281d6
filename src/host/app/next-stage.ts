import { dirname, join } from 'node:path';
import { withLf } from '../../base/core/encodings.ts';
import { BASE_STAGE } from '../../plan/stages/draft-stages.ts';
import type { TopologyRequest, Unanswered } from './compile-topology.ts';
import { driftFleet } from './drift-fleet.ts';
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

type NextStagePorts = LivePorts & { readonly now: () => number };

/**
 * Finds the state that the topology is in, and returns the next one if all clusters are as that state has them. The
 * position is in git alone: it is the state whose files equal those of the topology.
 */
export async function nextStage(ports: NextStagePorts, request: NextStageRequest): Promise<NextStageResult> {
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
  const drift = await driftFleet(ports, request);
  if (drift.kind !== 'compared') return drift;
  const { model } = topology.compiled;
  const differing = drift.clusters.filter(({ rollout }) => rollout.state !== 'same').map((it) => it.drift.cluster);
  const unread = drift.others.filter((it) => model.clusters.get(it)?.retired === false);
  if (differing.length + unread.length > 0) return { kind: 'not-arrived', stage: present.name, differing, unread };
  const folder = dirname(topology.files.topology);
  const files = new Map([...next.files].map(([path, text]) => [join(folder, path), text]));
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
    const read = await files.readText(join(folder, path));
    return read.kind === 'ok' && withLf(read.text) === withLf(text);
  };
  for (const [index, stage] of [...stages.entries()].reverse()) {
    const compared = [...stage.files].filter(([path]) => stage.name !== BASE_STAGE || join(folder, path) !== lock);
    const equal = await Promise.all(compared.map(([path, text]) => isThere(path, text)));
    if (equal.every((it) => it)) return index;
  }
  return -1;
}
