import { isBundleFile, printBundlePath } from '../base/core/bundle-path.ts';
import { type FolderFiles, folderFiles, inFolders } from '../base/core/folder-files.ts';
import { validateAddresses } from '../base/generated/validators.js';
import type { AddressesFile } from '../base/schema-types/addresses.ts';
import type { AddressedModel } from '../fleet/ipam/addressed-model.ts';
import { bothEnds } from '../fleet/model/network-model.ts';
import type { Files } from './folder-state.ts';
import { gatewayText } from './plan-context.ts';

/** One side of a plan: the state before, or after. */
export interface PlanState {
  /** Files without those of weft's own folder. Their texts are too large to be in memory together. */
  readonly files: FolderFiles;
  /** The content of `addresses.json`; `null` without any files. */
  readonly addresses: AddressesFile | null;
  /** The text of the lock; `null` when there is none. */
  readonly lock: string | null;
  /** Facts that only a topology contains; `null` without a topology that compiles to exactly these files. */
  readonly known: TopologyFacts | null;
}

/** Facts from a topology, by cluster name. */
export interface TopologyFacts {
  /** Version of Liqo, with its patch. */
  readonly releases: ReadonlyMap<string, string>;
  /** The former name of a cluster that declares one. */
  readonly formerNames: ReadonlyMap<string, string>;
  /** The hubs of each cluster that is a spoke. */
  readonly hubs: ReadonlyMap<string, readonly string[]>;
  /** Keys that exist but are not in the keys file: gateways as `gatewayText`, and consumers by name. */
  readonly unknownKeys: ReadonlySet<string>;
}

/** Files below `out/`, a lock, and the known facts of their topology. */
export interface StateInput {
  readonly files: FolderFiles | Files;
  readonly lock: string | null;
  readonly known: TopologyFacts | null;
}

/** One side of a plan; `undefined` when its `addresses.json` is missing or not in weft's layout. */
export function readPlanState({ files, lock, known }: StateInput): PlanState | undefined {
  const own = bundleFiles('folders' in files ? files : inFolders(files));
  const isEmpty = own.keys().next().done === true;
  const addresses = isEmpty ? null : readAddresses(own.get(printBundlePath({ part: 'addresses' })));
  return addresses === undefined ? undefined : { files: own, addresses, lock, known };
}

function bundleFiles(files: FolderFiles): FolderFiles {
  const folders = files.folders.filter(isBundleFile);
  const own = (folder: string): Files => {
    const all = files.inFolder(folder);
    return folder === '' ? new Map([...all].filter(([path]) => isBundleFile(path))) : all;
  };
  return folderFiles(new Map(folders.map((it) => [it, () => own(it)])));
}

function readAddresses(text: string | undefined): AddressesFile | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return validateAddresses(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A compiled topology, with the loans in it. */
interface Topology extends Pick<AddressedModel, 'clusters' | 'links'> {
  readonly shares: readonly { readonly consumer: { readonly name: string }; readonly hasUnknownKey: boolean }[];
}

/** Facts of a compiled topology that no file contains. */
export function topologyFacts({ clusters, links, shares }: Topology): TopologyFacts {
  const all = [...clusters.values()];
  const ends = links.flatMap(bothEnds);
  return {
    releases: new Map(all.map((it) => [it.name, it.release.version])),
    formerNames: new Map(all.flatMap((it) => (it.renamedFrom === null ? [] : [[it.name, it.renamedFrom.value]]))),
    hubs: new Map(all.flatMap((it) => (it.hubs.length === 0 ? [] : [[it.name, it.hubs]]))),
    unknownKeys: new Set([
      ...ends.flatMap(({ own, peer }) => (own.hasUnknownKey ? [gatewayText(own.cluster.name, peer)] : [])),
      ...shares.flatMap((it) => (it.hasUnknownKey ? [it.consumer.name] : [])),
    ]),
  };
}
