import { describe, expect, it } from 'vitest';
import { expectRecorded } from '../support/recorded.ts';
import { editorForTests, INCLUDED_MODELINE, MODELINE } from './editor.ts';
import { languageServerMissing, type Mistake } from './language-server.ts';

const HEAD = 'version: 1\nname: europe\n';
const inCluster = (text: string): string => `${HEAD}clusters:\n  rome:\n    ${text}\n`;

const MISTAKES: Readonly<Record<string, string>> = {
  'a network without its length': inCluster('podCIDR: 10.202.0.0'),
  'a length above 32': inCluster('podCIDR: 10.1.0.0/61'),
  'a number above 255': inCluster('podCIDR: 10.300.0.0/16'),
  'a network with bits behind its length': inCluster('externalCIDR: 10.202.3.0/16'),
  'a misspelt code': `${HEAD}clusters: {}\naccept:\n  - { code: ipam/block-tigth, reason: two pods }\n`,
  'the code of an error': `${HEAD}clusters: {}\naccept:\n  - { code: topology/bad-cidr, reason: two pods }\n`,
  'a misspelt key': inCluster('podCDIR: 10.202.0.0/16'),
  'a list where a map is meant': `${HEAD}clusters:\n  - rome\n`,
  'a text where a map is meant': inCluster('monitoring: yes'),
  'a number where a text is meant': 'version: 1\nname: 5\nclusters: {}\n',
  'a release without quotes': `${HEAD}liqo:\n  version: 1.1\nclusters: {}\n`,
  'a release that does not exist': `${HEAD}liqo:\n  version: "2.0"\nclusters: {}\n`,
  'a port out of range': inCluster('gateway: { dial: { address: 198.51.100.7, port: 99999 } }'),
  'a range of ports that is none': inCluster('gateway: { ports: 1-2-3 }'),
  'a Service type that does not exist': inCluster('gateway: { service: Nodeport }'),
  'an address with a protocol': inCluster('gateway: http://rome.example.com'),
  'a cluster name in capitals': `${HEAD}clusters:\n  Rome: {}\n`,
  'a link with one end': `${HEAD}clusters: {}\nshortcuts:\n  - rome\n`,
  'a tab': `${HEAD}clusters:\n\trome: {}\n`,
  'a key that is there twice': `${HEAD}clusters:\n  rome: {}\n  rome: {}\n`,
  'no clusters': HEAD,
};

/** `3:5 message`: line and column from 1, without the modeline. */
const printed = (text: string, mistakes: readonly Mistake[]): string =>
  [text, ...mistakes.map(({ range: { start }, message }) => `${start.line}:${start.character + 1} ${message}\n`)].join(
    '',
  );

describe.skipIf(languageServerMissing)('mistakes in editors (skipped without test/editor/node_modules)', () => {
  const editor = editorForTests();

  it('are marked in words, as recorded', async () => {
    const texts = await Promise.all(
      Object.entries(MISTAKES).map(async ([name, text]) => {
        const mistakes = await editor().mistakesIn(MODELINE + text);
        expect(mistakes.length, name).toBeGreaterThan(0);
        for (const { message } of mistakes) expect(message).not.toMatch(/pattern|\[0-9\]|\(.*Spec\)/);
        return `--- ${name}\n${printed(text, mistakes)}`;
      }),
    );
    expectRecorded(new URL('mistakes/', import.meta.url), new Map([['marked.txt', texts.join('\n')]]));
  });

  it('are found in an included file by its own part of the schema', async () => {
    const file = (text: string): string => `${INCLUDED_MODELINE}version: 1\n${text}`;
    expect(await editor().mistakesIn(file('clusters:\n  rome: { podCIDR: 10.202.0.0/16 }\n'))).toEqual([]);
    const [mistake] = await editor().mistakesIn(file('hub: rome\n'));
    expect(mistake?.message).toBe('Property hub is not allowed.');
  });

  it('are not found in a topology without any', async () => {
    const text = `${HEAD}hub: rome\nclusters:\n  rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.10 }\n  milan:\n`;
    expect(await editor().mistakesIn(MODELINE + text)).toEqual([]);
  });
});
