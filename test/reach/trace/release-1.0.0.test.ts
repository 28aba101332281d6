import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { expectedFlow } from '../../../src/reach/trace/expected-flow.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import { goldenSources } from '../../support/golden.ts';
import { keysOf } from '../../support/keys-of.ts';

/** europe and milan have one pod network, europe remaps oslo, and rome runs 1.0.1. */
function fleet(assertion = '', release = '1.0.0') {
  const { topology } = goldenSources('warns-release-1.0.0');
  const text = topology.text.replace('"1.0.0"', `"${release}"`) + assertion;
  const source = { ...topology, text };
  return compile({ topology: source, keys: keysOf(source), lock: undefined }, { relock: [], only: [] });
}

const fatesIn = (release: string): Readonly<Record<string, string>> => {
  const outcome = fleet('', release);
  if (!outcome.ok) throw new Error('the fleet does not compile');
  const leaves = ['milan', 'oslo', 'rome'];
  const flows = leaves.flatMap((it) => [
    expectedFlow(outcome.value.model, it, 'europe'),
    expectedFlow(outcome.value.model, 'europe', it),
  ]);
  return Object.fromEntries(flows.map((it) => [`${it.from} to ${it.to}`, it.fate]));
};

describe('the rules of 1.0.0, which match the networks of the cluster itself', () => {
  it('lose answers to a peer that is remapped, unless both use one network', () => {
    expect(fatesIn('1.0.0')).toEqual({
      'milan to europe': 'delivered',
      'europe to milan': 'delivered',
      'oslo to europe': 'no-return',
      'europe to oslo': 'delivered',
      'rome to europe': 'delivered',
      'europe to rome': 'delivered',
    });
  });

  it('are right in 1.0.1', () => {
    expect(new Set(Object.values(fatesIn('1.0.1')))).toEqual(new Set(['delivered']));
  });

  it('are named as the cause, with the upgrade that corrects them', () => {
    const outcome = fleet();
    if (!outcome.ok) throw new Error('the fleet does not compile');
    const { fate } = trace(outcome.value.model, {
      from: { cluster: 'oslo', address: null },
      to: { kind: 'cluster', cluster: 'europe', address: null },
    });
    expect(fate.why).toMatch(/^Liqo 1\.0\.0 has a wrong rule for sources, so "europe" gets the packet from /);
    expect(fate.change).toBe('Upgrade Liqo to 1.0.3 in "europe".');
  });

  it('break an assertion that the two reach each other', () => {
    const assertion = 'assertions: [{ from: oslo, to: europe, expect: reachable }]\n';
    expect(fleet(assertion, '1.0.1').ok).toBe(true);
    const codes = fleet(assertion).diagnostics.map((it) => it.code);
    expect(codes).toContain('assertion/broken');
    const broken = fleet(assertion).diagnostics.find((it) => it.code === 'assertion/broken');
    expect(broken?.hint).toBe('upgrade Liqo in the clusters of this path that run 1.0.0, or correct the assertion');
  });
});
