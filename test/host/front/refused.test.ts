import { describe, expect, it } from 'vitest';
import type { Refusal, RefusalKind } from '../../../src/host/app/refusal.ts';
import { describeRefusal } from '../../../src/host/front/refused.ts';

/** One of each kind: a kind without a row does not compile. */
const REFUSALS: { readonly [Kind in RefusalKind]: Refusal<Kind> } = {
  'no-folder': { kind: 'no-folder', folder: 'fleets' },
  'no-topologies': { kind: 'no-topologies', file: 'topology.yaml', folder: 'topologies', here: ['fleet.yml'] },
  'no-topology-in-folder': {
    kind: 'no-topology-in-folder',
    folder: 'fleets',
    entries: ['README.md'],
    other: 'topology.yaml',
  },
  'several-topologies': {
    kind: 'several-topologies',
    folder: 'fleets',
    topologies: ['fleets/a.yaml', 'fleets/b.yaml'],
    preferred: 'topology.yaml',
  },
  'not-a-topology': { kind: 'not-a-topology', path: 'a.lock.yaml', what: 'lock', topology: 'a.yaml' },
  'topology-without-ending': { kind: 'topology-without-ending', path: 'topologies/europe' },
  'no-file': { kind: 'no-file', path: 'b.yaml', suggestion: 'a.yaml' },
  'file-is-folder': { kind: 'file-is-folder', path: 'a.yaml' },
  'file-unreadable': { kind: 'file-unreadable', path: 'a.yaml', reason: 'in use', advice: 'wait' },
  'no-base': { kind: 'no-base', path: 'out/addresses.json' },
  'no-base-folder': { kind: 'no-base-folder', folder: 'base' },
  'no-base-commit': { kind: 'no-base-commit' },
  'not-the-pull-request': { kind: 'not-the-pull-request', checkout: 'a'.repeat(40), head: 'b'.repeat(40) },
  'base-in-pull-request': { kind: 'base-in-pull-request', ref: 'HEAD^1' },
  'path-outside-folder': { kind: 'path-outside-folder', path: '../out', folder: '/fleet' },
  'path-outside-checkout': { kind: 'path-outside-checkout', path: '../out', root: '/fleet' },
  'no-bundles': { kind: 'no-bundles', out: 'out' },
  'bundles-not-a-folder': { kind: 'bundles-not-a-folder', out: 'out' },
  'unknown-cluster': { kind: 'unknown-cluster', name: 'paris', known: ['europe', 'rome'] },
  'unknown-label': { kind: 'unknown-label', label: 'site', known: ['env', 'region'] },
  'not-linked': { kind: 'not-linked', cluster: 'rome', peer: 'milan' },
  'nothing-open': { kind: 'nothing-open', cluster: 'rome', peer: 'paris' },
  'cluster-not-live': { kind: 'cluster-not-live', name: 'paris', known: ['rome', 'milan'] },
  'unknown-part': { kind: 'unknown-part', problem: 'no part is called "rme"', advice: 'did you mean "rome"?' },
  'no-service': { kind: 'no-service', problem: 'no cluster offloads a namespace "demo"', advice: 'add it' },
  'same-fleet-name': { kind: 'same-fleet-name', fleet: 'europe', topologies: ['a.yaml', 'b.yaml'] },
  'out-of-another-fleet': {
    kind: 'out-of-another-fleet',
    out: 'out',
    fleet: 'asia',
    other: 'europe',
    topology: 'a.yaml',
  },
  'out-has-several-fleets': { kind: 'out-has-several-fleets', out: 'out', fleets: ['asia', 'europe'] },
  'bundles-above-fleets': { kind: 'bundles-above-fleets', out: 'out', fleets: ['europe'] },
  'out-has-other-files': { kind: 'out-has-other-files', out: 'src', names: ['app', 'main.ts'] },
  'out-is-repository': { kind: 'out-is-repository', out: 'manifests' },
  'not-a-lock': { kind: 'not-a-lock', path: 'a.yaml', what: 'topology' },
  'no-place-for-plan': { kind: 'no-place-for-plan', path: 'a.yaml', reason: 'it contains something else' },
  'no-stages': { kind: 'no-stages', folder: 'steps' },
  'not-a-stage': { kind: 'not-a-stage', topology: 'topologies/topology.yaml', folder: 'steps' },
  'no-place-for-steps': { kind: 'no-place-for-steps', path: 'steps', reason: 'it exists' },
  'no-place-for-diff': { kind: 'no-place-for-diff', path: 'diff/weft-diff.md', reason: 'it contains something else' },
  'lock-of-another-topology': {
    kind: 'lock-of-another-topology',
    path: 'b.lock.yaml',
    topology: 'a.yaml',
    owner: 'b.yaml',
  },
  'entry-points-elsewhere': { kind: 'entry-points-elsewhere', topology: 'a.yaml', folder: 'build', named: 'out' },
  'same-entry-point': {
    kind: 'same-entry-point',
    object: 'the AppProject "shared" in argocd',
    key: 'gitops.argo.project',
    topologies: ['a.yaml', 'b.yaml'],
  },
  'lock-would-change': { kind: 'lock-would-change', lock: 'a.lock.yaml', before: undefined, after: '' },
  'fleet-would-be-empty': { kind: 'fleet-would-be-empty', topology: 'a.yaml', out: 'out', files: 1 },
  'clusters-would-be-empty': { kind: 'clusters-would-be-empty', clusters: ['rome', 'milan'], out: 'out' },
  'tree-blocked': {
    kind: 'tree-blocked',
    problems: [
      { path: 'out/a', message: 'is in the way', hint: 'move it' },
      { path: 'out/b', message: 'is a link', hint: 'delete it' },
    ],
  },
  'tree-busy': { kind: 'tree-busy', out: 'out', holder: 'process 7' },
  'nothing-reflected': { kind: 'nothing-reflected', hub: 'europe', receiver: 'paris' },
  'no-link-to-try': { kind: 'no-link-to-try', clusters: ['rome'], keyless: false },
  'secrets-on-terminal': { kind: 'secrets-on-terminal', folder: 'topologies' },
  'secrets-not-read': { kind: 'secrets-not-read' },
  'secrets-in-repository': { kind: 'secrets-in-repository', place: 'secrets', repository: '/repo' },
  'secrets-lost': { kind: 'secrets-lost' },
  'keys-busy': { kind: 'keys-busy', keys: 'a.keys.yaml', holder: 'process 7 on host "rome"' },
  'keys-lost': { kind: 'keys-lost', gateways: [{ cluster: 'rome', peer: 'milan' }], keys: 'a.keys.yaml' },
  'keys-moved': { kind: 'keys-moved', gateways: [{ cluster: 'rome', peer: 'milan' }], keys: 'a.keys.yaml' },
  'keys-in-use': {
    kind: 'keys-in-use',
    gateways: [{ cluster: 'rome', peer: 'milan' }],
    keys: 'a.keys.yaml',
    out: 'out',
  },
  'keys-not-recorded': {
    kind: 'keys-not-recorded',
    gateways: [{ cluster: 'rome', peer: 'milan' }],
    keys: 'a.keys.yaml',
  },
  'keys-not-prepared': { kind: 'keys-not-prepared', gateways: [{ cluster: 'rome', peer: 'milan' }] },
  'no-base-topology': { kind: 'no-base-topology' },
  'keys-made-by-liqo': { kind: 'keys-made-by-liqo', keys: 'a.keys.yaml' },
  'keys-unknown': {
    kind: 'keys-unknown',
    gateways: [{ cluster: 'rome', peer: 'milan' }],
    consumers: ['rome'],
    providers: ['milan'],
    keys: 'a.keys.yaml',
  },
  'authentication-lost': { kind: 'authentication-lost', consumers: ['rome'], keys: 'a.keys.yaml' },
  'authentication-in-use': { kind: 'authentication-in-use', consumers: ['rome'], keys: 'a.keys.yaml', out: 'out' },
  'identities-busy': { kind: 'identities-busy', identities: 'a.identities.yaml', holder: 'process 7' },
  'view-not-known': { kind: 'view-not-known', cluster: 'rome', peer: 'milan', cidr: '10.1.0.0/16', was: '10.2.0.0/16' },
  'no-live-cluster': { kind: 'no-live-cluster', command: 'drift' },
  'cluster-not-read': {
    kind: 'cluster-not-read',
    cluster: 'rome',
    context: 'admin@rome',
    resource: 'namespaces',
    failure: { kind: 'unreachable', message: 'no such host' },
  },
  'secrets-exist': { kind: 'secrets-exist', path: 'keys/rome.yaml' },
  'files-exist': { kind: 'files-exist', paths: ['a.yaml', 'b.yaml'], command: 'init' },
  'not-a-schema-of-weft': { kind: 'not-a-schema-of-weft', path: 'schemas/topology.schema.json' },
  'several-codes': { kind: 'several-codes', name: 'lock', codes: ['lock/unreadable', 'verify/lock'] },
  'several-keys': { kind: 'several-keys', name: 'mtu', keys: ['gateway.mtu', 'peerings.mtu'] },
  'unknown-code': { kind: 'unknown-code', code: 'a/b', suggestion: 'a/c' },
  'bundles-blocked': {
    kind: 'bundles-blocked',
    problems: [{ path: 'out/a', message: 'is a link', hint: 'delete it' }],
  },
  'no-repository': { kind: 'no-repository' },
  'no-token': { kind: 'no-token' },
  'no-pull-request': { kind: 'no-pull-request' },
  'branch-is-base': { kind: 'branch-is-base', branch: 'main' },
  'branch-of-other-base': { kind: 'branch-of-other-base', branch: 'weft/a', base: 'dev', pull: 3, into: 'main' },
  'branch-of-other-topology': { kind: 'branch-of-other-topology', branch: 'weft/a', fleet: 'a', source: 'b.yaml' },
  'links-in-the-way': { kind: 'links-in-the-way', base: 'main', paths: ['out'] },
  'collected-not-committed': { kind: 'collected-not-committed', file: 'a.identities.yaml' },
  'lock-is-stale': { kind: 'lock-is-stale', lock: 'a.lock.yaml' },
  'cluster-would-lose-peers': { kind: 'cluster-would-lose-peers', cluster: 'rome' },
  'too-much-would-be-removed': {
    kind: 'too-much-would-be-removed',
    removals: [{ what: 'clusters', gone: [['rome'], ['milan']], of: 3 }],
    undone: 'written',
  },
};

describe('a refusal in words', () => {
  it.each(Object.values(REFUSALS))('names what $kind is about, in the style of messages', (refusal) => {
    const { message, hint } = describeRefusal(refusal);
    expect(message).toMatch(/^[^A-Z]/);
    expect(message).not.toMatch(/[.!]$|undefined|\[object/);
    expect(hint ?? '').not.toMatch(/undefined|\[object/);
    for (const value of Object.values(refusal)) {
      if (value === refusal.kind || value === '' || typeof value !== 'string') continue;
      expect(`${message}\n${hint}`).toContain(value);
    }
  });

  it('lists all that is in the way, with the advice of the first', () => {
    expect(describeRefusal(REFUSALS['tree-blocked'])).toEqual({
      message: 'out/a: is in the way\nout/b: is a link\nnothing is written',
      hint: 'move it',
    });
  });

  it('suggests the name that was meant, or says which there are', () => {
    const hintFor = (name: string, known: readonly string[]) =>
      describeRefusal({ kind: 'unknown-cluster', name, known }).hint;
    expect(hintFor('rmoe', ['europe', 'rome'])).toBe('did you mean "rome"?');
    expect(hintFor('paris', ['europe', 'rome'])).toBe('choose one of europe, rome');
    const many = Array.from({ length: 11 }, (_, i) => `cluster${i}`);
    expect(hintFor('paris', many)).toBe(`choose one of ${many.slice(0, 10).join(', ')}, ...`);
  });

  it('says in which way a lab has nothing to try', () => {
    expect(describeRefusal({ kind: 'no-link-to-try', clusters: [], keyless: false })).toEqual({
      message: 'there is nothing to build: the topology has no link',
      hint: undefined,
    });
    expect(describeRefusal({ kind: 'no-link-to-try', clusters: ['rome'], keyless: true })).toEqual({
      message: 'there is nothing to build: no link of rome has the public keys of both its gateways',
      hint: 'run "weft keys generate", or "weft keys collect" where Liqo makes the keys: a link without keys carries nothing',
    });
  });
});
