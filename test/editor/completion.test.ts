import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { expectRecorded } from '../support/recorded.ts';
import { atCursor, CURSOR, editorForTests, INCLUDED_MODELINE, MODELINE } from './editor.ts';
import { type Completion, languageServerMissing } from './language-server.ts';

const HEAD = `${MODELINE}version: 1\nname: europe\n`;
const inCluster = (text: string): string => `${HEAD}clusters:\n  rome:\n${text}`;

/** Places of completion: each level of a topology, as keys and as values. Inside braces it begins with a letter. */
const PLACES: Readonly<Record<string, string>> = {
  root: `${MODELINE}‸`,
  'included-file': `${INCLUDED_MODELINE}version: 1\n‸`,
  'included-file.cluster': `${INCLUDED_MODELINE}version: 1\nclusters:\n  rome:\n    ‸`,
  'a-key-half-typed': `${HEAD}clu‸`,
  hub: `${HEAD}hub: ‸`,
  'hub-list': `${HEAD}hub:\n  - ‸`,
  'hub-half-typed': `${HEAD}hub: mi‸`,
  order: `${HEAD}order:\n  - ‸`,
  clusters: `${HEAD}clusters:\n  ‸`,
  cluster: inCluster('    ‸'),
  'cluster-with-a-network': inCluster('    podCIDR: 10.202.0.0/16\n    ‸'),
  'cluster.podCIDR': inCluster('    podCIDR: ‸'),
  'cluster.podCIDR-list': inCluster('    podCIDR:\n      - ‸'),
  'cluster.externalCIDR': inCluster('    externalCIDR: ‸'),
  'cluster.reserved': inCluster('    reserved:\n      - ‸'),
  'cluster.platform': inCluster('    platform: ‸'),
  'cluster.apiServer': inCluster('    apiServer: ‸'),
  'cluster.monitoring': inCluster('    monitoring:\n      ‸'),
  'cluster.helmValues': inCluster('    helmValues:\n      ‸'),
  'cluster.helmValues.below': inCluster(
    '    helmValues:\n      offloading:\n        reflection:\n          pod:\n            ‸',
  ),
  gateway: inCluster('    gateway: ‸'),
  'gateway-map': inCluster('    gateway:\n      ‸'),
  'gateway.addresses': inCluster('    gateway:\n      addresses:\n        - ‸'),
  'gateway.service': inCluster('    gateway:\n      service: ‸'),
  'gateway.dial': inCluster('    gateway:\n      dial:\n        ‸'),
  'gateway.tolerations': inCluster('    gateway:\n      tolerations:\n        - ‸'),
  defaults: `${HEAD}defaults:\n  ‸`,
  shortcuts: `${HEAD}shortcuts:\n  - ‸`,
  'shortcuts-in-brackets': `${HEAD}shortcuts:\n  - [rome, m‸]`,
  'peerings.between-in-brackets': `${HEAD}peerings:\n  - { between: [rome, m‸] }`,
  'peerings.server': `${HEAD}peerings:\n  - between: [rome, milan]\n    server: ‸`,
  'peerings-with-ends': `${HEAD}peerings:\n  - between: [rome, milan]\n    ‸`,
  'peerings.names': `${HEAD}peerings:\n  - between: [rome, milan]\n    names:\n      ‸`,
  sharing: `${HEAD}sharing:\n  - ‸`,
  'sharing-with-consumer': `${HEAD}sharing:\n  - consumer: rome\n    ‸`,
  'sharing.resources': `${HEAD}sharing:\n  - consumer: rome\n    resources:\n      ‸`,
  offloading: `${HEAD}offloading:\n  - ‸`,
  'offloading.to': `${HEAD}offloading:\n  - to: ‸`,
  assertions: `${HEAD}assertions:\n  - ‸`,
  'assertions.from': `${HEAD}assertions:\n  - from: ‸`,
  'assertions.without': `${HEAD}assertions:\n  - { from: rome, to: milan, without: e‸ }`,
  accept: `${HEAD}accept:\n  - ‸`,
  'accept.code': `${HEAD}accept:\n  - code: ‸`,
  'accept.code-in-braces': `${HEAD}accept:\n  - { code: i‸ }`,
  'cluster-in-braces': `${HEAD}clusters:\n  rome: { po‸ }`,
  'cluster-in-braces-with-a-network': `${HEAD}clusters:\n  rome: { podCIDR: 10.202.0.0/16, ga‸ }`,
  'gateway-in-braces': inCluster('    gateway: { se‸ }'),
  'gateway.service-in-braces': inCluster('    gateway: { service: N‸ }'),
  'peerings-in-braces': `${HEAD}peerings:\n  - { between: [rome, milan], se‸ }`,
  liqo: `${HEAD}liqo:\n  ‸`,
  'liqo.version': `${HEAD}liqo:\n  version: ‸`,
  ipam: `${HEAD}ipam:\n  ‸`,
  gitops: `${HEAD}gitops:\n  ‸`,
  'gitops.argo': `${HEAD}gitops:\n  argo:\n    ‸`,
  keys: `${HEAD}keys:\n  ‸`,
};

/**
 * The text of an editor after a completion: tab stops become their texts, and further lines are indented like the
 * first.
 */
function accepted(text: string, { textEdit: { newText, range } }: Completion): string {
  const lines = text.split('\n');
  const line = lines[range.start.line] ?? '';
  const indent = /^ */.exec(line)?.[0] ?? '';
  const inserted = newText
    // A name of a cluster is completed at a stop without a text.
    .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}|\$\d+/g, (_, stop = 'rome') => stop)
    .replace(/\\([\\$}])/g, '$1')
    .replace(/\n/g, `\n${indent}`);
  lines[range.start.line] = line.slice(0, range.start.character) + inserted + line.slice(range.end.character);
  return lines.join('\n');
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');

const printed = (marked: string, items: readonly Completion[]): string =>
  [
    marked.replace(MODELINE, ''),
    '',
    ...[...items]
      .sort((a, b) => (a.label < b.label ? -1 : 1))
      .map(({ label, textEdit }) => `${label}\n${indented(textEdit.newText)}`),
    '',
  ].join('\n');

describe.skipIf(languageServerMissing)('completion in editors (skipped without test/editor/node_modules)', () => {
  const editor = editorForTests();
  const offered = new Map<string, Promise<readonly Completion[]>>();
  /** The offers at a place, which are asked for once. */
  const complete = (marked: string): Promise<readonly Completion[]> => {
    const { text, position } = atCursor(marked);
    const offer = offered.get(marked) ?? editor().complete(text, position);
    offered.set(marked, offer);
    return offer;
  };

  it('offers at each level what is recorded', async () => {
    const files = new Map<string, string>();
    for (const [place, marked] of Object.entries(PLACES))
      files.set(`${place}.txt`, printed(marked, await complete(marked)));
    expectRecorded(new URL('completion/', import.meta.url), files);
  });

  // The server waits before it looks for mistakes, and these tests wait side by side.
  it.concurrent.each(Object.entries(PLACES))('inserts what the file may have: %s', async (_, marked) => {
    const items = await complete(marked);
    expect(items.length).toBeGreaterThan(0);
    await Promise.all(
      items.map(async (item) => {
        expect(item.textEdit.newText).not.toMatch(/\[\]|\[object Object\]/);
        const after = accepted(marked.replace(CURSOR, ''), item);
        // The language server begins lists and longer maps on a line of their own, also in braces.
        if (marked.includes('{') && item.textEdit.newText.includes('\n')) return;
        expect(() => parse(after), after).not.toThrow();
        // A list or a map that is begun has nothing in it yet; a name of a cluster is completed after its key.
        if (/(:|-)[ \n]*\}?$/.test(after)) return;
        const mistakes = (await editor().mistakesIn(after)).map((it) => it.message);
        expect(
          mistakes.filter((it) => !it.startsWith('Missing property')),
          after,
        ).toEqual([]);
      }),
    );
  });

  it.each([
    ['podCIDR', '    podCIDR: 10.202.0.0/16'],
    ['gateway', '    gateway: 203.0.113.10'],
    ['reserved', '    reserved:\n      - '],
    ['externalCIDR', '    externalCIDR: auto'],
  ])('writes an example of %s, ready to be typed over', async (key, written) => {
    const item = (await complete(inCluster('    ‸'))).find((it) => it.label === key);
    expect(item && accepted(inCluster('    '), item)).toBe(inCluster(written));
  });
});
