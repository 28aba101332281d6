import { expect, it } from 'vitest';
import { fasterThanInput } from './faster-than-input.ts';

/** So many clusters, each with one peer per cluster of its group, and a large file of the whole fleet. */
const GROUP = 8;

function filesOf(size: number, network: string): ReadonlyMap<string, string> {
  const object = (cluster: string, peer: string): string =>
    `apiVersion: v1\nkind: Configuration\nmetadata:\n  name: ${peer}\n  namespace: liqo-tenant-${peer}\nspec:\n  of: ${cluster}\n  cidr: ${network}\n  mtu: 1340\n`;
  const files: [string, string][] = [];
  const rows: string[] = [];
  for (let i = 0; i < size; i++) {
    const peers = Array.from({ length: GROUP }, (_, j) => `c${(i - (i % GROUP) + j) % size}`).filter(
      (it) => it !== `c${i}`,
    );
    for (const peer of peers) {
      files.push([`c${i}/peers/${peer}/${peer}.yaml`, object(`c${i}`, peer)]);
      rows.push(`  {"cluster":"c${i}","peer":"${peer}","seenAs":"${network}"},`);
    }
    files.push([`c${i}/expected/configurations.yaml`, peers.map((it) => object(`c${i}`, it)).join('---\n')]);
  }
  return new Map([['addresses.json', `${rows.join('\n')}\n`], ...files]);
}

it.each([
  ['in which every object changes', '10.201.0.0/16'],
  ['in which nothing changes but one file', '10.200.0.0/16'],
])('a diff %s costs no more than its fleet is larger', async (_, network) => {
  const faster = await fasterThanInput(40, async () => {
    const { inFolders } = await import('../../src/base/core/folder-files.ts');
    const { diffFleet } = await import('../../src/plan/diff/diff-fleet.ts');
    const { countLines, sameLines } = await import('../../src/answers/report/diff/hunks-of.ts');
    const { HTML_DIFF } = await import('../../src/answers/report/diff/html-diff.ts');
    const { printDiff } = await import('../../src/answers/report/diff/print-diff.ts');
    return (size) => {
      const before = filesOf(size, '10.200.0.0/16');
      const after = new Map(filesOf(size, network));
      after.set('c0/helm-values.yaml', 'a: 1\n');
      const changes = [...after].flatMap(([path, text]) => {
        const was = before.get(path);
        return was === text ? [] : [{ path, change: was === undefined ? ('add' as const) : ('change' as const) }];
      });
      const lock = { path: 'lock', before: null, after: null };
      const request = { before: inFolders(before), after: inFolders(after), changes, renames: [], lock };
      return () => {
        const diff = diffFleet(request);
        // No limit, so that everything is printed in both.
        const printer = printDiff('fleet', diff.size, { ...HTML_DIFF, limitBytes: 1e9, mostRows: 1e9 });
        const earlierOf = sameLines();
        let number = 0;
        for (const it of diff.clusters()) printer.add(it, countLines(it), earlierOf(it, ++number));
        if (!printer.finish().includes('c0/helm-values.yaml')) throw new Error('this is another diff');
      };
    };
  });
  expect(faster).toEqual([]);
});
