import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bundle, filesByPath } from '../../src/bundle/emit/bundle.ts';
import { bundleMemory, FLEET_FOLDERS, folderVersions } from '../../src/bundle/emit/emit-bundle.ts';
import { emitCluster } from '../../src/bundle/emit/emit-cluster.ts';
import { type Compiled, compile } from '../../src/compile.ts';
import type { BoundedModel } from '../../src/fleet/boundaries/bounded-model.ts';
import type { AddressedCluster } from '../../src/fleet/ipam/addressed-model.ts';
import { lockMemory, nextLock } from '../../src/fleet/ipam/assign-addresses.ts';
import { sha256 } from '../../src/host/disk/tree/tree-path.ts';
import { forEntryPoints, nearby } from '../bundle/emit/nearby.ts';
import { drawn } from '../support/drawn.ts';
import { compileGolden, goldenNames, goldenSources } from '../support/golden.ts';
import { keysOf } from '../support/keys-of.ts';
import { ADDITIONS, applyEdit, arbitraryEdit, arbitraryFleet, CHANGES, REMOVALS } from './arbitrary-topology.ts';
import { compiledWithKeys } from './compile-spec.ts';
import { law } from './law.ts';
import { type TopologySpec, topologySource } from './topology-spec.ts';

const WHOLE = { relock: [], only: null } as const;

const folderOf = (name: string, model: BoundedModel) =>
  filesByPath(emitCluster(model.clusters.get(name) as AddressedCluster, model));

function expectOnlyNeighboursAreRead(model: BoundedModel): void {
  for (const name of model.clusters.keys()) expect(folderOf(name, nearby(name, model))).toEqual(folderOf(name, model));
}

function expectOnlyWhatIsAppliedIsRead(model: BoundedModel): void {
  const { _argocd, _flux } = FLEET_FOLDERS;
  for (const print of [_argocd, _flux]) expect(print(forEntryPoints(model))).toEqual(print(model));
}

/**
 * The folders that have the version that they had, each with the same files. Texts, which later processes compare, show the same as
 * objects within one process.
 */
function keptFolders(before: Compiled, after: Compiled): readonly string[] {
  const [old, now] = [before.bundle, after.bundle];
  const kept = now.folders.filter((it) => {
    const version = now.versionOf(it);
    return version !== undefined && version === old.versionOf(it);
  });
  for (const it of kept) expect(now.inFolder(it)).toEqual(old.inFolder(it));
  const [oldText, text] = [before, after].map((it) => folderVersions(it.model, sha256));
  expect(now.folders.filter((it) => text?.(it) !== undefined && text(it) === oldText?.(it))).toEqual(kept);
  return kept;
}

describe('a folder is printed from what is compared, and from no place in a text', () => {
  const compiled = drawn(goldenNames()).map((it) => [it, compileGolden(it)] as const);
  it.each(compiled.flatMap(([name, it]) => (it.ok ? [[name, it.value.model] as const] : [])))('%s', (_, model) => {
    expectOnlyNeighboursAreRead(model);
    expectOnlyWhatIsAppliedIsRead(model);
  });

  law(
    'in random fleets',
    150,
    fc.property(arbitraryFleet(), ({ spec }) => {
      const { model } = compiledWithKeys(spec);
      expectOnlyNeighboursAreRead(model);
      expectOnlyWhatIsAppliedIsRead(model);
    }),
  );
});

describe('a version that a folder keeps', () => {
  it.each(drawn(goldenNames()))('is that of all folders when only places move: %s', (name) => {
    const emit = bundleMemory();
    const sources = goldenSources(name);
    const [before, after] = [sources.topology.text, `# A line more.\n${sources.topology.text}`].map((text) =>
      compile({ ...sources, topology: { ...sources.topology, text } }, { ...WHOLE, emit }),
    );
    if (!before?.ok || !after?.ok) return;
    const kept = keptFolders(before.value, after.value);
    expect(kept).toEqual(after.value.bundle.folders);
  });

  const edits = fc.array(arbitraryEdit([...ADDITIONS, ...REMOVALS, ...CHANGES]), { minLength: 1, maxLength: 5 });

  law(
    'means the same files, whatever is edited; and the lock is that of a new process',
    300,
    fc.property(arbitraryFleet(), edits, fc.integer({ min: 0, max: 7 }), (first, changes, missing) => {
      const [emit, lockOf] = [bundleMemory(), lockMemory()];
      let last: Compiled | undefined;
      let fleet = first;
      for (const [i, edit] of [undefined, ...changes].entries()) {
        if (edit !== undefined) fleet = applyEdit(fleet, edit);
        const next = compileAgain(fleet.spec, { emit, lockOf, lock: last?.lock, withKeys: i !== missing });
        if (next !== undefined) expect(next.lock).toBe(nextLock(next.model));
        if (last !== undefined && next !== undefined) keptFolders(last, next);
        last = next ?? last;
      }
    }),
  );

  it('is lost by a cluster that was edited, by those with a link to it, and by addresses.json', () => {
    const emit = bundleMemory();
    const spec: TopologySpec = {
      version: 1,
      name: 'fleet',
      gitops: { repository: 'https://example.com/network.git' },
      clusters: Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((it, i) => [
          it,
          { podCIDR: `10.2${i}.0.0/16`, serviceCIDR: '10.96.0.0/16', gateway: { addresses: [`203.0.113.${i + 1}`] } },
        ]),
      ),
      peerings: [{ between: ['a', 'b'] }, { between: ['b', 'c'] }, { between: ['c', 'd'] }],
    };
    const edited = {
      ...spec.clusters['a'],
      gateway: { addresses: ['203.0.113.77'] },
    } as TopologySpec['clusters'][string];
    const before = compileAgain(spec, { emit });
    const after = compileAgain({ ...spec, clusters: { ...spec.clusters, a: edited } }, { emit });
    if (before === undefined || after === undefined) throw new Error('the fleet has errors');
    expect(keptFolders(before, after)).toEqual(['c', 'd', '_argocd', '_flux']);
  });
});

const APPLIED = `version: 1
name: fleet
gitops: { repository: 'https://example.com/network.git' }
defaults: { serviceCIDR: 10.96.0.0/16, externalCIDR: auto }
clusters:
  a: { podCIDR: 10.20.0.0/16, gateway: 203.0.113.1 }
  b: { podCIDR: 10.21.0.0/16, gateway: 203.0.113.2 }
  c: { podCIDR: 10.22.0.0/16 }
peerings:
  - [a, b]
  - { between: [b, c] }
`;

describe('the version of entry points', () => {
  it.each([
    ['a link that now needs an order', '10.22.0.0/16', '10.21.0.0/16'],
    ['a tenant namespace with another name', '[b, c]', '[b, c], names: { b: { namespace: peer-c } }'],
    ['a cluster with another name in Argo CD and Flux', '10.22.0.0/16', '10.22.0.0/16, gitops: { name: other }'],
    ['a retired cluster', '10.22.0.0/16', '10.22.0.0/16, retired: true'],
    ['another repository', 'network.git', 'other.git'],
    [
      'a loan',
      'peerings:',
      'sharing: [{ consumer: a, provider: b, auth: credentials, resources: { cpu: 1 } }]\npeerings:',
    ],
  ])('is lost with %s', (_, before, after) => {
    const emit = bundleMemory();
    const [first, second] = [APPLIED, APPLIED.replace(before, after)].map((text) => {
      const topology = { path: 'topology.yaml', text };
      return compile({ topology, keys: undefined, lock: undefined }, { ...WHOLE, emit });
    });
    if (!first?.ok || !second?.ok) throw new Error('the fleet has errors');
    const kept = keptFolders(first.value, second.value);
    const entryPoints = ['_argocd', '_flux'].map((it) => [it, first.value.bundle, second.value.bundle] as const);
    const changed = entryPoints.filter(([it, one, other]) => print(one, it) !== print(other, it));
    expect(changed).not.toEqual([]);
    expect(changed.filter(([it]) => kept.includes(it))).toEqual([]);
  });
});

const print = (bundle: Bundle, folder: string): string => JSON.stringify([...bundle.inFolder(folder)]);

interface Again {
  readonly emit: ReturnType<typeof bundleMemory>;
  readonly lockOf?: typeof nextLock;
  readonly lock?: string | undefined;
  readonly withKeys?: boolean;
}

/** `undefined` for a fleet with errors, which a process that watches reports and forgets. */
function compileAgain(
  spec: TopologySpec,
  { emit, lockOf = nextLock, lock, withKeys = false }: Again,
): Compiled | undefined {
  const topology = topologySource(spec);
  const compiled = compile(
    {
      topology,
      keys: withKeys ? keysOf(topology) : undefined,
      lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
    },
    { ...WHOLE, emit, lockOf },
  );
  return compiled.ok ? compiled.value : undefined;
}
