import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { placeAt } from '../../../src/base/source/source.ts';
import { compile } from '../../../src/compile.ts';
import { checkTopology } from '../../../src/fleet/topology/check-topology.ts';
import { parseTopology } from '../../../src/fleet/topology/parse-topology.ts';
import { verifyBundle } from '../../../src/proof/verify/verify-bundle.ts';
import { keysOf } from '../../support/keys-of.ts';

const FLEET = `
version: 1
name: europe
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  hub: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1 }
  rome: { podCIDR: 10.2.0.0/16, gateway: 203.0.113.2, labels: { zone: south } }
  milan: { podCIDR: 10.3.0.0/16, labels: { zone: south } }
  turin: { podCIDR: 10.5.0.0/16 }
  island: { podCIDR: 10.4.0.0/16, hub: [], gateway: 203.0.113.4 }
  gone: { podCIDR: 10.6.0.0/16, retired: true }
shortcuts: [[rome, milan]]
peerings: [[island, turin]]
`;

type HasKey = (cluster: string, peer: string) => boolean;

const sourcesOf = (text: string, hasKey: HasKey) => {
  const keys = keysOf({ path: 'topology.yaml', text: FLEET }, hasKey);
  return { topology: { path: 'topology.yaml', text }, keys, lock: undefined };
};

const ENDS = ['hub', 'rome', 'turin', 'island', 'gone', '{ zone: south }'];
const ASSERTIONS = ENDS.flatMap((from) =>
  ENDS.filter((to) => to !== from).flatMap((to) =>
    ['reachable', 'unreachable'].flatMap((expected) =>
      ['', ', via: hub', ', via: shortcut'].map((via) => `{ from: ${from}, to: ${to}, expect: ${expected}${via} }`),
    ),
  ),
);
const PARTS = ['any-link', 'any-gateway', 'any-cluster', 'hub', 'milan/rome', 'hub/203.0.113.1'];

/** One per line, so that each is reported separately. */
const asserted = (assertions: readonly string[], fleet = FLEET): string =>
  `${fleet}assertions:\n${assertions.map((it) => `  - ${it}\n`).join('')}`;

const brokenLines = (found: readonly Diagnostic[]): readonly number[] =>
  found
    .filter((it) => it.code === 'assertion/broken')
    .map((it) => placeAt(it.span.source, it.span.start).line)
    .sort((a, b) => a - b);

describe('verify', () => {
  it.each<[string, HasKey]>([
    ['the links alone', () => true],
    ['the links that have keys', (cluster, peer) => `${cluster}/${peer}` !== 'hub/turin'],
    ['a link of two, of which one end has a key', (cluster, peer) => `${cluster}/${peer}` !== 'milan/rome'],
  ])('decides every assertion as the compiler does, from %s', (_, hasKey) => {
    const broken = decided(hasKey, ASSERTIONS);
    expect(broken.length).toBeGreaterThan(50);
    expect(broken.length).toBeLessThan(ASSERTIONS.length);
    // Those about parts are looked at when all others hold.
    const before = FLEET.split('\n').length;
    const holding = ASSERTIONS.filter((it, i) => it.includes('unreachable') || !broken.includes(before + 1 + i));
    const withoutAPart = holding.flatMap((it) => PARTS.map((part) => `${it.slice(0, -2)}, without: ${part} }`));
    const brokenThen = decided(hasKey, withoutAPart);
    expect(brokenThen.length).toBeGreaterThan(20);
    expect(brokenThen.length).toBeLessThan(withoutAPart.length);
  });

  it.each([
    'hub: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1, boundary: open }',
    'hub: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1, liqo: { version: "1.0" } }',
  ])('decides assertions about closed links, namespaces and ports as the compiler does: %s', (hub) => {
    const fleet = FLEET.replace('auto, reserved', 'auto, boundary: closed, reserved').replace(/hub: \{.*\}/, hub);
    const flows = [
      '',
      ', port: 80',
      ', port: 81',
      ', port: 5432',
      ', protocol: UDP',
      ', port: 53, protocol: UDP',
    ].flatMap((port) =>
      [
        '',
        ', toNamespace: shop',
        ', toNamespace: other',
        ', fromNamespace: web',
        ', fromNamespace: web, toNamespace: shop',
      ].map((namespaces) => `${port}${namespaces}`),
    );
    const expected = [
      'reachable',
      'unreachable',
      'unreachable, by: fence',
      'unreachable, by: policy',
      'unreachable, by: no-path',
    ];
    const ends = ['hub', 'rome', 'milan', 'island'];
    const assertions = ends.flatMap((from) =>
      ends
        .filter((to) => to !== from)
        .flatMap((to) =>
          flows.flatMap((flow) => expected.map((it) => `{ from: ${from}, to: ${to}, expect: ${it}${flow} }`)),
        ),
    );
    const broken = decided(() => true, assertions, `${fleet}${OPENED}`);
    expect(broken.length).toBeGreaterThan(200);
    expect(broken.length).toBeLessThan(assertions.length - 200);
  });
});

const OPENED = `boundaries:
  - { from: rome, to: milan, toNamespace: shop, ports: 5432 }
  - { from: {}, fromNamespace: web, to: milan, toCIDR: 10.3.7.0/24, ports: [80, 5000-6000] }
  - { from: milan, to: rome, toNamespace: other, ports: 80 }
  - { from: milan, fromCIDR: 10.3.7.0/24, to: rome, toNamespace: shop, protocol: UDP, ports: 50-60 }
  - { from: hub, masqueraded: true, to: milan, toNamespace: other, ports: [80, 81] }
  - { from: hub, to: rome, toNamespace: shop, toPods: { app: db }, protocol: TCP }
`;

/** The lines of broken assertions, on which the compiler and the proof agree. */
function decided(hasKey: HasKey, assertions: readonly string[], fleet = FLEET): readonly number[] {
  const text = asserted(assertions, fleet);
  const plain = compile(sourcesOf(fleet, hasKey), { relock: [], only: null });
  const parsed = parseTopology(sourcesOf(text, hasKey).topology, []);
  const checked = parsed.ok ? checkTopology(parsed.value) : parsed;
  if (!plain.ok || !checked.ok) throw new Error('the fleet does not compile');
  const { bundle, inputs } = plain.value;
  const sources = { ...inputs, declaration: checked.value };
  const found = verifyBundle({ files: bundle, root: 'out', sources, compiled: bundle });
  const broken = brokenLines(compile(sourcesOf(text, hasKey), { relock: [], only: [] }).diagnostics);
  expect(brokenLines(found)).toEqual(broken);
  expect(found).toHaveLength(broken.length);
  return broken;
}
