import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import type { Outcome } from '../../../src/base/diagnostics/outcome.ts';
import { type Compiled, compile } from '../../../src/compile.ts';

/** The keys that `helmValues` replace. */
const FORMER = ['lending', 'virtualKubelet', 'reflection'];

const TOPOLOGY = readFileSync(
  new URL('../../golden/warns-former-keys-of-the-chart/topology.yaml', import.meta.url),
  'utf8',
);

const compiled = (text: string): Outcome<Compiled> =>
  compile({ topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined }, { relock: [], only: null });

const reported = ({ diagnostics }: Outcome<Compiled>): readonly Diagnostic[] =>
  diagnostics.filter((it) => it.code === 'topology/replaced-key');

/** The YAML in the hint of each warning, in source order. */
const advised = (result: Outcome<Compiled>): readonly string[] =>
  reported(result).map(({ hint }) => /^write instead: `(.*)`$/.exec(hint ?? '')?.[1] ?? '');

/** A map without the former keys, with the text of a hint. */
function followed(map: Readonly<Record<string, unknown>>, text: string | undefined): Readonly<Record<string, unknown>> {
  const kept = Object.entries(map).filter(([key]) => !FORMER.includes(key));
  return { ...Object.fromEntries(kept), ...(text === undefined ? {} : (parse(text) as object)) };
}

describe('a former key of the chart', () => {
  it('is compiled into the same bytes as what its hint writes', () => {
    const before = compiled(TOPOLOGY);
    const [ofDefaults, ofRome, ofMilan] = advised(before);
    const { defaults, clusters, ...rest } = parse(TOPOLOGY);
    const after = compiled(
      stringify({
        ...rest,
        defaults: followed(defaults, ofDefaults),
        clusters: { rome: followed(clusters.rome, ofRome), milan: followed(clusters.milan, ofMilan) },
      }),
    );
    expect(reported(before)).toHaveLength(3);
    expect(reported(after)).toEqual([]);
    const bytes = (it: Outcome<Compiled>) => (it.ok ? [...it.value.bundle] : it.diagnostics.map((one) => one.message));
    expect(bytes(after)).toEqual(bytes(before));
    expect(bytes(before).length).toBeGreaterThan(10);
  });

  it.each([
    ['lending: { nodeLabels: { a: "1", b: "true", c: "0x10", d: "1e3", e: null-ish, f: "2000m" } }', 'clusterLabels'],
    ['virtualKubelet: { args: [--verbose, "-v=3, 4", "a: b", "{x}"] }', 'args'],
    ['lending: { defaultResources: { cpu: 2, nvidia.com/gpu: "1" } }', 'defaultNodeResources'],
  ])('keeps the types of its values in the hint: %s', (keys, name) => {
    const text = (rome: string): string =>
      `version: 1\nname: europe\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12, ${rome} }\n`;
    const before = compiled(text(keys));
    const [hint = ''] = advised(before);
    const after = compiled(text(hint));
    const values = (it: Outcome<Compiled>) => it.ok && it.value.bundle.get('rome/helm-values.yaml');
    expect(values(after)).toBe(values(before));
    expect(values(after)).toContain(`${name}:`);
  });

  it('that is moved into helmValues as it is leads to its place in the chart', () => {
    const { diagnostics } = compiled(
      'version: 1\nname: europe\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12, helmValues: { reflection: { pod: { workers: 1 } }, image: { name: a } } }\n',
    );
    expect(diagnostics.map((it) => it.hint)).toEqual([
      'write it as `helmValues.offloading.reflection`',
      expect.stringMatching(/^use one of the known keys: tag, /),
    ]);
  });

  it('is named with the others of its cluster, in their order', () => {
    const { diagnostics } = compiled(
      'version: 1\nname: europe\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12, reflection: { ips: false }, lending: { storageClass: fast }, virtualKubelet: { replicas: 2 } }\n',
    );
    const [found] = diagnostics.filter((it) => it.code === 'topology/replaced-key');
    expect(found?.message).toBe(
      'the next release of weft will not read `reflection`, `lending` and `virtualKubelet` of "rome"',
    );
  });

  it('is removed where it sets nothing', () => {
    const { diagnostics } = compiled(
      'version: 1\nname: europe\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12, lending: {} }\n',
    );
    const [found] = diagnostics.filter((it) => it.code === 'topology/replaced-key');
    expect(found?.hint).toBe('remove it');
  });

  it('is an unknown key only, where no value below it was one', () => {
    const rome = 'podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12, lending: { cpu: 4 }, helmValues: { tls: true }';
    const { diagnostics } = compiled(`version: 1\nname: europe\nclusters:\n  rome: { ${rome} }\n`);
    const codes = diagnostics.map((it) => it.code);
    expect(codes).toContain('topology/unknown-key');
    expect(codes).not.toContain('topology/replaced-key');
  });
});
