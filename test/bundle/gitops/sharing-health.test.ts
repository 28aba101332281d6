import { describe, expect, it } from 'vitest';
import { OFFLOADING_HEALTH, SHARING_HEALTH } from '../../../src/bundle/gitops/flux-health.ts';
import { type RecordedObject, sharingRecordings } from '../../fleet/sharing/recordings.ts';
import { evaluateCel, HEALTH_OF, type LiveObject, verdictOf as verdictBy } from './cel.ts';
import { needsLua, runLua, scriptOf } from './health-scripts.ts';
import { sharingSamples } from './sharing-health-samples.ts';

const EXPRESSIONS = new Map([...SHARING_HEALTH, ...OFFLOADING_HEALTH].map((it) => [it.kind, it]));

const SCRIPTS: Readonly<Record<string, string>> = {
  Tenant: 'tenant',
  Identity: 'identity',
  ResourceSlice: 'resource-slice',
  VirtualNode: 'virtual-node',
  NamespaceOffloading: 'namespace-offloading',
};

const verdictOf = (kind: string, object: LiveObject) =>
  verdictBy(EXPRESSIONS.get(kind) ?? { apiVersion: '', kind, current: 'false' }, object);

describe('health expressions for Flux', () => {
  it('exist for the kinds that have a script', () => {
    expect([...EXPRESSIONS.keys()].sort()).toEqual(Object.keys(SCRIPTS).sort());
  });

  it.each(Object.entries(SCRIPTS))('report a %s as Argo CD does', (kind, script) => {
    const found = (sharingSamples[script] ?? []).map(({ what, object }) => [what, HEALTH_OF[verdictOf(kind, object)]]);
    expect(found).toEqual((sharingSamples[script] ?? []).map(({ what, health }) => [what, health]));
  });

  it('are not true, and no error, for an object that has no status yet', () => {
    const metadata = { generation: 1, managedFields: [{ manager: 'kustomize-controller' }] };
    for (const { kind, current, failed } of EXPRESSIONS.values()) {
      for (const it of [current, ...(typeof failed === 'string' ? [failed] : [])]) {
        expect([kind, evaluateCel(it, { metadata, spec: {} })]).toEqual([kind, false]);
      }
    }
  });

  it('wait for a NamespaceOffloading whose last change was not seen yet', () => {
    const [sample] = (sharingSamples['namespace-offloading'] ?? []).filter((it) => it.health === 'Healthy');
    const status = { ...(sample?.object['status'] as LiveObject), observedGeneration: 1 };
    const at = (generation: number) => ({ ...sample?.object, metadata: { namespace: 'demo', generation }, status });
    expect(verdictOf('NamespaceOffloading', at(2))).toBe('InProgress');
    expect(verdictOf('NamespaceOffloading', at(1))).toBe('Current');
  });
});

/** Every state between an object without a status and the one that was recorded: fields and list items left out. */
function* partsOf(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) yield value.filter((_, at) => at !== i);
    for (const [i, item] of value.entries()) {
      for (const part of partsOf(item)) yield value.map((it, at) => (at === i ? part : it));
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const part of partsOf(member)) yield { ...value, [key]: part };
    }
  }
}

/** The final objects of Liqo. The virtual kubelets did not run, so no ForeignCluster of a consumer has a node. */
const healthOf = ({ kind, metadata: { name } }: RecordedObject, cluster: string): string =>
  kind === 'ForeignCluster' && cluster === 'rome' && name !== 'rome' ? 'Degraded' : 'Healthy';

describe('objects as real reconcilers left them', () => {
  const recorded = sharingRecordings().flatMap(({ name, after }) =>
    [...after].flatMap(([cluster, objects]) => objects.map((object) => ({ name, cluster, object }))),
  );
  const ofKind = (kind: string) => recorded.filter((it) => it.object.kind === kind);

  it.each(Object.keys(SCRIPTS))('are healthy for Flux: %s', (kind) => {
    const found = ofKind(kind);
    expect(found.length).toBeGreaterThanOrEqual(12);
    for (const { name, object } of found) expect([name, verdictOf(kind, object)]).toEqual([name, 'Current']);
  });

  it.skipIf(needsLua).each(Object.entries({ ...SCRIPTS, ForeignCluster: 'foreign-cluster' }))(
    'are healthy for Argo CD: %s',
    (kind, script) => {
      const found = ofKind(kind);
      const results = runLua(
        scriptOf(script),
        found.map((it) => it.object),
      );
      const wanted = found.map(({ name, cluster, object }) => [name, healthOf(object, cluster)]);
      expect(found.map(({ name }, i) => [name, results[i]?.status])).toEqual(wanted);
    },
  );

  it.skipIf(needsLua).each(Object.entries(SCRIPTS))(
    'are the same for both while a part of the status is missing: %s',
    (kind, script) => {
      const states = ofKind(kind).flatMap(({ object }) =>
        [...partsOf(object['status'])].map((status): LiveObject => ({ ...object, status })),
      );
      const unique = [...new Map(states.map((it) => [JSON.stringify([it['spec'], it['status']]), it])).values()];
      expect(unique.length).toBeGreaterThan(1);
      const results = runLua(scriptOf(script), unique);
      const differ = unique.filter((it, i) => HEALTH_OF[verdictOf(kind, it)] !== results[i]?.status);
      expect(differ.map((it) => it['status'])).toEqual([]);
    },
  );
});
