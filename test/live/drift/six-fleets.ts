import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Compiled, compile } from '../../../src/compile.ts';
import { keysOf } from '../../support/keys-of.ts';
import { objectsAtRest } from '../../support/objects-at-rest.ts';
import { copied, type ReleaseLine } from '../simulated/objects.ts';
import { simulateFleet } from '../simulated/simulate-fleet.ts';
import { connected, type Item, type RecordedFleet, recordedFleet } from './recorded-fleet.ts';

/** Live fleets at rest: recorded ones, and goldens that share, whose network is simulated. */
export const FLEETS = {
  example: 'example/1.2',
  overlap: 'overlap/1.1',
  customised: 'gateways-customised-on-1.0/1.0',
  lends: 'lends-and-offloads/1.2',
  spokes: 'sharing-of-a-hub-with-its-spokes',
  mixed: 'sharing-with-argo-and-flux',
} as const;

export type FleetName = keyof typeof FLEETS;

const known = new Map<FleetName, RecordedFleet>();

/** The fleet at rest; its dumps may be edited. */
export function fleetAtRest(name: FleetName): RecordedFleet {
  const fleet =
    known.get(name) ?? (FLEETS[name].includes('/') ? recordedFleet(FLEETS[name]) : goldenAtRest(FLEETS[name]));
  known.set(name, fleet);
  return { files: fleet.files, dumps: copied(fleet.dumps) };
}

function goldenAtRest(name: string): RecordedFleet {
  const source = (path: string) => ({ path, text: readFileSync(resolve('test/golden', name, path), 'utf8') });
  const topology = source('topology.yaml');
  const ofGateways = keysOf(topology)?.text.replace('version: 1\n', '').trimEnd() ?? '';
  const { path, text } = source('topology.keys.yaml');
  const keys = { path, text: text.replace(/^keys: \{\}$/m, ofGateways) };
  const [identities, lock] = [source('topology.identities.yaml'), source('topology.lock.yaml')];
  const outcome = compile({ topology, keys, identities, lock }, { relock: [], only: null });
  if (!outcome.ok) throw new Error(`${name} has errors`);
  const { model, bundle } = outcome.value;
  const releaseOf = (it: string) => (model.clusters.get(it)?.release.line ?? '1.2') as ReleaseLine;
  const network = simulateFleet(bundle, { release: releaseOf });
  const dumps = [...network].map(([cluster, { items }]): readonly [string, Item[]] => {
    const ofNetwork = copied(items) as unknown as Item[];
    const known = new Set(ofNetwork.map(keyOf));
    const shared = sharedObjects(outcome.value, cluster).filter((it) => !known.has(keyOf(it)));
    return [cluster, connected([...ofNetwork, ...copied(shared)])];
  });
  return {
    files: Object.fromEntries([topology, keys, identities, lock].map((it) => [`topologies/${it.path}`, it.text])),
    dumps: Object.fromEntries(dumps),
  };
}

const keyOf = ({ kind, metadata: { name, namespace = '' } }: Item): string => `${kind} ${namespace}/${name}`;

/** The objects of a cluster at rest that the simulated controllers do not make. */
function sharedObjects({ bundle }: Compiled, cluster: string): readonly Item[] {
  const own = [...bundle].flatMap(([path, text]) =>
    path.startsWith(`${cluster}/`) ? [[path.slice(cluster.length + 1), text] as const] : [],
  );
  return objectsAtRest(own).filter((it) => !/^(networking|ipam)\./.test(it.apiVersion)) as unknown as Item[];
}
