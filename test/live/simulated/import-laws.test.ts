import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Compiled } from '../../../src/compile.ts';
import { compileLive } from '../../../src/host/app/compile-live.ts';
import { filesOf } from '../../../src/host/app/find-topology.ts';
import { compiledWithKeys } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import type { TopologySpec } from '../../laws/topology-spec.ts';
import { anyLiqoctlFleet } from './any-liqoctl-fleet.ts';
import { anyNetwork, releasesOf } from './any-network.ts';
import { SECRET_TEXT } from './controllers/gateway-keys.ts';
import { driftLines } from './drift-lines.ts';
import { liveClusterOf } from './live-cluster-of.ts';
import type { KubernetesList } from './objects.ts';
import { simulateFleet } from './simulate-fleet.ts';
import { simulateLiqoctl } from './simulate-liqoctl.ts';

/** The compiled result of an import of clusters. */
function imported(dumps: ReadonlyMap<string, KubernetesList>): Compiled {
  const live = [...dumps].map(([id, list]) => liveClusterOf(id, list));
  const outcome = compileLive(live, { name: 'fleet', files: filesOf('topology.yaml', undefined, false) });
  const errors = outcome.diagnostics.filter((it) => it.severity === 'error');
  expect(errors.map((it) => `${it.code}: ${it.message}`)).toEqual([]);
  if (!outcome.ok) throw new Error('the import of a fleet has errors');
  const { topology, keys, lock } = outcome.value.sources;
  const texts = [topology, keys, lock].map((it) => it?.text ?? '').join('\n');
  expect(texts).not.toContain(Buffer.from(SECRET_TEXT).toString('base64').slice(0, 20));
  return outcome.value.compiled;
}

/** Peers that need no remap may join in another order: nothing but the wave of their Configuration shows it. */
const isOrder = (line: string): boolean => line.includes('argocd.argoproj.io/sync-wave');

/** A shortcut through a hub that is not recognised as one stays a peering, and the operator's object has no place then. */
const isOfOperator = (line: string): boolean => line.includes(' extra ForeignClusterConnection ');

/** Two clusters behind one public address are refused, because one of them would dial itself. */
function haveOwnAddresses({ clusters }: TopologySpec): boolean {
  const addresses = Object.values(clusters).flatMap((it) => it.gateway?.dial?.address ?? []);
  return new Set(addresses).size === addresses.length;
}

function expectSameFleet(spec: TopologySpec): void {
  const dumps = simulateFleet(compiledWithKeys(spec).bundle, { release: releasesOf(spec) });
  const lines = driftLines(imported(dumps), dumps);
  expect(lines.filter((it) => !isOrder(it) && !isOfOperator(it))).toEqual([]);
}

/** Fleets of which an import lost something before. */
const LOST_ONCE: readonly (readonly [string, TopologySpec])[] = [
  [
    'a peering of a hub of the other end of a shortcut',
    {
      ...{ version: 1, name: 'fleet', liqo: { version: '1.0', shortcutOperator: true }, hub: ['genoa', 'rome'] },
      defaults: { serviceCIDR: '10.96.0.0/12' },
      clusters: {
        genoa: { podCIDR: '10.200.0.0/16', hub: [], gateway: { addresses: ['203.0.113.10'] } },
        rome: { podCIDR: '10.201.0.0/16', hub: [], gateway: { addresses: ['203.0.113.20'] } },
        milan: { podCIDR: '10.202.0.0/16', hub: 'rome', gateway: { addresses: ['203.0.113.30'] } },
        turin: { podCIDR: '10.203.0.0/16' },
      },
      peerings: [{ between: ['genoa', 'milan'] }],
      shortcuts: [{ between: ['milan', 'turin'] }],
    },
  ],
  [
    'a load balancer at a port before those beside node ports',
    {
      ...{ version: 1, name: 'fleet', hub: 'rome', defaults: { serviceCIDR: '10.96.0.0/12' } },
      clusters: {
        rome: { podCIDR: '10.201.0.0/16', gateway: { addresses: ['203.0.113.20'] } },
        milan: { podCIDR: '10.202.0.0/16' },
        turin: { podCIDR: '10.203.0.0/16' },
      },
      peerings: [{ between: ['rome', 'milan'], service: 'LoadBalancer', port: 30_000 }],
    },
  ],
];

describe('a simulated fleet', () => {
  law('is what the import of it compiles to', 100, fc.property(anyNetwork.filter(haveOwnAddresses), expectSameFleet));

  it.each(LOST_ONCE)('with %s is what the import of it compiles to', (_, spec) => expectSameFleet(spec));

  law(
    'that liqoctl made does not move when it is taken over',
    100,
    fc.property(anyLiqoctlFleet, (fleet) => {
      const dumps = simulateLiqoctl(fleet);
      const lines = driftLines(imported(dumps), dumps);
      expect(lines.filter((it) => !TAKING_OVER.some((pattern) => pattern.test(it)))).toEqual([]);
    }),
  );
});

/** Additions of git to the objects of liqoctl, which move nothing. */
const TAKING_OVER = [
  / metadata\.annotations\.((argocd\.argoproj|kustomize\.toolkit\.fluxcd)\.io|liqo-weft)\//,
  / Namespace \S+ metadata\.labels\.pod-security\.kubernetes\.io\//,
  // The Secret that Liqo generated, by its name.
  / Gateway(Server|Client) \S+ spec\.secretRef\.name: \["gw-[^"]*",""\]$/,
  // The port of the nodes that the API server chose.
  / GatewayServer \S+ spec\.endpoint\.nodePort: \[\d+,null\]$/,
];
