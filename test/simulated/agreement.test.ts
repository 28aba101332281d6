import { afterAll, describe, expect, it } from 'vitest';
import { differences } from '../live/differences.ts';
import { recordingsAvailable } from '../live/recordings.ts';
import { type Comparable, normalised } from './normalised.ts';
import { objectsOf, type RecordedFleet, recordedFleets } from './recorded-fleets.ts';
import { type HowApplied, rollOut } from './simulate-fleet.ts';

/** What is in one of the two alone, and why. */
const NOT_COMPARED: readonly (readonly [key: RegExp, reason: string])[] = [
  [/^(ConfigMap liqo\/liqo-clusterid-configmap|Deployment liqo\/liqo-ipam)$/, 'not installed where they were recorded'],
  [/^ForeignClusterConnection /, "the kind of the fork's operator was not there"],
  [/^Service default\/kubernetes$/, 'of Kubernetes, and nothing of Liqo looks at it'],
  [/^(FirewallConfiguration|GeneveTunnel|IP|InternalFabric|InternalNode|RouteConfiguration) /, 'not simulated'],
  [/^ClusterRoleBinding \/(system:|cluster-admin)/, 'of Kubernetes, of which a few were recorded'],
];

const isCompared = (key: string): boolean => !NOT_COMPARED.some(([pattern]) => pattern.test(key));

/** Parts that are not compared, and why. */
function comparable(of: Comparable, others: Comparable): Comparable {
  return new Map(
    [...of]
      // Some bindings of gateways were left out of the recordings, at random.
      .filter(([key]) => isCompared(key) && (!key.startsWith('ClusterRoleBinding') || others.has(key)))
      // The values of Secrets were replaced when they were recorded.
      .map(([key, { data, ...it }]) => [key, key.startsWith('Secret') ? it : { ...it, ...(data ? { data } : {}) }]),
  );
}

/** Objects that are compared, by recording and kind, for the table that is printed in the end. */
const counted = new Map<string, number>();

function disagreements(where: string, simulated: Comparable, recorded: Comparable): readonly string[] {
  const [found, wanted] = [comparable(simulated, recorded), comparable(recorded, simulated)];
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((key) => {
    const kind = key.split(' ')[0] ?? '';
    counted.set(kind, (counted.get(kind) ?? 0) + 1);
    const [a, b] = [found.get(key), wanted.get(key)];
    if (a === undefined || b === undefined) return [`${where} ${key}: only ${a ? 'simulated' : 'recorded'}`];
    // A controller reads its own Networks in another order after each start.
    return differences(`${where} ${key}`, a, b, { sets: [`${where} ${key}.spec.local.cidr.pod`] });
  });
}

const hasSecrets = (fleet: RecordedFleet): boolean =>
  fleet.clusters.some((it) => objectsOf(it).some(({ kind }) => kind === 'Secret'));

afterAll(() => {
  if (counted.size > 0) console.info([...counted].map(([kind, number]) => `${kind} ${number}`).join(', '));
});

describe.skipIf(!recordingsAvailable())(
  'a simulated fleet is the recorded one (skipped without ../shared/vectors/live)',
  () => {
    it.each(recordedFleets().map((it) => [it.name, it] as const))('in wave order: %s', (_, fleet) => {
      for (const live of fleet.clusters) {
        const recorded = objectsOf(live);
        const how: HowApplied = {
          release: fleet.release,
          secrets: hasSecrets(fleet) ? 'all' : 'none',
          connections: recorded.some((it) => it.kind === 'Connection') ? 'connecting' : 'none',
        };
        const { server } = rollOut(fleet.rebuilt.bundle, live.name, how);
        expect(disagreements(live.name, normalised(server.all()), normalised(recorded))).toEqual([]);
      }
    });
  },
);
