import { describe, expect, it } from 'vitest';
import type { RelockTarget } from '../../../src/base/core/lock-key.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import type { Decisions } from '../../../src/fleet/lock/lock.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { verifyCompiled } from './verify-golden.ts';

const SPOKES = ['milan', 'rome', 'turin'];

/** A hub with spokes that all have the same pods, so that every link has an order, and views that depend on it. */
const fleet = (spokes: readonly string[], order: readonly string[], more = ''): string => `
version: 1
name: fleet
hub: hub
order: [${order.join(', ')}]
defaults: { podCIDR: 10.244.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  hub: { gateway: 203.0.113.1 }
${spokes.map((it) => `  ${it}: {}`).join('\n')}
${more}`;

function compiledFrom(text: string, lock?: string, relock: readonly RelockTarget[] = []): Compiled {
  const topology = { path: 'topology.yaml', text };
  const read = lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock };
  const result = compile({ topology, keys: undefined, lock: read }, { relock, only: null });
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return result.value;
}

const first = compiledFrom(fleet(SPOKES, ['turin', 'milan']));

const SECOND: readonly (readonly [string, Compiled])[] = [
  ['nothing but the order of newcomers changes', compiledFrom(fleet(SPOKES, ['rome', 'milan']), first.lock)],
  [
    'a cluster has another name',
    compiledFrom(fleet(['turin', 'rome'], ['turin'], '  lucca: { renamedFrom: milan }'), first.lock),
  ],
  ['a cluster is added', compiledFrom(fleet([...SPOKES, 'asti'], ['asti', 'turin']), first.lock)],
  ['a link is decided again', compiledFrom(fleet(SPOKES, []), first.lock, [{ cluster: 'turin', peer: 'hub' }])],
  ['everything is decided again', compiledFrom(fleet(SPOKES, []), first.lock, [{ cluster: 'all', peer: null }])],
];

/** Another value that the decision could have. */
function otherValue(key: string, value: string | number): string | number {
  if (key.endsWith('/join')) return Number(value) + 10;
  if (/\/port\//.test(key)) return value === 32_000 ? 32_001 : 32_000;
  return `10.2.0.0/${String(value).split('/')[1]}`;
}

const withOther = (decisions: Decisions, key: string): Decisions =>
  new Map(
    [...decisions].map(([it, found]) => [it, it === key ? { ...found, value: otherValue(it, found.value) } : found]),
  );

/** `port`, `view of the peer: pod`: every walk over all files is about one of these, so a push draws one of each. */
function kindOf(key: string): string {
  const [first, second, kind = second, cluster, network] = key.split('/');
  return kind === 'view' ? `view of the ${cluster === first ? 'client' : 'peer'}: ${network}` : `${kind}`;
}

const drawnKeys = (keys: readonly string[]): ReadonlySet<string> => new Set(drawn(keys, firstOfEach(kindOf)));

describe.each(SECOND)('after a second compile in which %s, verify', (_, compiled) => {
  it('finds no error', () => {
    expect(verifyCompiled(compiled).map((it) => `${it.code} ${it.message}`)).toEqual([]);
  });

  it('notices every decision that the lock records wrongly, and every one that it lacks', () => {
    const lines = compiled.lock.split('\n').filter((it) => /^ {2}\S+: \S/.test(it));
    expect(lines.length).toBeGreaterThan(20);
    const rows = lines.map((line) => ({ line, key: line.trim().replace(/: .*/, '') }));
    const keys = drawnKeys(rows.map((it) => it.key));
    for (const { line, key } of rows.filter((it) => keys.has(it.key))) {
      const value = line.replace(/^.*: /, '');
      for (const other of [`  ${key}: ${otherValue(key, value)}`, '']) {
        const found = verifyCompiled({ ...compiled, lock: compiled.lock.replace(line, other) });
        expect(found.map((it) => it.message).join('\n'), `${line} -> ${other}`).toContain(key);
      }
    }
  });

  it('notices files and a lock that do not keep a decision of before', () => {
    const keys = drawnKeys([...compiled.inputs.decisions.keys()]);
    for (const [key, { value }] of [...compiled.inputs.decisions].filter(([it]) => keys.has(it))) {
      // A link that left the topology has no files.
      const inputs = { ...compiled.inputs, decisions: withOther(compiled.inputs.decisions, key) };
      expect(verifyCompiled({ ...compiled, inputs }), `${key}: ${value}`).not.toEqual([]);
    }
  });
});
