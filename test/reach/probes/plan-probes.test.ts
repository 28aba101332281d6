import { describe, expect, it } from 'vitest';
import { moveHost } from '../../../src/base/net/prefix.ts';
import { printAddress, readAddress } from '../../../src/base/net/text.ts';
import { compile } from '../../../src/compile.ts';
import { clusterNamed } from '../../../src/fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { labScope } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import { type Prober, planProbes } from '../../../src/reach/probes/plan-probes.ts';
import type { IpMapping } from '../../../src/reach/trace/trace-request.ts';
import { keyedFleets } from '../../support/fleets.ts';
import { keysOf } from '../../support/keys-of.ts';
import { withGateways } from '../../support/with-gateways.ts';

const at = (it: string): number => readAddress(it) as number;

function modelOf(fleet: string, hasKey?: Parameters<typeof keysOf>[1]): SharedModel {
  const text = `version: 1\nname: test\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }\n${fleet}`;
  const topology = { path: 'topology.yaml', text: withGateways(text) };
  const outcome = compile({ topology, keys: keysOf(topology, hasKey), lock: undefined }, { relock: [], only: [] });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('\n'));
  return outcome.value.model;
}

const proberAt = (cluster: string, address: string): Prober => ({
  cluster,
  pod: `prober-${cluster}`,
  address: at(address),
});

const STAR = modelOf(`hub: europe
clusters:
  europe: { podCIDR: 10.200.0.0/16 }
  rome: { podCIDR: 10.202.0.0/16 }
  milan: { podCIDR: 10.202.0.0/16 }
`);

const PROBERS = [proberAt('europe', '10.200.0.5'), proberAt('rome', '10.202.0.6'), proberAt('milan', '10.202.0.7')];

interface Mapped {
  readonly mappings?: Readonly<Record<string, readonly IpMapping[]>>;
  readonly probers?: readonly Prober[];
  readonly isWanted?: (from: string, to: string) => boolean;
}

function planned(model: SharedModel, { mappings = {}, probers = PROBERS, isWanted = () => true }: Mapped = {}) {
  const { probes, undialled } = planProbes(model, {
    probers,
    mappings: new Map(Object.entries(mappings)),
    services: new Map(),
    isWanted,
  });
  return {
    probes: probes.map(({ from, to, path, dialled, predicted, mtuBytes }) => ({
      pair: `${from} ${to}`,
      path: path.kind === 'through' ? path.hub : path.kind,
      dialled: printAddress(dialled),
      predicted: predicted.kind === 'delivered' ? printAddress(predicted.source) : predicted.fate,
      mtuBytes,
    })),
    undialled: undialled.map(({ from, to, why }) => `${from} ${to}: ${why}`),
  };
}

describe('the plan of probes', () => {
  it('dials the pod of a peer where the sender sees it, and predicts the sender where the receiver sees that', () => {
    const europe = clusterNamed(STAR, 'europe');
    const seenIn = (viewer: string, peer: string, address: string) => {
      const view = clusterNamed(STAR, viewer).peers.get(peer)?.podViews[0];
      return view === undefined ? '' : printAddress(moveHost(at(address), view.seenAs));
    };
    expect(europe.peers.size).toBe(2);
    const { probes } = planned(STAR);
    expect(probes.find((it) => it.pair === 'europe milan')).toEqual({
      pair: 'europe milan',
      path: 'direct',
      dialled: seenIn('europe', 'milan', '10.202.0.7'),
      predicted: seenIn('milan', 'europe', '10.200.0.5'),
      mtuBytes: 1340,
    });
    expect(new Set(probes.map((it) => it.dialled)).size).toBe(3);
  });

  it('dials through a hub only where an IP resource of the hub stands for the prober', () => {
    expect(planned(STAR).undialled).toEqual(['rome milan: hub-not-read', 'milan rome: hub-not-read']);
    expect(planned(STAR, { mappings: { europe: [] } }).undialled).toEqual([
      'rome milan: not-mapped',
      'milan rome: not-mapped',
    ]);
    const europe = clusterNamed(STAR, 'europe');
    const view = europe.peers.get('milan')?.podViews[0];
    if (view === undefined) throw new Error('no view');
    const mapping = {
      cluster: 'europe',
      real: moveHost(at('10.202.0.7'), view.seenAs),
      external: europe.externalCIDR.base + 5,
    };
    const { probes, undialled } = planned(STAR, { mappings: { europe: [mapping] } });
    expect(undialled).toEqual(['milan rome: not-mapped']);
    const rome = clusterNamed(STAR, 'rome');
    const external = rome.peers.get('europe')?.externalView.seenAs;
    const back = clusterNamed(STAR, 'milan').peers.get('europe')?.externalView.seenAs;
    expect(probes.filter((it) => it.path === 'europe')).toEqual([
      {
        pair: 'rome milan',
        path: 'europe',
        dialled: printAddress((external?.base ?? 0) + 5),
        predicted: printAddress(back?.base ?? 0),
        mtuBytes: 1340,
      },
    ]);
  });

  it('dials a link without keys, which must not answer', () => {
    const model = modelOf(
      'clusters: { rome: { podCIDR: 10.202.0.0/16 }, milan: { podCIDR: 10.203.0.0/16 } }\npeerings: [[rome, milan]]\n',
      (cluster) => cluster === 'rome',
    );
    const probers = [proberAt('rome', '10.202.0.6'), proberAt('milan', '10.203.0.7')];
    expect(planned(model, { probers }).probes).toEqual([
      { pair: 'rome milan', path: 'direct', dialled: '10.203.0.7', predicted: 'no-keys', mtuBytes: 1340 },
      { pair: 'milan rome', path: 'direct', dialled: '10.202.0.6', predicted: 'no-keys', mtuBytes: 1340 },
    ]);
  });

  it('dials the own address of a pod without a path, unless it means something else to the sender', () => {
    const apart = (rome: string, more = '') =>
      modelOf(`clusters: { rome: { podCIDR: ${rome}${more} }, milan: { podCIDR: 10.203.0.0/16 } }\n`);
    const probers = [proberAt('rome', '10.202.0.6'), proberAt('milan', '10.203.0.7')];
    const { probes } = planned(apart('10.202.0.0/16'), { probers });
    expect(probes.map((it) => [it.pair, it.path, it.dialled, it.predicted])).toEqual([
      ['rome milan', 'none', '10.203.0.7', 'no-route'],
      ['milan rome', 'none', '10.202.0.6', 'no-route'],
    ]);
    const reserved = planned(apart('10.202.0.0/16', ', reserved: [10.203.0.0/24]'), { probers });
    expect(reserved.undialled).toEqual(['rome milan: address-has-other-meaning']);
    const equal = [proberAt('rome', '10.203.0.6'), proberAt('milan', '10.203.0.7')];
    expect(planned(apart('10.203.0.0/16'), { probers: equal }).probes).toEqual([]);
  });

  it('dials the Service of a prober in the provider into which its namespace is offloaded, where that has it', () => {
    const fleet = keyedFleets().find((it) => it.name === 'probers-on-every-release');
    if (fleet === undefined) throw new Error('no such golden');
    const { model } = fleet.compiled;
    const probers = [proberAt('rome', '10.200.0.6'), proberAt('como', '10.203.0.7')];
    const namespace = model.offloadings[0]?.remoteName ?? '';
    const endpoints = [at('10.203.0.7')];
    const plan = (service: string) =>
      planProbes(model, {
        probers,
        mappings: new Map(),
        services: new Map([['rome', [{ namespace: service, address: at('10.96.0.20'), endpoints }]]]),
        isWanted: () => true,
      });
    const { probes } = plan(namespace);
    expect(probes.find((it) => it.path.kind === 'service')).toMatchObject({
      from: 'rome',
      to: 'como',
      dialled: at('10.96.0.20'),
      endpoints: { expected: probes.find((it) => it.from === 'rome')?.dialled, found: endpoints },
    });
    const undialled = plan('elsewhere').undialled.filter((it) => it.path.kind === 'service');
    expect(undialled).toEqual([{ from: 'rome', to: 'como', path: { kind: 'service', namespace }, why: 'no-service' }]);
  });

  it('has only wanted pairs', () => {
    const { probes } = planned(STAR, { isWanted: (from, to) => from === 'europe' && to === 'rome' });
    expect(probes.map((it) => it.pair)).toEqual(['europe rome']);
  });

  it('predicts what a lab must see, for every path of every golden', () => {
    for (const { name, compiled } of keyedFleets()) {
      const { model } = compiled;
      const plan = planLab(labScope(model, []));
      const probers = plan.hosts.flatMap(({ cluster, pods: [address] }) =>
        address === undefined ? [] : [{ cluster, pod: cluster, address }],
      );
      const { probes } = planProbes(model, { probers, mappings: new Map(), services: new Map(), isWanted: () => true });
      const flows = new Map(
        plan.probes.flatMap(({ flow }) =>
          flow.hub === null && flow.sender === 'pod'
            ? [[`${flow.from} ${flow.source} ${flow.dialled}`, flow] as const]
            : [],
        ),
      );
      const own = new Map(probers.map((it) => [it.cluster, it.address]));
      for (const { from, path, dialled, predicted, mtuBytes } of probes) {
        const flow = path.kind === 'direct' ? flows.get(`${from} ${own.get(from) ?? 0} ${dialled}`) : undefined;
        if (path.kind === 'service') continue;
        if (predicted.kind !== 'delivered')
          expect(flow === undefined || flow.refused.length > 0 || predicted.fate === 'refused', name).toBe(true);
        else
          expect({ source: flow?.expected.source, mtuBytes: flow?.mtuBytes }, name).toEqual({
            source: predicted.source,
            mtuBytes,
          });
      }
    }
  });
});
