import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type Compiled, compile } from '../../src/compile.ts';
import type { EntryPointManifest } from '../../src/gitops/entry-point.ts';
import { ArgoApplication, type SyncObject } from './argo-sync.ts';
import { FluxRollout } from './flux-rollout.ts';

const SPOKES = 50;
const spoke = (i: number): string => `spoke-${String(i).padStart(2, '0')}`;

/** A hub whose spokes all have Liqo's default external CIDR, so every link of the hub needs an order. */
function compiledHub({ spokes = SPOKES, flux = '2.7', edited = '' } = {}, lock?: string): Compiled {
  const clusters = Array.from(
    { length: spokes },
    (_, i) =>
      `  ${spoke(i)}: { podCIDR: 10.${i + 1}.0.0/16${spoke(i) === edited ? ', gateway: { mtu: 1300 }' : ''} }\n`,
  );
  const text = `version: 1
name: europe
hub: hub
gitops: { repository: https://github.com/example/network, argo: {}, flux: { version: "${flux}" } }
defaults: { serviceCIDR: 172.20.0.0/16, reserved: [192.168.0.0/24] }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
${clusters.join('')}`;
  const result = compile(
    {
      topology: { path: 'topology.yaml', text },
      keys: undefined,
      lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
    },
    { only: null, relock: [] },
  );
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return result.value;
}

const documentsIn = (text: string): readonly Manifest[] => parseAllDocuments(text).map((it) => it.toJS() as Manifest);

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** All objects that the Application of the hub applies. */
const objectsOf = ({ bundle }: Compiled): readonly SyncObject[] =>
  [...bundle]
    .filter(([path]) => /^hub\/peers\/[^/]+\/(?!kustomization)/.test(path))
    .flatMap(([, text]) => documentsIn(text))
    .map((it) => ({
      id: `${it.kind}/${it.metadata.name}`,
      wave: Number(it.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0),
      text: JSON.stringify(it),
    }));

/** The order in which the Configurations of the hub have to be applied. */
const joinOrder = ({ model }: Compiled): readonly string[] =>
  [...(model.clusters.get('hub')?.peers.keys() ?? [])].map((it) => `Configuration/${it}`);

const syncOptionsOf = ({ bundle }: Compiled): readonly string[] =>
  parse(bundle.get('_argocd/applicationset.yaml') ?? '').spec.template.spec.syncPolicy.syncOptions;

const fluxOf = ({ bundle }: Compiled): readonly EntryPointManifest[] =>
  documentsIn(bundle.get('_flux/clusters/hub/hub.yaml') ?? '') as unknown as readonly EntryPointManifest[];

const before = compiledHub();
const edited = compiledHub({ edited: spoke(7) }, before.lock);
const grown = compiledHub({ spokes: SPOKES + 1 }, before.lock);

describe('Argo CD, for a hub with 50 ordered links', () => {
  const application = () =>
    new ArgoApplication({ outOfSyncOnly: syncOptionsOf(before).includes('ApplyOutOfSyncOnly=true') });
  const twoPolls = () => 2;

  it('applies one Configuration after the other in a first rollout, each when the one before has its addresses', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 200, maxLength: 200 }), (polls) => {
        let i = 0;
        const { waves, applied, unhealthy } = application().sync(objectsOf(before), () => polls[i++ % 200] ?? 0);
        expect(applied.filter((it) => it.startsWith('Configuration/'))).toEqual(joinOrder(before));
        expect(applied.length).toBe(objectsOf(before).length);
        // All namespaces, then the Configurations one by one, then all gateways.
        expect(waves.length).toBe(1 + SPOKES + 1);
        for (const id of joinOrder(before)) {
          expect(unhealthy.get(id)?.filter((it) => it.startsWith('Configuration/'))).toEqual([]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('applies an edit of one link in one wave', () => {
    const argo = application();
    argo.sync(objectsOf(before), twoPolls);
    const { waves, applied } = argo.sync(objectsOf(edited), twoPolls);
    expect([waves.length, applied]).toEqual([1, [`GatewayServer/${spoke(7)}`]]);
  });

  it('would walk through every wave again without ApplyOutOfSyncOnly', () => {
    const argo = new ArgoApplication({ outOfSyncOnly: false });
    argo.sync(objectsOf(before), twoPolls);
    const { waves, applied } = argo.sync(objectsOf(edited), twoPolls);
    expect([waves.length, applied.length]).toEqual([1 + SPOKES + 1, objectsOf(before).length]);
  });

  it('applies a new link in a wave for each step, and none of another link', () => {
    const argo = application();
    argo.sync(objectsOf(before), twoPolls);
    const { waves, applied } = argo.sync(objectsOf(grown), twoPolls);
    expect(waves.length).toBe(3);
    expect(applied.every((it) => it.endsWith(spoke(SPOKES)) || it.endsWith(`liqo-tenant-${spoke(SPOKES)}`))).toBe(true);
  });
});

describe('Flux, for a hub with 50 ordered links', () => {
  const chain = (compiled: Compiled): readonly string[] => fluxOf(compiled).map((it) => it.metadata.name);

  it('applies one link after the other in a first rollout', () => {
    expect(new FluxRollout().rounds(fluxOf(before), 'a')).toEqual(chain(before).map((it) => [it]));
    expect(chain(before).length).toBe(1 + SPOKES);
  });

  it('applies an edit to all links at once', () => {
    const flux = new FluxRollout();
    flux.rounds(fluxOf(before), 'a');
    expect(flux.rounds(fluxOf(edited), 'b')).toEqual([chain(before)]);
  });

  it('applies a new link when the last one has been applied once', () => {
    const flux = new FluxRollout();
    flux.rounds(fluxOf(before), 'a');
    const added = chain(grown).find((it) => !chain(before).includes(it));
    expect(flux.rounds(fluxOf(grown), 'b')).toEqual([chain(grown)]);
    expect(chain(grown).at(-1)).toBe(added);
  });

  it('walks through the whole chain at each commit before 2.7, which has no readyExpr', () => {
    const [old, oldEdited] = [
      compiledHub({ flux: '2.6' }),
      compiledHub({ flux: '2.6', edited: spoke(7) }, before.lock),
    ];
    const flux = new FluxRollout();
    flux.rounds(fluxOf(old), 'a');
    expect(flux.rounds(fluxOf(oldEdited), 'b').length).toBe(1 + SPOKES);
  });

  it('keeps the order when commits arrive in the middle of a first rollout', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ commit: fc.boolean(), pick: fc.nat(60) }), { maxLength: 400 }), (steps) => {
        const flux = new FluxRollout();
        const [manifests, first] = [fluxOf(before), new Set<string>()];
        let commit = 0;
        for (const step of steps) {
          if (step.commit) commit += 1;
          const open = flux.ready(manifests, String(commit));
          const next = open[step.pick % Math.max(1, open.length)];
          if (next === undefined) continue;
          first.add(next.metadata.name);
          flux.finish(next.metadata.name, String(commit));
        }
        expect([...first]).toEqual(chain(before).slice(0, first.size));
      }),
      { numRuns: 100 },
    );
  });
});
