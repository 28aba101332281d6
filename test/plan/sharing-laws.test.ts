import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { compile } from '../../src/compile.ts';
import type { SharedModel } from '../../src/fleet/sharing/shared-model.ts';
import { isEmptyPlan } from '../../src/plan/plan-changes.ts';
import { deletedNamespaces } from '../../src/plan/removal-guard.ts';
import { type SharingGenes, sharingGenes, withSharing } from '../laws/arbitrary-sharing.ts';
import { arbitraryFleet } from '../laws/arbitrary-topology.ts';
import { type Decided, decidedBy } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { once } from '../laws/once.ts';
import { lockSource, type TopologySpec, topologySource } from '../laws/topology-spec.ts';
import { handshakesOf } from '../support/handshakes.ts';
import { keysOf } from '../support/keys-of.ts';
import { planBetween } from './run-edit.ts';

/** The loans, and their records: by the last letter of a name some have a key, or have answered. */
interface Side {
  readonly genes: SharingGenes;
  readonly keyless: boolean;
  readonly unanswered: boolean;
}

const side: fc.Arbitrary<Side> = fc.record({ genes: sharingGenes, keyless: fc.boolean(), unanswered: fc.boolean() });

const endsEarly = (name: string): boolean => name < 'm';

function decided(spec: TopologySpec, { genes, keyless, unanswered }: Side, lock?: string): Decided {
  const { sharing: _, offloading: __, ...plain } = spec;
  const topology = topologySource(withSharing(plain, genes));
  const names = Object.keys(spec.clusters);
  const pairs = names.flatMap((consumer) => names.map((provider) => [consumer, provider] as const));
  const { authentication, identities } = handshakesOf(topology.text, {
    keyless: keyless ? names.filter(endsEarly) : [],
    unanswered: unanswered ? pairs.flatMap(([a, b]) => (endsEarly(b) ? [`${a}/${b}`] : [])) : [],
  });
  const keys = keysOf(topology);
  const sources = {
    topology,
    keys: keys && { ...keys, text: keys.text + authentication },
    identities: identities === undefined ? undefined : { path: 'topology.identities.yaml', text: identities },
    lock: lock === undefined ? undefined : lockSource(lock),
  };
  return decidedBy(compile(sources, { relock: [], only: null, withoutAssertions: true }));
}

const edited = fc.tuple(arbitraryFleet({ maxClusters: 5 }), side, side);

const bothSides = once(
  ([fleet, was, is]: readonly [{ readonly spec: TopologySpec }, Side, Side]): readonly [Decided, Decided] => {
    const before = decided(fleet.spec, was);
    return [before, decided(fleet.spec, is, before.lock)];
  },
);

/** The namespaces that Liqo makes in providers, from the model, which a plan does not read. */
function remoteNamespaces({ offloadings, shares }: SharedModel): ReadonlySet<string> {
  const connected = shares.filter(
    ({ auth, key, identity, condition }) =>
      condition !== 'Drained' && (auth === 'credentials' || key !== null || identity !== null),
  );
  return new Set(
    offloadings.flatMap(({ cluster, namespace, providers, remoteName }) =>
      providers
        .filter((provider) => connected.some((it) => it.consumer === cluster && it.provider === provider))
        .map((provider) => [cluster.name, namespace, provider.name, remoteName].join(' ')),
    ),
  );
}

const idsOf = (changes: readonly { readonly id: string }[], kind: string): readonly string[] =>
  changes.flatMap(({ id }) => (id.startsWith(`${kind} `) ? [id.slice(kind.length + 1)] : []));

const sharesOf = ({ model }: Decided): readonly string[] =>
  model.shares.map((it) => `${it.consumer.name}/${it.provider.name}`).sort();

const offloadedBy = ({ model }: Decided): readonly string[] =>
  model.offloadings.map((it) => `${it.cluster.name}/${it.namespace}`).sort();

describe('a plan of what is shared', () => {
  law(
    'names every namespace of a provider that goes, once, and none that was not there',
    100,
    fc.property(edited, (input) => {
      const [before, after] = bothSides(input);
      const [was, is] = [remoteNamespaces(before.model), remoteNamespaces(after.model)];
      const deleted = deletedNamespaces(planBetween(before, after).changes).map((it) =>
        [it.cluster, it.namespace, it.provider, it.name].join(' '),
      );
      expect(deleted.length).toBe(new Set(deleted).size);
      expect(deleted.filter((it) => !was.has(it))).toEqual([]);
      // If only records are lost, nothing is deleted.
      const pairs = new Set(sharesOf(after));
      const gone = [...was].filter((it) => {
        const [cluster, , provider] = it.split(' ');
        return (
          !is.has(it) &&
          (offloadedBy(after).includes(it.split(' ').slice(0, 2).join('/'))
            ? !pairs.has(`${cluster}/${provider}`)
            : true)
        );
      });
      expect(gone.filter((it) => !deleted.includes(it))).toEqual([]);
    }),
  );

  law(
    'adds and removes the loans and namespaces that differ, and explains every file',
    100,
    fc.property(edited, (input) => {
      const [before, after] = bothSides(input);
      const { changes, files } = planBetween(before, after);
      const differing = (was: readonly string[], is: readonly string[]) => [
        was.filter((it) => !is.includes(it)),
        is.filter((it) => !was.includes(it)),
      ];
      expect([[...idsOf(changes, 'share-removed')].sort(), [...idsOf(changes, 'share-added')].sort()]).toEqual(
        differing(sharesOf(before), sharesOf(after)),
      );
      expect([
        [...idsOf(changes, 'namespace-withdrawn')].sort(),
        [...idsOf(changes, 'namespace-offloaded')].sort(),
      ]).toEqual(differing(offloadedBy(before), offloadedBy(after)));
      expect(changes.filter((it) => it.kind === 'files-changed')).toEqual([]);
      expect(files.filter((it) => it.explainedBy.length === 0)).toEqual([]);
      expect(new Set(changes.map((it) => it.id)).size).toBe(changes.length);
      expect(isEmptyPlan(planBetween(after, after))).toBe(true);
    }),
  );
});
