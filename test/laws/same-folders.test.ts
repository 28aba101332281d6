import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compiled, compile } from '../../src/compile.ts';
import type { Bundle } from '../../src/emit/bundle.ts';
import { filesByPath } from '../../src/emit/bundle.ts';
import { bundleMemory } from '../../src/emit/bundle-memory.ts';
import { emitCluster } from '../../src/emit/emit-cluster.ts';
import type { AddressedCluster } from '../../src/ipam/addressed-model.ts';
import type { SharedModel } from '../../src/sharing/shared-model.ts';
import { nearby } from '../emit/nearby.ts';
import { compileGolden, goldenNames, goldenSources } from '../support/golden.ts';
import { keysOf } from '../support/keys-of.ts';
import { ADDITIONS, applyEdit, arbitraryEdit, arbitraryFleet, CHANGES, REMOVALS } from './arbitrary-topology.ts';
import { compiledWithKeys } from './compile-spec.ts';
import { law } from './law.ts';
import { type TopologySpec, topologySource } from './topology-spec.ts';

const WHOLE = { relock: [], only: null } as const;

const folderOf = (name: string, model: SharedModel) =>
  filesByPath(emitCluster(model.clusters.get(name) as AddressedCluster, model));

function expectOnlyNeighboursAreRead(model: SharedModel): void {
  for (const name of model.clusters.keys()) expect(folderOf(name, nearby(name, model))).toEqual(folderOf(name, model));
}

/** The clusters whose folders have the version that they had, each with the same files. */
function keptFolders(before: Bundle, after: Bundle): readonly string[] {
  const kept = after.folders.filter((it) => {
    const version = after.versionOf(it);
    return version !== undefined && version === before.versionOf(it);
  });
  for (const it of kept) expect(after.inFolder(it)).toEqual(before.inFolder(it));
  return kept;
}

describe('a folder is printed from its cluster and its neighbours, and from no place in a text', () => {
  const compiled = goldenNames().map((it) => [it, compileGolden(it)] as const);
  it.each(compiled.flatMap(([name, it]) => (it.ok ? [[name, it.value.model] as const] : [])))('%s', (_, model) =>
    expectOnlyNeighboursAreRead(model),
  );

  law(
    'in random fleets',
    150,
    fc.property(arbitraryFleet(), ({ spec }) => expectOnlyNeighboursAreRead(compiledWithKeys(spec).model)),
  );
});

describe('a version that a folder keeps', () => {
  it.each(goldenNames())('is that of all folders when only places move: %s', (name) => {
    const emit = bundleMemory();
    const sources = goldenSources(name);
    const [before, after] = [sources.topology.text, `# A line more.\n${sources.topology.text}`].map((text) =>
      compile({ ...sources, topology: { ...sources.topology, text } }, { ...WHOLE, emit }),
    );
    if (!before?.ok || !after?.ok) return;
    const kept = keptFolders(before.value.bundle, after.value.bundle);
    expect(kept).toEqual([...after.value.model.clusters.keys()]);
  });

  const edits = fc.array(arbitraryEdit([...ADDITIONS, ...REMOVALS, ...CHANGES]), { minLength: 1, maxLength: 5 });

  law(
    'means the same files, whatever is edited',
    300,
    fc.property(arbitraryFleet(), edits, fc.integer({ min: 0, max: 7 }), (first, changes, missing) => {
      const emit = bundleMemory();
      let last: Compiled | undefined;
      let fleet = first;
      for (const [i, edit] of [undefined, ...changes].entries()) {
        if (edit !== undefined) fleet = applyEdit(fleet, edit);
        const next = compileAgain(fleet.spec, { emit, lock: last?.lock, withKeys: i !== missing });
        if (last !== undefined && next !== undefined) keptFolders(last.bundle, next.bundle);
        last = next ?? last;
      }
    }),
  );

  it('is lost by a cluster that was edited, and by those with a link to it', () => {
    const emit = bundleMemory();
    const spec: TopologySpec = {
      version: 1,
      name: 'fleet',
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
    expect(keptFolders(before.bundle, after.bundle)).toEqual(['c', 'd']);
  });
});

interface Again {
  readonly emit: ReturnType<typeof bundleMemory>;
  readonly lock?: string | undefined;
  readonly withKeys?: boolean;
}

/** `undefined` for a fleet with errors, which a process that watches reports and forgets. */
function compileAgain(spec: TopologySpec, { emit, lock, withKeys = false }: Again): Compiled | undefined {
  const topology = topologySource(spec);
  const compiled = compile(
    {
      topology,
      keys: withKeys ? keysOf(topology) : undefined,
      lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
    },
    { ...WHOLE, emit },
  );
  return compiled.ok ? compiled.value : undefined;
}
