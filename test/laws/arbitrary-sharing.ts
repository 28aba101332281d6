import fc from 'fast-check';
import { type LoanSpec, linkedPairs, type OffloadingSpec, pairOf, type TopologySpec } from './topology-spec.ts';

/** The random choices about sharing; numbers are choices in a list. */
export interface SharingGenes {
  readonly loans: readonly Gene[];
  readonly namespaces: readonly Gene[];
}

interface Gene {
  readonly which: number;
  readonly options: number;
  readonly detail: number;
}

const choice = fc.nat({ max: 1_000 });
const gene: fc.Arbitrary<Gene> = fc.record({ which: choice, options: choice, detail: choice });

/** Half of the fleets share nothing, as before there was anything to share. */
export const sharingGenes: fc.Arbitrary<SharingGenes> = fc.oneof(
  fc.constant({ loans: [], namespaces: [] }),
  fc.record({ loans: fc.array(gene, { maxLength: 4 }), namespaces: fc.array(gene, { maxLength: 3 }) }),
);

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

export function withSharing(spec: TopologySpec, { loans, namespaces }: SharingGenes): TopologySpec {
  return namespaces.reduce(withNamespace, loans.reduce(withLoan, spec));
}

/** A loan over a link that is there. The later cluster borrows, so that no circle of loans comes about. */
function withLoan(spec: TopologySpec, { which, options, detail }: Gene): TopologySpec {
  const linked = linkedPairs(spec);
  const lent = new Set((spec.sharing ?? []).map((it) => pairOf(it.consumer, it.provider)));
  const names = Object.keys(spec.clusters).filter((it) => !spec.clusters[it]?.retired);
  const candidates = names.flatMap((provider, i) =>
    names
      .slice(i + 1)
      .filter((consumer) => linked.has(pairOf(consumer, provider)) && !lent.has(pairOf(consumer, provider)))
      .map((consumer) => ({ consumer, provider })),
  );
  const pair = candidates[which % Math.max(1, candidates.length)];
  return pair
    ? { ...spec, sharing: [...(spec.sharing ?? []), { ...pair, ...loanOptions(options, detail, pair) }] }
    : spec;
}

function loanOptions(
  options: number,
  detail: number,
  { consumer, provider }: Pick<LoanSpec, 'consumer' | 'provider'>,
): Partial<LoanSpec> {
  const resources = pick<Readonly<Record<string, string | number>>>(
    [{ cpu: 4, memory: '8Gi', pods: 110 }, { cpu: '2500m' }, { memory: '1.5Gi', 'nvidia.com/gpu': 1 }],
    detail,
  );
  switch (pick(['plain', 'resources', 'slices', 'cordoned', 'credentials', 'resources'], options)) {
    case 'resources':
      return { resources };
    case 'slices':
      return {
        slices: [{ name: `${consumer}-at-${provider}`, resources }, { name: `${consumer}-at-${provider}-too` }],
      };
    case 'cordoned':
      return { condition: 'Cordoned', resources };
    case 'credentials':
      return { auth: 'credentials' };
    default:
      return {};
  }
}

/** One more namespace of a cluster that borrows, to all of its providers or to one. */
function withNamespace(spec: TopologySpec, { which, options, detail }: Gene): TopologySpec {
  const loans = spec.sharing ?? [];
  const loan = loans[which % Math.max(1, loans.length)];
  if (!loan) return spec;
  const { consumer: cluster, provider } = loan;
  const namespace = pick(['demo', 'batch', '1e3', 'on', 'apps-of-all'], detail);
  const entries = spec.offloading ?? [];
  if (entries.some((it) => it.cluster === cluster && it.namespace === namespace)) return spec;
  const more = pick<Partial<OffloadingSpec>>(
    [
      {},
      { to: [provider] },
      { to: provider, pods: 'Remote' },
      { pods: 'Local', createNamespace: false },
      { remoteName: `of-${cluster}-${namespace}` },
    ],
    options,
  );
  return { ...spec, offloading: [...entries, { cluster, namespace, ...more }] };
}

/** The topology without loans over missing links, and without namespaces that no cluster takes. */
export function withoutLostLoans(spec: TopologySpec): TopologySpec {
  if (!spec.sharing) return spec;
  const linked = linkedPairs(spec);
  const isThere = (name: string): boolean => spec.clusters[name] !== undefined;
  const sharing = spec.sharing.filter(
    ({ consumer, provider }) => isThere(consumer) && isThere(provider) && linked.has(pairOf(consumer, provider)),
  );
  const lends = (cluster: string, provider: string): boolean =>
    sharing.some((it) => it.consumer === cluster && it.provider === provider);
  const offloading = (spec.offloading ?? []).flatMap((it): readonly OffloadingSpec[] => {
    if (!sharing.some(({ consumer }) => consumer === it.cluster)) return [];
    const to = it.to === undefined ? undefined : [it.to].flat().filter((one) => lends(it.cluster, one));
    if (to?.length === 0) return [];
    return [to === undefined ? it : { ...it, to }];
  });
  const { sharing: _, offloading: __, ...rest } = spec;
  return {
    ...rest,
    ...(sharing.length > 0 ? { sharing } : {}),
    ...(offloading.length > 0 ? { offloading } : {}),
  };
}
