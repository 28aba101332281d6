import { describe, expect, it } from 'vitest';
import { benchFleet } from '../bench/fleet.ts';
import { countWork, type Work } from './count-work.ts';
import { fasterThanInput } from './faster-than-input.ts';

async function loadVerify() {
  const { compile } = await import('../../src/compile.ts');
  const { verifyBundle } = await import('../../src/proof/verify/verify-bundle.ts');
  return (links: number) => {
    const { topology, keys } = benchFleet(links);
    const sources = {
      topology: { path: 'topology.yaml', text: topology },
      keys: keys === undefined ? undefined : { path: 'keys.yaml', text: keys },
      lock: undefined,
    };
    const compiled = compile(sources, { relock: [], only: null });
    if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
    // Printing is work of another kind, so it is done before.
    const files = new Map(compiled.value.bundle);
    const request = { files, root: 'out', sources: compiled.value.inputs, compiled: files };
    return { files, verify: () => expect(verifyBundle(request)).toEqual([]) };
  };
}

describe('verify', () => {
  it('costs no more than its fleet is larger', async () => {
    const load = async () => {
      const fleetOf = await loadVerify();
      return (links: number) => fleetOf(links).verify;
    };
    // Three hubs and twelve: from two to eight, the links of hubs whose order is tried grow more than all links do.
    expect(await fasterThanInput(303, load)).toEqual([]);
  });

  // Once for what others are compared with, once for the checks of its cluster, and rules also for those of the peer.
  it.each([
    ['YAML', '.yaml', 'base/source/read-quick-yaml.ts readQuickYaml'],
    ['rules', '.nft', 'proof/verify/parse-nft.ts parseNft'],
  ])('parses a file of %s at most three times', async (_, ending, parser) => {
    await countWork(async (count) => {
      const { files, verify } = (await loadVerify())(101);
      verify();
      const parsed = timesOf(parser, await count(verify));
      const there = [...files.keys()].filter((it) => it.endsWith(ending)).length;
      expect(parsed).toBeGreaterThanOrEqual(there);
      expect(parsed).toBeLessThanOrEqual(3 * there);
    });
  });
});

/** The number of runs of a function: its first count, since the others are of blocks inside. */
const timesOf = (name: string, work: Work): number => [...work].find(([it]) => it.startsWith(`${name} at `))?.[1] ?? 0;
