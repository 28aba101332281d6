import { describe, expect, it } from 'vitest';
import { CODES, type Code } from '../../../src/base/diagnostics/codes.ts';
import { FLEET, keyOf, pullRequest, type Repository } from './pull-request.ts';

const TOPOLOGY = 'topologies/topology.yaml';
const LOCK = 'topologies/topology.lock.yaml';
const KEYS_FILE = 'topologies/topology.keys.yaml';
const ROME = 'out/rome/peers/europe/europe.yaml';
const ADDED = 'out/rome/admin.yaml';
const OBJECT = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: mine\n';

type Act = (it: Repository) => unknown;

/** A hint of the check of a pull request, and the acts of a person who follows it; a commit follows. */
type Row = readonly [code: Code, says: string, edit: Act, follow: Act];

const compile: Act = (it) => it.compile();
const restored =
  (path: string): Act =>
  (it) =>
    it.git('checkout', '--quiet', 'main', '--', path);
const both =
  (...acts: readonly Act[]): Act =>
  async (it) => {
    for (const act of acts) await act(it);
  };
const removed =
  (path: string): Act =>
  (it) =>
    it.remove(path);

const RESTORE = 'restore the lock of the base and run "weft compile"';
const addKey: Act = (it) => it.write(KEYS_FILE, `${it.read(KEYS_FILE)}  paris: { europe: ${keyOf(66)} }\n`);
const editPort: Act = (it) => it.edit(LOCK, /(rome\/europe\/port\/europe: ).*/, '$130333');
const ignoreLock: Act = (it) => it.write('.gitignore', 'topologies/*.lock.yaml\n');

const ROWS: readonly Row[] = [
  [
    'provenance/edited',
    'run "weft compile" and commit the result; to change the network, edit topologies/topology.yaml',
    (it) => it.edit(ROME, '203.0.113.10', '198.51.100.66'),
    compile,
  ],
  ['provenance/added', 'remove it, or move it out of out/', (it) => it.write(ADDED, OBJECT), removed(ADDED)],
  [
    'provenance/added',
    'move it out of out/',
    (it) => it.write(ADDED, OBJECT),
    (it) => it.git('mv', ADDED, 'admin.yaml'),
  ],
  ['provenance/removed', 'run "weft compile" to write it again', removed(ROME), compile],
  [
    'provenance/not-a-plain-file',
    'remove it, run "weft compile" and commit the result',
    (it) => it.link(ROME, '../../../../elsewhere.yaml'),
    both(removed(ROME), compile),
  ],
  [
    'provenance/not-a-plain-file',
    'put the files themselves at this path',
    both(
      (it) => it.write('lock.yaml', it.read(LOCK)),
      (it) => it.link(LOCK, '../lock.yaml'),
    ),
    both(removed(LOCK), (it) => it.git('mv', 'lock.yaml', LOCK)),
  ],
  ['provenance/lock-line', RESTORE, (it) => it.write(LOCK, `${it.read(LOCK)}# mine\n`), both(restored(LOCK), compile)],
  ['provenance/lock-decides', RESTORE, editPort, both(restored(LOCK), compile)],
  ['provenance/lock-decides', RESTORE, both(editPort, compile), both(restored(LOCK), compile)],
  ['provenance/key-without-effect', 'remove it', addKey, restored(KEYS_FILE)],
  [
    'provenance/key-without-effect',
    'or add the link to the topology',
    both(addKey, (it) =>
      it.edit(TOPOLOGY, 'shortcuts:', '  paris: { podCIDR: 10.210.0.0/16, hub: milan }\nshortcuts:'),
    ),
    (it) => it.edit(TOPOLOGY, 'hub: milan', 'hub: europe'),
  ],
  ['provenance/acts-on-files', 'remove the line', ignoreLock, removed('.gitignore')],
  [
    'provenance/acts-on-files',
    'remove it for these files',
    (it) => it.write('.gitattributes', 'topologies/** -diff\n'),
    (it) => it.write('.gitattributes', 'docs/** -diff\n'),
  ],
  [
    'provenance/half-compiled',
    'run "weft compile" and commit the result',
    both(
      (it) => it.edit(TOPOLOGY, /shortcuts:\n.*\n/, ''),
      compile,
      (it) => it.git('checkout', '--quiet', 'HEAD', '--', 'out/rome/kustomization.yaml'),
    ),
    compile,
  ],
  [
    'provenance/pending',
    'merge the pull request with the manifests first',
    both(
      (it) => it.git('checkout', '--quiet', 'main'),
      (it) => it.write(TOPOLOGY, FLEET.replace('203.0.113.30', '203.0.113.31')),
      (it) => it.commit('an edit without its manifests'),
      (it) => it.git('checkout', '--quiet', '-B', 'edit'),
      (it) => it.write('README.md', 'A fleet.\n'),
    ),
    both(
      (it) => it.git('checkout', '--quiet', 'main'),
      compile,
      (it) => it.commit('its manifests'),
      (it) => it.git('checkout', '--quiet', 'edit'),
      (it) => it.git('rebase', '--quiet', 'main'),
    ),
  ],
];

/** Keys of consumers and answers of providers: a person asks the other side. */
const BY_HAND: readonly Code[] = [
  'provenance/answer-without-effect',
  'provenance/other-key',
  'provenance/other-server',
];

describe('a hint about a pull request that is followed', () => {
  it('exists for every code', () => {
    const codes = (Object.keys(CODES) as readonly Code[]).filter((it) => it.startsWith('provenance/'));
    const followed = new Set(ROWS.map(([code]) => code));
    expect(codes.filter((it) => !followed.has(it)).sort()).toEqual([...BY_HAND].sort());
  });

  it.each(ROWS)('resolves %s: %s', async (code, says, edit, follow) => {
    const repository = await pullRequest();
    const options = { 'allow-destroy': true };
    await edit(repository);
    repository.commit('the edit');
    const before = await repository.check({ options });
    const told = before.stdout + before.stderr;
    expect(told).toContain(code);
    expect(told).toContain(says);
    await follow(repository);
    repository.commit('the hint');
    const after = await repository.check({ options });
    expect([after.code, after.stdout + after.stderr]).toEqual([0, expect.not.stringContaining('provenance/')]);
  });
});
