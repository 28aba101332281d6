import { expect, it } from 'vitest';
import { keysOf } from '../support/keys-of.ts';
import { fasterThanInput } from './faster-than-input.ts';

/** Every hub has so many leaves, so that a fleet has as many pairs that talk as clusters, but for a factor. */
const LEAVES = 9;

interface Addresses {
  /** The key of the first hub's gateway. */
  readonly hub?: string;
  /** The pod CIDR of its first leaf. */
  readonly leaf?: string;
  /** The service CIDR of all clusters. */
  readonly services?: string;
}

function topologyOf(
  size: number,
  { hub = '203.0.113.1', leaf = '10.128.1.0/24', services = '10.96.0.0/12' }: Addresses,
): string {
  const hubs = Array.from({ length: Math.max(1, Math.round(size / (LEAVES + 1))) }, (_, i) => i);
  const leaves = hubs.flatMap((i) => Array.from({ length: LEAVES }, (_, j) => [i, j + 1] as const));
  const hubLine = (i: number): string =>
    `  hub-${i}: { podCIDR: ${podCIDR(i, 0)}, gateway: ${i === 0 ? hub : `203.0.114.${i}`} }\n`;
  const leafLine = (i: number, j: number): string =>
    `  leaf-${i}-${j}: { podCIDR: ${i === 0 && j === 1 ? leaf : podCIDR(i, j)}, hub: [hub-${i}] }\n`;
  return `version: 1
name: fleet
defaults: { serviceCIDR: ${services}, externalCIDR: auto }
clusters:
${hubs.map(hubLine).join('')}${leaves.map(([i, j]) => leafLine(i, j)).join('')}`;
}

const podCIDR = (hub: number, leaf: number): string => `10.${128 + (hub >> 4)}.${((hub & 15) << 4) + leaf}.0/24`;

const lockSource = (text: string | undefined) =>
  text === undefined ? undefined : { path: 'topology.lock.yaml', text };

it.each<readonly [string, Addresses]>([
  ['without any change', {}],
  ['with other pods in one leaf', { leaf: '10.250.1.0/24' }],
  ['with another gateway of one hub', { hub: '203.0.113.2' }],
  ['with other services in every cluster', { services: '10.112.0.0/12' }],
])('a plan %s costs no more than its fleet is larger', async (_, after) => {
  // The texts of all folders are kept of forty clusters, and of more only those of the last ones.
  const faster = await fasterThanInput(80, async () => {
    const { compile } = await import('../../src/compile.ts');
    const { planChanges } = await import('../../src/plan/plan-changes.ts');
    const { blastRadius } = await import('../../src/plan/blast-radius.ts');
    const { readPlanState } = await import('../../src/plan/plan-state.ts');
    const { topologyFacts } = await import('../../src/plan/plan-state.ts');
    const compiledOf = (size: number, addresses: Addresses, lock?: string) => {
      const topology = { path: 'topology.yaml', text: topologyOf(size, addresses) };
      const compiled = compile(
        { topology, keys: keysOf(topology), lock: lockSource(lock) },
        { relock: [], only: null },
      );
      if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
      // Printing is work of another kind, so it is done before.
      return { ...compiled.value, files: new Map(compiled.value.bundle) };
    };
    const stateOf = ({ files, lock, model }: ReturnType<typeof compiledOf>) =>
      readPlanState({ files, lock, known: topologyFacts(model) });
    return (size) => {
      const was = compiledOf(size, {});
      const is = compiledOf(size, after, was.lock);
      return () => {
        const [before, now] = [stateOf(was), stateOf(is)];
        if (before === undefined || now === undefined) throw new Error('there is no plan');
        const plan = planChanges(before, now);
        if (plan.changes.length > 0 !== Object.keys(after).length > 0) throw new Error('this is another plan');
        blastRadius(plan);
      };
    };
  });
  expect(faster).toEqual([]);
});
