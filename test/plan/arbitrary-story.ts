import fc from 'fast-check';
import type { ClusterSpec, LinkSpec, TopologySpec } from '../laws/topology-spec.ts';

/** Networks that collide with each other, with what a walk gives, and with nothing. */
const PODS = ['10.200.0.0/16', '10.200.0.0/16', '10.201.0.0/16', '10.202.0.0/16', '10.68.0.0/16', '10.200.128.0/17'];
const EXTERNALS = [undefined, undefined, '10.71.0.0/16', '10.202.0.0/16', 'auto'];
const LEAVES = ['anna', 'bert', 'carl', 'dora', 'emil', 'fred', 'gina'];

/** With the name that a cluster had in the commit before. */
export interface StoryCluster extends ClusterSpec {
  readonly renamedFrom?: string;
}

export interface StorySpec extends TopologySpec {
  readonly clusters: Readonly<Record<string, StoryCluster>>;
}

const gene = fc.nat({ max: 999 });

interface StoryEdit {
  readonly kind: (typeof KINDS)[number];
  readonly which: number;
  readonly what: number;
}

const KINDS = [
  'add',
  'remove',
  'retire',
  'return',
  'replace',
  'replace',
  'replace-with-another',
  'rename',
  'rename',
  'other-pods',
  'more-pods',
  'other-external',
  'swap-pods',
  'add-shortcut',
  'remove-shortcut',
  'add-peering',
  'remove-peering',
  'order',
  'upgrade',
  'namespace',
] as const;

const anyEdit: fc.Arbitrary<StoryEdit> = fc.record({ kind: fc.constantFrom(...KINDS), which: gene, what: gene });

/** One change of a fleet: what is edited, and the cluster whose decisions are made again. */
export interface Commit {
  readonly edits: readonly StoryEdit[];
  readonly relock: number | null;
}

export const anyCommit: fc.Arbitrary<Commit> = fc.record({
  edits: fc.array(anyEdit, { minLength: 1, maxLength: 2 }),
  relock: fc.option(gene, { freq: 8 }),
});

const pick = <T>(list: readonly T[], it: number): T => list[it % list.length] as T;

/** A hub and its leaves, which may have links of their own. */
export const anyStart: fc.Arbitrary<StorySpec> = fc
  .record({
    release: fc.constantFrom('1.0', '1.1', '1.1', '1.2', '1.2', 'best-fit'),
    leaves: fc.integer({ min: 1, max: 4 }),
    genes: fc.array(gene, { minLength: 12, maxLength: 12 }),
    links: fc.array(fc.record({ which: gene, what: gene }), { maxLength: 2 }),
  })
  .map(({ release, leaves, genes, links }) => {
    const names = ['hub', ...LEAVES.slice(0, leaves)];
    const start: StorySpec = {
      version: 1,
      name: 'fleet',
      hub: 'hub',
      defaults: { serviceCIDR: '10.96.0.0/12' },
      ...(release === 'best-fit'
        ? { liqo: { version: '1.0.0-rc.2' }, ipam: { allocator: 'best-fit' as const } }
        : { liqo: { version: release } }),
      clusters: Object.fromEntries(
        names.map((name, i) => [name, clusterOf(name, genes[2 * i] ?? 0, genes[2 * i + 1] ?? 0)]),
      ),
    };
    return links.reduce((spec, { which, what }) => withLink(spec, which, what), start);
  });

const addressOf = (name: string): string => `203.0.113.${1 + ['hub', ...LEAVES].indexOf(name)}`;

const clusterOf = (name: string, pods: number, external: number): StoryCluster => {
  const podCIDR = pick(PODS, pods);
  const externalCIDR = pick(EXTERNALS, external);
  return {
    podCIDR,
    ...(externalCIDR === undefined || externalCIDR === podCIDR ? {} : { externalCIDR }),
    gateway: { addresses: [addressOf(name)] },
  };
};

/** The topology after an edit; the same one where there is nothing to edit in this way. */
export function editedStory(spec: StorySpec, { kind, which, what }: StoryEdit): StorySpec {
  const leaves = Object.keys(spec.clusters).filter((it) => it !== 'hub');
  const free = LEAVES.filter((it) => !(it in spec.clusters));
  const name = pick(leaves, which);
  const anyName = pick(Object.keys(spec.clusters), which);
  const fresh = pick(free, what);
  const own = spec.clusters[name];
  const change = (cluster: string, changes: Partial<StoryCluster>): StorySpec => ({
    ...spec,
    clusters: { ...spec.clusters, [cluster]: { ...(spec.clusters[cluster] as StoryCluster), ...changes } },
  });
  if (kind === 'add') {
    if (fresh === undefined) return spec;
    return { ...spec, clusters: { ...spec.clusters, [fresh]: clusterOf(fresh, which, what) } };
  }
  if (kind === 'order') return name === undefined ? spec : { ...spec, order: [name] };
  if (kind === 'upgrade')
    return spec.liqo?.version === '1.1' || spec.liqo?.version === '1.0'
      ? { ...spec, liqo: { version: spec.liqo.version === '1.0' ? '1.1' : '1.2' } }
      : spec;
  if (kind === 'add-shortcut' || kind === 'add-peering') return withLink(spec, which, kind === 'add-peering' ? 0 : 1);
  if (kind === 'remove-shortcut') return { ...spec, shortcuts: (spec.shortcuts ?? []).slice(1) };
  if (kind === 'remove-peering')
    return { ...spec, peerings: (spec.peerings ?? []).filter((it, i) => i > 0 || it.names !== undefined) };
  if (kind === 'other-pods') return change(anyName, { podCIDR: pick(PODS, what) });
  if (kind === 'other-external') {
    const { externalCIDR: _, ...rest } = spec.clusters[anyName] as StoryCluster;
    const externalCIDR = pick(EXTERNALS, what);
    const changed = externalCIDR === undefined ? rest : { ...rest, externalCIDR };
    return { ...spec, clusters: { ...spec.clusters, [anyName]: changed } };
  }
  if (own === undefined || name === undefined) return spec;
  switch (kind) {
    case 'remove':
      return without(spec, name);
    case 'retire':
      return change(name, { retired: true });
    case 'return': {
      const retired = leaves.find((it) => spec.clusters[it]?.retired);
      return retired === undefined ? spec : change(retired, { retired: false });
    }
    case 'replace':
      return fresh === undefined ? spec : named(spec, name, fresh);
    case 'replace-with-another': {
      if (fresh === undefined) return spec;
      const rest = without(spec, name);
      return { ...rest, clusters: { ...rest.clusters, [fresh]: clusterOf(fresh, which, what) } };
    }
    case 'rename': {
      if (fresh === undefined || own.renamedFrom !== undefined) return spec;
      const renamed = named(spec, name, fresh);
      const it = renamed.clusters[fresh] as StoryCluster;
      return { ...renamed, clusters: { ...renamed.clusters, [fresh]: { ...it, renamedFrom: name } } };
    }
    case 'more-pods':
      return typeof own.podCIDR !== 'string' || spec.liqo?.version !== '1.2'
        ? change(name, { podCIDR: pick([own.podCIDR].flat(), what) as string })
        : change(name, { podCIDR: [own.podCIDR as string, pick(['10.204.0.0/16', '10.69.0.0/16'], what)] });
    case 'swap-pods': {
      const other = pick(leaves, what) as string;
      const swapped = change(name, { podCIDR: spec.clusters[other]?.podCIDR ?? own.podCIDR });
      const it = swapped.clusters[other] as StoryCluster;
      return other === name
        ? spec
        : { ...swapped, clusters: { ...swapped.clusters, [other]: { ...it, podCIDR: own.podCIDR } } };
    }
    case 'namespace': {
      const between = [name, 'hub'] as const;
      const names = { hub: { namespace: `of-${name}-${what % 2}` } };
      const others = (spec.peerings ?? []).filter((it) => it.between.join() !== between.join());
      return { ...spec, peerings: [...others, { between, names }] };
    }
  }
}

/** The next commit, in which finished renames are not declared any more. */
export const withoutRenames = (spec: StorySpec): StorySpec => ({
  ...spec,
  clusters: Object.fromEntries(
    Object.entries(spec.clusters).map(([name, { renamedFrom: _, ...it }]): [string, StoryCluster] => [name, it]),
  ),
});

function withLink(spec: StorySpec, which: number, what: number): StorySpec {
  const leaves = Object.keys(spec.clusters).filter((it) => it !== 'hub' && !spec.clusters[it]?.retired);
  const pairs = leaves.flatMap((a, i) => leaves.slice(i + 1).map((b): LinkSpec => ({ between: [a, b] })));
  const known = new Set(
    [...(spec.peerings ?? []), ...(spec.shortcuts ?? [])].map((it) => [...it.between].sort().join()),
  );
  const link = pick(
    pairs.filter((it) => !known.has([...it.between].sort().join())),
    which,
  );
  if (link === undefined) return spec;
  return what % 2 === 0
    ? { ...spec, peerings: [...(spec.peerings ?? []), link] }
    : { ...spec, shortcuts: [...(spec.shortcuts ?? []), link] };
}

function without(spec: StorySpec, name: string): StorySpec {
  const { [name]: _, ...clusters } = spec.clusters;
  const stays = (links: readonly LinkSpec[] = []) => links.filter((it) => !it.between.includes(name));
  return {
    ...spec,
    clusters,
    peerings: stays(spec.peerings),
    shortcuts: stays(spec.shortcuts),
    ...(spec.order ? { order: spec.order.filter((it) => it !== name) } : {}),
  };
}

/** A cluster under another name, with all its links. */
function named(spec: StorySpec, from: string, to: string): StorySpec {
  const now = (it: string): string => (it === from ? to : it);
  const links = (list: readonly LinkSpec[] = []): readonly LinkSpec[] =>
    list.map((it) => ({ ...it, between: [now(it.between[0]), now(it.between[1])] as const }));
  return {
    ...spec,
    clusters: Object.fromEntries(Object.entries(spec.clusters).map(([name, it]) => [now(name), it])),
    peerings: links(spec.peerings),
    shortcuts: links(spec.shortcuts),
    ...(spec.order ? { order: spec.order.map(now) } : {}),
  };
}
