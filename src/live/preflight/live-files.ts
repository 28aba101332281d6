import { clusterFolderOf, printBundlePath } from '../../base/core/bundle-path.ts';
import type { AddressesFile } from '../../base/schema-types/addresses.ts';
import type { compareObjects } from '../drift/compare-objects.ts';
import type { LiveCluster } from '../dumps/live-cluster.ts';
import { observeCluster } from '../observed/observe-cluster.ts';
import type { ObservedCluster } from '../observed/observed-cluster.ts';
import { CLUSTER_NAME } from './cluster-name.ts';
import { liveAddresses } from './live-addresses.ts';
import { liveBundle } from './live-bundle.ts';
import { unrecordedFiles } from './unrecorded-files.ts';

type Files = ReadonlyMap<string, string>;

interface KnownFiles {
  /** What the topology compiles to. */
  readonly compiled: Files;
  /** The bundles on disk; empty without any. */
  readonly before: Files;
  /** How live objects may differ from what is promised in a cluster. */
  readonly traitsOf: (cluster: string) => Parameters<typeof compareObjects>[2];
}

/**
 * The bundles that would describe what is live. Whatever dumps do not show is as compiled, and clusters that were not dumped are
 * as their bundles on disk, so that a plan from these files to the compiled ones shows what reality differs in, and nothing else.
 */
export function liveFiles(live: readonly LiveCluster[], { compiled, before, traitsOf }: KnownFiles): Files {
  const dumped = new Map(live.map((it) => [it.cluster, it]));
  const others = before.size === 0 ? compiled : before;
  const files = new Map<string, string>();
  for (const [path, text] of others) {
    const cluster = clusterFolderOf(path);
    if (cluster !== undefined && !dumped.has(cluster)) files.set(path, text);
  }
  for (const [path, text] of compiled) if (clusterFolderOf(path) === undefined) files.set(path, text);
  const [ofCompiled, ofBefore] = [byCluster(compiled), byCluster(before)];
  for (const it of live) {
    // A cluster that has just left the topology may still have its bundle on disk.
    const folder = ofCompiled.get(it.cluster) ?? ofBefore.get(it.cluster) ?? new Map();
    for (const [path, text] of liveBundle(folder, it, traitsOf(it.cluster))) files.set(path, text);
    for (const [path, text] of unrecordedFiles(it, files)) files.set(path, text);
  }
  const observed = new Map(live.map((it) => [it.cluster, withNamedPeers(observeCluster(it))]));
  const [now, then] = [addressesIn(compiled), addressesIn(others)];
  if (now === undefined || then === undefined) return files;
  const addresses = liveAddresses(observed, { compiled: now, before: then });
  // A text that differs only in its layout would be a change.
  const text = JSON.stringify(addresses) === JSON.stringify(now) ? compiled.get(ADDRESSES) : undefined;
  return files.set(ADDRESSES, text ?? JSON.stringify(addresses));
}

/** Without peers whose label is no name of a cluster, and without itself. */
const withNamedPeers = (it: ObservedCluster): ObservedCluster => ({
  ...it,
  peers: new Map([...it.peers].filter(([name]) => CLUSTER_NAME.test(name) && name !== it.cluster)),
});

const ADDRESSES = printBundlePath({ part: 'addresses' });

/** The folder of each cluster. */
function byCluster(files: Files): ReadonlyMap<string, Files> {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const cluster = clusterFolderOf(path);
    if (cluster === undefined) continue;
    const folder = folders.get(cluster) ?? new Map<string, string>();
    folders.set(cluster, folder.set(path, text));
  }
  return folders;
}

/** The caller has read these files as the state of a network, so they follow their schema. */
function addressesIn(files: Files): AddressesFile | undefined {
  const text = files.get(ADDRESSES);
  return text === undefined ? undefined : (JSON.parse(text) as AddressesFile);
}
