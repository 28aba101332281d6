import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compile.ts';
import { pickedDecisions } from '../../src/plan/picked-decisions.ts';

const TOPOLOGY = `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16 }
  milan: { podCIDR: 10.200.0.0/16 }
`;
const OSLO = '  oslo: { podCIDR: 10.200.0.0/16 }\n';

const lockOf = (text: string, lock: string | null, relock: readonly string[] = []): string => {
  const sources = {
    topology: { path: 'topology.yaml', text },
    keys: undefined,
    lock: lock === null ? undefined : { path: 'topology.lock.yaml', text: lock },
  };
  const again = relock.map((cluster) => ({ cluster, peer: null }));
  const result = compile(sources, { relock: again, only: [], allowReplacements: true });
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
  return result.value.lock;
};

const picked = (text: string, lock: string, base: string | null) =>
  pickedDecisions(lock, base, (start) => lockOf(text, start));

const BASE = lockOf(TOPOLOGY, null);
const WITH_OSLO = lockOf(TOPOLOGY + OSLO, BASE);

describe('decisions that no compile would make', () => {
  it.each([
    ['a new cluster', TOPOLOGY + OSLO, WITH_OSLO, BASE],
    ['a first lock', TOPOLOGY, BASE, null],
    ['no change', TOPOLOGY, BASE, BASE],
    [
      'a renamed cluster',
      TOPOLOGY.replace('  milan: {', '  turin: { renamedFrom: milan,'),
      lockOf(TOPOLOGY.replace('  milan: {', '  turin: { renamedFrom: milan,'), WITH_OSLO),
      WITH_OSLO,
    ],
    ['a cluster that leaves', TOPOLOGY, lockOf(TOPOLOGY, WITH_OSLO), WITH_OSLO],
    ['what --relock makes again', TOPOLOGY, lockOf(TOPOLOGY, BASE, ['milan']), BASE],
  ])('are not in the lock of %s', (_, text, lock, base) => expect(picked(text, lock, base)).toEqual([]));

  it.each([
    ['view', /(oslo\/europe\/view\/europe\/pod\/10\.200\.0\.0\/16: )(\S+)/, '10.99.0.0/16'],
    ['port', /(oslo\/europe\/port\/europe: )(\S+)/, '30500'],
    ['block', /(oslo\/external: )(\S+)/, '10.77.0.0/20'],
  ])('are named with what a compile would choose: a %s of a new cluster', (_what, line, value) => {
    const chosen = line.exec(WITH_OSLO)?.[2];
    expect(chosen).toBeDefined();
    const found = picked(
      TOPOLOGY + OSLO,
      WITH_OSLO.replace(line, (_, key) => `${key}${value}`),
      BASE,
    );
    expect(found).toContainEqual(expect.objectContaining({ from: chosen, to: value }));
    expect(found.every((it) => it.cluster === 'oslo' || it.towards === 'oslo')).toBe(true);
  });

  it('are those of an edit that the base does not have', () => {
    const line = /(milan\/europe\/view\/europe\/pod\/10\.200\.0\.0\/16: )(\S+)/;
    const [, , before] = line.exec(BASE) ?? [];
    const found = picked(
      TOPOLOGY,
      BASE.replace(line, (_, key) => `${key}10.98.0.0/16`),
      BASE,
    );
    expect(found).toMatchObject([{ cluster: 'europe', towards: 'milan', from: before, to: '10.98.0.0/16' }]);
  });
});
