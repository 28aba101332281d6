import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { law } from '../../laws/law.ts';
import { compileText, ofCode } from '../../support/compile-text.ts';

interface Labelled {
  readonly region: string;
  readonly isLeaf: boolean;
}

const HEAD = `version: 1
name: world
hub: hub
ipam: { pools: [10.0.0.0/8], carve: { from: 10.128.0.0/9, prefix: 24 } }
defaults: { serviceCIDR: 192.168.0.0/16, podCIDR: 172.16.0.0/16, externalCIDR: auto, gateway: 203.0.113.10 }
clusters:
  hub: {}
`;

const clustersOf = (them: readonly Labelled[]): string =>
  them
    .map(
      ({ region, isLeaf }, i) =>
        `  c${i}: { labels: { region: ${region} }, gateway: 203.0.113.${i + 20}${isLeaf ? '' : ', hub: []'} }\n`,
    )
    .join('');

/** Every pair of these clusters in one order, as entries. */
const listed = (them: readonly Labelled[], isWanted: (a: Labelled, b: Labelled) => boolean): string =>
  them.flatMap((a, i) => them.flatMap((b, j) => (i < j && isWanted(a, b) ? `  - [c${j}, c${i}]\n` : []))).join('');

const bytesOf = (text: string) => {
  const sources = { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined };
  const compiled = compile(sources, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('; '));
  return { lock: compiled.value.lock, out: [...compiled.value.bundle] };
};

const fleet = fc.array(fc.record({ region: fc.constantFrom('eu', 'us', 'asia'), isLeaf: fc.boolean() }), {
  maxLength: 7,
});

describe('links by labels', () => {
  law(
    'are the links that a person would list',
    40,
    fc.property(fleet, (them) => {
      const text = HEAD + clustersOf(them);
      const pairs = listed(them, (a, b) => a.region === 'eu' && b.region === 'eu');
      const across = listed(them, (a, b) => [a.region, b.region].sort().join() === 'asia,us');
      const entries = '  - between: { region: eu }\n  - between: [{ region: us }, { region: asia }]\n';
      expect(bytesOf(`${text}peerings:\n${entries}`)).toEqual(bytesOf(`${text}peerings: ${orNone(pairs + across)}`));
    }),
  );

  law(
    'are shortcuts between spokes of one hub',
    40,
    fc.property(fleet, (them) => {
      const text = HEAD + clustersOf(them);
      const pairs = listed(them, (a, b) => a.region === 'eu' && b.region === 'eu' && a.isLeaf && b.isLeaf);
      expect(bytesOf(`${text}shortcuts:\n  - between: { region: eu }\n`)).toEqual(
        bytesOf(`${text}shortcuts: ${orNone(pairs)}`),
      );
    }),
  );
});

const orNone = (entries: string): string => (entries === '' ? '[]\n' : `\n${entries}`);

describe('labels that select too much', () => {
  const many = (count: number): string =>
    HEAD + clustersOf(Array.from({ length: count }, () => ({ region: 'eu', isLeaf: true })));

  it('are an error with the number of pairs', () => {
    const [found] = ofCode(
      compileText(`${many(100)}shortcuts:\n  - between: { region: eu }\n`),
      'topology/too-many-links',
    );
    expect(found?.message).toMatch(/^the labels select 4950 pairs of clusters;/);
    expect(found?.span.source.text.slice(found.span.start, found.span.end)).toBe('{ region: eu }');
  });

  it('may be in many entries, up to a number for all of them', () => {
    const entries = '  - between: { region: eu }\n'.repeat(60);
    const found = ofCode(compileText(`${many(45)}shortcuts:\n${entries}`), 'topology/too-many-links');
    expect(found).toHaveLength(10);
  });
});
