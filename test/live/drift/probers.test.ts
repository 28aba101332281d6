import { describe, expect, it } from 'vitest';
import { explainLive } from '../../../src/host/app/drift-fleet.ts';
import { promisedObjects } from '../../../src/live/drift/promised-objects.ts';
import { type KubernetesObject, kindKeyOf, type LiveCluster } from '../../../src/live/dumps/kubernetes-object.ts';
import { compiledGolden } from '../../proof/verify/verify-golden.ts';

const compiled = compiledGolden('probers-on-every-release');
const PROMISED = promisedObjects('oslo', { bundle: compiled.bundle, root: 'out' });

type Edit = (it: KubernetesObject) => object | undefined;

/** oslo as in its bundle, with the fields that an API server adds, after an edit of the objects of its prober. */
function osloWith(edit: Edit): LiveCluster {
  const objects = new Map(
    [...PROMISED].flatMap(([key, { object }]) => {
      const defaults = { Service: { clusterIP: '10.96.0.7' }, Deployment: { revisionHistoryLimit: 10 } };
      const added = Object.entries(defaults).find(([kind]) => kind === object.kind)?.[1];
      const live = added === undefined ? object : { ...object, spec: { ...(object['spec'] as object), ...added } };
      const isProber = (object.metadata.namespace ?? object.metadata.name) === 'weft-conformance';
      const found = isProber ? edit(live as KubernetesObject) : live;
      return found === undefined ? [] : [[key, found as KubernetesObject] as const];
    }),
  );
  const listed = new Set([...PROMISED.values()].map((one) => kindKeyOf(one.object)));
  return { from: 'oslo.json', cluster: 'oslo', objects, listed, forbidden: new Set() };
}

/** The problems of the prober; a cluster that is only a copy of its promises has others, about its gateways. */
function problemsOf(edit: Edit) {
  const { problems } = explainLive(compiled, 'out', osloWith(edit));
  return problems.filter(({ findings }) =>
    findings.some(({ object }) => (object.namespace ?? object.name) === 'weft-conformance'),
  );
}

const messagesOf = (edit: Edit): readonly string[] =>
  problemsOf(edit).map(({ diagnostic }) => `${diagnostic.code}: ${diagnostic.message}`);

const onlyIn =
  (kind: string, edit: Edit): Edit =>
  (it) =>
    it.kind === kind ? edit(it) : it;

describe('the prober of a cluster', () => {
  it('is compared in its applied fields alone', () => {
    expect(messagesOf((it) => it)).toEqual([]);
  });

  it('is waited for while it has no ready pod', () => {
    const edit = onlyIn('Deployment', ({ status: _, ...it }) => ({ ...it, status: { replicas: 1 } }));
    expect(messagesOf(edit)).toEqual(['drift/not-there-yet: the prober of "oslo" has no ready pod']);
    expect(problemsOf(edit).map((one) => one.isWaiting)).toEqual([true]);
  });

  it('is drift with another image, or with a policy that opens more', () => {
    const image = onlyIn('Deployment', (it) => JSON.parse(JSON.stringify(it).replace('agnhost:2.59', 'agnhost:2.1')));
    expect(messagesOf(image).join()).toContain('drift/other-spec: Deployment "prober" in "oslo" was edited');
    const policy = onlyIn('NetworkPolicy', (it) => ({ ...it, spec: { ...(it['spec'] as object), egress: [{}] } }));
    expect(messagesOf(policy).join()).toContain('drift/other-spec: NetworkPolicy "prober" in "oslo" was edited');
  });

  it('is drift where it is missing', () => {
    const [found] = messagesOf((it) => (it.kind === 'Service' ? undefined : it));
    expect(found).toContain('Service "prober" in "oslo"');
  });
});
