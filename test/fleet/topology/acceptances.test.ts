import { describe, expect, it } from 'vitest';
import { isOpen } from '../../../src/base/diagnostics/diagnostic.ts';
import { compile } from '../../../src/compile.ts';
import { compileText, ofCode } from '../../support/compile-text.ts';

const fleet = (accept: string, { defaults = '', rome = '' } = {}): string => `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto${defaults} }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10, reserved: [192.168.0.0/24] }
  rome: { podCIDR: 10.202.0.0/16${rome} }
accept:
${accept}
`;

const ROME_RESERVES_NOTHING = '  - { code: topology/nothing-reserved, cluster: rome, reason: no nodes }';
const OLD = '  - { code: topology/release-1.0.0, reason: a test fleet }';
const UNUSED = '  - { code: link/mtu-differs, reason: none }';

const isUnused = (text: string): boolean => ofCode(compileText(text), 'topology/acceptance-unused').length > 0;
const openOf = (text: string) =>
  compileText(text)
    .diagnostics.filter(isOpen)
    .map((it) => it.code);

describe('what a topology accepts', () => {
  it('is marked with the entry, and stays among what is found', () => {
    const [note] = ofCode(compileText(fleet(ROME_RESERVES_NOTHING)), 'topology/nothing-reserved');
    expect(note?.accepted?.map((it) => it.reason)).toEqual(['no nodes']);
    expect(openOf(fleet(ROME_RESERVES_NOTHING))).not.toContain('topology/nothing-reserved');
  });

  it.each([
    ['an error of the topology itself', ', gateway: { mtu: 70000 }'],
    ['an error of a later stage', ', externalCIDR: 10.202.0.0/16'],
  ])('is not shown beside %s, which hides what matches nothing', (_, rome) => {
    const text = fleet(`${OLD}\n${UNUSED}`, { defaults: ', liqo: { version: "1.0.0" }', rome });
    const { ok, diagnostics } = compileText(text);
    expect(ok).toBe(false);
    expect(diagnostics.some((it) => it.code === 'topology/release-1.0.0' && !isOpen(it))).toBe(true);
    expect(openOf(text)).not.toContain('topology/release-1.0.0');
    expect(isUnused(text)).toBe(false);
    expect(isUnused(fleet(UNUSED))).toBe(true);
  });

  it('in `defaults` is about each cluster, and accepted when each of them is', () => {
    const one = '  - { code: topology/release-1.0.0, cluster: rome, reason: a test }';
    const other = one.replace('rome', 'europe');
    const old = { defaults: ', liqo: { version: "1.0.0" }' };
    expect(openOf(fleet(one, old))).toContain('topology/release-1.0.0');
    expect(isUnused(fleet(one, old))).toBe(false);
    expect(openOf(fleet(`${one}\n${other}`, old))).not.toContain('topology/release-1.0.0');
  });

  it('is not said to match nothing where not every rule is asked', () => {
    const sources = { topology: { path: 'topology.yaml', text: fleet(UNUSED) }, keys: undefined, lock: undefined };
    const found = compile(sources, { relock: [], only: [], withoutAssertions: true }).diagnostics;
    expect(found.map((it) => it.code)).not.toContain('topology/acceptance-unused');
  });
});
