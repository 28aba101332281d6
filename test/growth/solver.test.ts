import { expect, it } from 'vitest';
import { benchFleet, wideFleet } from '../bench/fleet.ts';
import { fasterThanInput } from './faster-than-input.ts';

const NO_OPTIONS = { relock: [], only: null };

const source = (text: string) => ({ path: 'topology.yaml', text });

/** The work of validate, view and trace: everything up to the model, without a printed bundle. */
async function compileJob(sourcesOf: (size: number) => { readonly topology: string; readonly keys?: string }) {
  const { compile } = await import('../../src/compile.ts');
  return (size: number) => {
    const { topology, keys } = sourcesOf(size);
    return () => {
      const compiled = compile(
        { topology: source(topology), keys: keys === undefined ? undefined : source(keys), lock: undefined },
        NO_OPTIONS,
      );
      expect(compiled.ok, compiled.diagnostics[0]?.message).toBe(true);
    };
  };
}

/** A hub that all others are spokes of, with a node port for each. */
const hubWithPorts = (spokes: number, gateway = '203.0.113.10'): string =>
  wideFleet(spokes).replace('hub: { podCIDR', `hub: { gateway: ${gateway}, podCIDR`);

/** Clusters without links, which all reserve the same networks. */
const reserving = (clusters: number): string => {
  const reserved = Array.from({ length: 40 }, (_, i) => `192.168.${i}.0/24`).join(', ');
  const rows = Array.from({ length: clusters }, (_, i) => `  c-${i}: { podCIDR: 10.${i >> 8}.${i & 255}.0/24 }`);
  return `version: 1
name: reserving
defaults: { serviceCIDR: 172.16.0.0/16, externalCIDR: 172.17.0.0/16, reserved: [${reserved}] }
clusters:
${rows.join('\n')}
`;
};

/** One cluster that reserves that many networks. */
const reservingMany = (networks: number): string => {
  const reserved = Array.from({ length: networks }, (_, i) => `    - 192.168.${i >> 3}.${(i & 7) << 5}/27`);
  return `version: 1
name: reserving
clusters:
  rome:
    podCIDR: 10.0.0.0/16
    serviceCIDR: 10.96.0.0/12
    reserved:
${reserved.join('\n')}
`;
};

it('decides a fleet of hubs in work that grows with its links', async () => {
  expect(await fasterThanInput(404, () => compileJob(benchFleet))).toEqual([]);
});

it('decides a hub with many spokes in work that grows with them', async () => {
  expect(await fasterThanInput(200, () => compileJob((size) => ({ topology: hubWithPorts(size) })))).toEqual([]);
});

it('reports a range without enough ports in work that grows with the links', async () => {
  const faster = await fasterThanInput(1500, async () => {
    const { compile } = await import('../../src/compile.ts');
    return (size) => {
      const topology = source(hubWithPorts(size, "{ addresses: [203.0.113.10], nodePorts: '30000-30999' }"));
      return () => expect(compile({ topology, keys: undefined, lock: undefined }, NO_OPTIONS).ok).toBe(false);
    };
  });
  expect(faster).toEqual([]);
});

it('compares reserved networks in work that grows with them', async () => {
  expect(await fasterThanInput(120, () => compileJob((size) => ({ topology: reserving(size) })))).toEqual([]);
  expect(await fasterThanInput(120, () => compileJob((size) => ({ topology: reservingMany(size) })))).toEqual([]);
});

it('keeps the decisions of a lock in work that grows with them', async () => {
  const faster = await fasterThanInput(404, async () => {
    const { compile } = await import('../../src/compile.ts');
    return (size) => {
      const topology = source(benchFleet(size).topology);
      const first = compile({ topology, keys: undefined, lock: undefined }, NO_OPTIONS);
      const lock = { path: 'topology.lock.yaml', text: first.ok ? first.value.lock : '' };
      return () => {
        const again = compile({ topology, keys: undefined, lock }, NO_OPTIONS);
        expect(again.ok && again.value.lock).toBe(lock.text);
      };
    };
  });
  expect(faster).toEqual([]);
});
