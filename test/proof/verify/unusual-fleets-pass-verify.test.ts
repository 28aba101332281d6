import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { verifyCompiled } from './verify-golden.ts';

const GOLDEN = new URL('../../golden/sharing-of-a-hub-with-its-spokes/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, GOLDEN), 'utf8');

function problemsOf(topology: string, keys = read('topology.keys.yaml')): readonly string[] {
  const sourceOf = (path: string, text: string) => ({ path, text });
  const sources = {
    topology: sourceOf('topology.yaml', topology),
    keys: sourceOf('topology.keys.yaml', keys),
    identities: sourceOf('topology.identities.yaml', read('topology.identities.yaml')),
    lock: undefined,
  };
  const result = compile(sources, { relock: [], only: null });
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return verifyCompiled(result.value).map((it) => `${it.code} ${it.span.source.path}: ${it.message}`);
}

describe('whatever compiles, verifies', () => {
  it('an answer for a consumer whose key git does not have', () => {
    const keys = read('topology.keys.yaml').replace(/^authentication:\n(?:[ ].*\n)*/m, '');
    expect(keys).not.toContain('nonce');
    expect(problemsOf(read('topology.yaml'), keys)).toEqual([]);
  });

  it.each([
    'helmValues: { offloading: { reflection: { ingress: {}, skip: { labels: [], annotations: [] } } } }',
    'helmValues: { discovery: { config: { clusterLabels: {} } }, storage: {} }',
    'helmValues: { virtualKubelet: { extra: { labels: {}, annotations: {}, args: [] } } }',
    'helmValues: {}',
    'reflection: { service: {}, skipLabels: [], skipAnnotations: [] }',
    'lending: {}',
  ])('an empty map: %s', (setting) => {
    const topology = read('topology.yaml').replace('defaults: { ', `defaults: { ${setting}, `);
    expect(topology).toContain(setting);
    expect(problemsOf(topology)).toEqual([]);
  });
});
