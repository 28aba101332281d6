import { describe, expect, it } from 'vitest';
import { workspace } from '../../host/cli/memory-host.ts';
import { dumpOf, type Item, objectIn, recordedFleet, setAt } from '../drift/recorded-fleet.ts';

const FLEET = 'lends-and-offloads/1.2';
const RULES = 'spec/table/chains/0/rules/natRules';

/** A way to run weft beside the dumps of the recorded fleet. */
function fleet(after?: string, edit: (items: Item[]) => Item[] | undefined = () => undefined) {
  const { files, dumps } = recordedFleet(FLEET, after);
  const texts = Object.entries(dumps).map(([cluster, items]) => [
    `dumps/${cluster}.json`,
    dumpOf((cluster === 'core' ? edit(items) : undefined) ?? items),
  ]);
  const { weftWith } = workspace({ ...files, ...Object.fromEntries(texts) });
  return async (...argv: readonly string[]): Promise<string> => (await weftWith({}, ...argv)).stdout;
}

describe('trace --live', () => {
  it('delivers where the rules are those that follow from the views', async () => {
    const weft = fleet();
    expect(await weft('trace', 'core', 'edge2', '--live', 'dumps')).toContain(': delivered');
    expect(await weft('trace', 'edge2', 'core', '--live', 'dumps')).toContain(': delivered');
  });

  it('walks the rules of a gateway that somebody edited', async () => {
    const weft = fleet('firewall-edited');
    const there = await weft('trace', 'core', 'edge2', '--live', 'dumps');
    expect(there).not.toContain(': delivered');
    expect(there).toContain('no route');
    expect(there).toContain('The gateway of "core" has other rules for "edge2" than those that follow from the views.');
    expect(there).toMatch(/makes 10\.43\.\d+\.\d+ into 10\.123\.\d+\.\d+, which is in no network of "edge2"/);
    expect(there).toContain('Touch the Configuration of "edge2" in "core"');
    const back = await weft('trace', 'edge2', 'core', '--live', 'dumps');
    expect(back).toContain('no way back');
    expect(back).toMatch(/"core" gets the packet from 10\.123\.\d+\.\d+/);
  });

  it('walks stale rules of nodes: the network of the nodes then replaces the source', async () => {
    // Liqo left these rules in another state of this fleet.
    const stale = objectIn(
      recordedFleet(FLEET, 'keys-swapped').dumps['core'] ?? [],
      'FirewallConfiguration',
      'edge2-masquerade-bypass',
    );
    const weft = fleet(undefined, (items) =>
      items.map((it) => (it.kind === stale.kind && it.metadata.name === stale.metadata.name ? stale : it)),
    );
    const there = await weft('trace', 'core', 'edge2', '--live', 'dumps');
    expect(there).not.toContain(': delivered');
    expect(there).toContain('Each node of "core" has other rules for "edge2"');
    const all = await weft('trace', '--all', '--live', 'dumps', '-o', 'json');
    expect(JSON.parse(all)).toMatchObject({
      pairs: expect.arrayContaining([
        expect.objectContaining({ from: 'core', to: 'edge2', fate: expect.not.stringMatching('delivered') }),
        expect.objectContaining({ from: 'core', to: 'edge1', fate: 'delivered' }),
      ]),
    });
  });

  it.each([
    ['a rule is gone', (it: Item) => setAt(it, RULES, []), /: no route\n/],
    [
      'its target is one address',
      (it: Item) => setAt(it, `${RULES}/0/to`, '10.202.0.7'),
      /edge2\/10\.202\.0\.7: delivered/,
    ],
    [
      'it has an unknown condition',
      (it: Item) => setAt(it, `${RULES}/0/match/1`, { op: 'eq', proto: {} }),
      /: no route\n/,
    ],
  ])('uses what is there when %s', async (_, change, fate) => {
    const weft = fleet(undefined, (items) => {
      change(objectIn(items, 'FirewallConfiguration', 'edge2-remap-podcidr'));
      return undefined;
    });
    expect(await weft('trace', 'core', 'edge2', '--live', 'dumps')).toMatch(fate);
  });

  it('has no rules where a FirewallConfiguration is missing, and the right ones where none was read', async () => {
    const isRules = ({ kind, metadata: { name } }: Item, of: string) =>
      kind === 'FirewallConfiguration' && name.startsWith(of);
    const missing = fleet(undefined, (items) => items.filter((it) => !isRules(it, 'edge2-')));
    expect(await missing('trace', 'core', 'edge2', '--live', 'dumps')).not.toContain(': delivered');
    const unread = fleet(undefined, (items) => items.filter((it) => !isRules(it, '')));
    expect(await unread('trace', 'core', 'edge2', '--live', 'dumps')).toContain(': delivered, direct');
  });
});
