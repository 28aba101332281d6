import { join } from 'node:path';
import { OWN_FOLDER, printBundlePath } from '../../base/core/bundle-path.ts';
import { by, smallest } from '../../base/core/collections.ts';
import { emitBundle, FLEET_FOLDERS } from '../../bundle/emit/emit-bundle.ts';
import { clusterOfRecord } from '../disk/tree/bundle-record.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { Destination } from './losses.ts';
import type { FileReader } from './ports.ts';

/** A part of the bundles of a fleet, from 1 to `of`. All parts together have every file once. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

/**
 * The topology with the bundles of a part alone, and what that covers. The first part has the folders of no cluster, and
 * removes what is left of clusters that are gone.
 */
export async function inShard<Fleet extends Destination & { readonly topology: ReadyTopology }>(
  files: FileReader,
  fleet: Fleet,
  shard: Shard,
): Promise<Fleet> {
  const { topology, out } = fleet;
  const { model } = topology.compiled;
  const only = clustersInShard(model.clusters, shard);
  const folders = shard.part === 1 ? Object.keys(FLEET_FOLDERS) : [];
  const gone = shard.part === 1 ? (await clustersWithRecords(files, out)).filter((it) => !model.clusters.has(it)) : [];
  const bundle = emitBundle(model, [...only, ...folders]);
  const tops = folders.map((it) => (it === '' ? printBundlePath({ part: 'addresses' }) : it));
  return {
    ...fleet,
    topology: { ...topology, compiled: { ...topology.compiled, bundle } },
    ...{ only, alsoCovers: [...tops, ...gone] },
  };
}

/** The clusters whose files weft has written. */
const clustersWithRecords = async (files: FileReader, out: string): Promise<readonly string[]> =>
  ((await files.namesIn(join(out, OWN_FOLDER))) ?? []).flatMap((it) => clusterOfRecord(`${OWN_FOLDER}/${it}`) ?? []);

/** Deals the clusters, those with most links first, each to the part that has the fewest. */
function clustersInShard(
  clusters: ReadonlyMap<string, { readonly peers: ReadonlyMap<string, unknown> }>,
  { part, of }: Shard,
): readonly string[] {
  const loads = Array.from({ length: of }, () => 0);
  const dealt = [...clusters]
    .sort(([, a], [, b]) => b.peers.size - a.peers.size)
    .map(([name, { peers }]) => {
      const least = loads.indexOf(smallest(loads));
      loads[least] = (loads[least] ?? 0) + 1 + peers.size;
      return { name, part: least + 1 };
    });
  return dealt
    .filter((it) => it.part === part)
    .map((it) => it.name)
    .sort(by((it) => it));
}
