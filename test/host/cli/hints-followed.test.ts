import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import * as tenants from '../../live/identities/tenants.ts';
import { sliceOf } from '../../reach/translate/fixtures.ts';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

/*
 * Hints about files other than the topology, which `test/hints.test.ts` does not follow: each is followed as a person
 * does it, and what was reported is gone.
 */

const PATH = 'topologies/topology.yaml';
const KEYS = 'topologies/topology.keys.yaml';
const FILES = withKeysFiles({ [PATH]: TOPOLOGY });
const LIVE = dumpsOf(FILES);
const ROME = LIVE['dumps/rome.json'] ?? '';
const MILAN = LIVE['dumps/milan.json'] ?? '';

const itemsOf = (dump: string): readonly object[] => (JSON.parse(dump) as { items: readonly object[] }).items;
const list = (...items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

/** A dump with the object that names its cluster. */
const namedDump = (cluster: string, dump: string): string =>
  list(...itemsOf(dump), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'liqo-clusterid-configmap', namespace: 'liqo' },
    data: { CLUSTER_ID: cluster },
  });

interface Followed {
  readonly code: Code;
  /** Words of the hint. */
  readonly says: string;
  /** The files before, beside the fleet. */
  readonly files?: Readonly<Record<string, string>>;
  readonly run: readonly string[];
  readonly stdin?: string;
  /** The files that the person writes. */
  readonly written?: Readonly<Record<string, string>>;
  /** The command afterwards, if it is another one. */
  readonly next?: readonly string[];
  readonly nextStdin?: string;
}

const TRANSLATE = ['translate', '--in', 'europe', '--for', 'rome'];

const DUMPS: readonly Followed[] = [
  {
    code: 'live/another-cluster',
    says: 'or write milan=FILE',
    files: { 'a.json': namedDump('milan', MILAN) },
    run: ['drift', '--live', 'rome=a.json'],
    next: ['drift', '--live', 'milan=a.json'],
  },
  {
    code: 'live/another-cluster',
    says: 'a file or folder of its own',
    files: { 'a.json': list(...itemsOf(namedDump('rome', ROME)), ...itemsOf(namedDump('milan', MILAN))) },
    run: ['drift', '--live', 'a.json'],
    written: { 'rome.json': namedDump('rome', ROME), 'milan.json': namedDump('milan', MILAN) },
    next: ['drift', '--live', 'rome.json', '--live', 'milan.json'],
  },
  {
    code: 'live/whose-dump',
    says: 'write CLUSTER=FILE, with one of',
    files: { 'a.json': ROME },
    run: ['drift', '--live', 'a.json'],
    next: ['drift', '--live', 'rome=a.json'],
  },
  {
    code: 'live/empty',
    says: 'run it again',
    files: { 'rome.json': '' },
    run: ['drift', '--live', 'rome.json'],
    written: { 'rome.json': ROME },
  },
  {
    code: 'live/empty',
    says: 'name the folder with the dumps',
    files: { 'notes/a.txt': '', 'dumps/rome.json': ROME },
    run: ['drift', '--live', 'notes'],
    next: ['drift', '--live', 'dumps'],
  },
  {
    code: 'live/unreadable',
    says: 'again',
    files: { 'rome.json': ROME.slice(0, -20) },
    run: ['drift', '--live', 'rome.json'],
    written: { 'rome.json': ROME },
  },
  {
    code: 'translate/empty',
    says: 'kubectl get endpointslices',
    run: TRANSLATE,
    stdin: '',
    nextStdin: sliceOf('web', ['10.202.0.9']),
  },
  {
    code: 'translate/not-a-slice',
    says: 'kubectl get endpointslices',
    run: TRANSLATE,
    stdin: 'kind: Service\napiVersion: v1\nmetadata: { name: web }\n',
    nextStdin: sliceOf('web', ['10.202.0.9']),
  },
  {
    code: 'translate/not-an-address',
    says: 'remove the prefix length',
    run: TRANSLATE,
    stdin: sliceOf('web', ['10.202.0.9/32']),
    nextStdin: sliceOf('web', ['10.202.0.9']),
  },
];

/** Live clusters of a fleet that differs from git, and the file that the hint changes. */
const liveAs = (code: Code, says: string, changed: Readonly<Record<string, string>>): Followed => ({
  code,
  says,
  files: dumpsOf({ ...FILES, ...changed }),
  run: ['drift', '--live', 'dumps/'],
  written: changed,
});

const DRIFT: readonly Followed[] = [
  liveAs('drift/key', 'record it in the keys file', {
    [KEYS]: (FILES[KEYS] ?? '').replace(/\S{43}=/, Buffer.alloc(32, 7).toString('base64')),
  }),
  liveAs('drift/mtu', 'set it in the topology', {
    [PATH]: TOPOLOGY.replace('[rome, milan]', '{ between: [rome, milan], mtu: 1300 }'),
  }),
  liveAs('drift/port', 'change the topology', {
    [PATH]: TOPOLOGY.replace('[rome, milan]', '{ between: [rome, milan], nodePort: 31999 }'),
  }),
];

const SIGNED = tenants.dump(tenants.tenant());
const LOANS = { [PATH]: tenants.TOPOLOGY, [KEYS]: tenants.KEYS };
const COLLECT = ['identities', 'collect', 'milan=milan.json'];

const IDENTITIES: readonly Followed[] = [
  {
    code: 'identities/not-signed',
    says: 'see the events of the Tenant',
    files: { ...LOANS, 'milan.json': tenants.dump(tenants.tenant({ unsigned: true })) },
    run: COLLECT,
    written: { 'milan.json': SIGNED },
  },
  {
    code: 'identities/not-signed',
    says: 'wait until the Tenant has a status, and collect again',
    files: { ...LOANS, 'milan.json': tenants.dump() },
    run: COLLECT,
    written: { 'milan.json': SIGNED },
  },
  {
    code: 'identities/other-api-server',
    says: 'correct its `apiServer`',
    files: {
      ...LOANS,
      [PATH]: tenants.TOPOLOGY.replace('10.202.0.0/16 }', '10.202.0.0/16, apiServer: "https://milan.test:6443" }'),
      'milan.json': SIGNED,
    },
    run: COLLECT,
    written: LOANS,
  },
  {
    code: 'identities/secret',
    says: 'set `auth: credentials` for this pair',
    files: {
      ...LOANS,
      'milan.json': tenants.dump(
        tenants.tenant({ params: { awsConfig: { awsAccessKeyID: 'AKIAXXXXXXXXXXXXXXXX', awsSecretAccessKey: 'x' } } }),
      ),
    },
    run: COLLECT,
    written: { [PATH]: tenants.TOPOLOGY.replace('provider: milan,', 'provider: milan, auth: credentials,') },
    next: ['validate'],
  },
];

const WITHOUT_CLUSTERS = TOPOLOGY.replace(/ {2}(rome|milan):.*\n/g, '').replace(/shortcuts:\n.*\n/, '');

const PLANS: readonly Followed[] = [
  {
    code: 'plan/removes-too-much',
    says: 'pass --allow-destroy if this is intended',
    run: ['plan'],
    written: { [PATH]: WITHOUT_CLUSTERS },
    next: ['plan', '--allow-destroy'],
  },
];

const EDITED: readonly (readonly [path: string, edit: (text: string) => string])[] = [
  ['out/addresses.json', (it) => it.replace('10.202.0.0', '10.203.0.0')],
  ['out/rome/peers/europe/europe.yaml', (it) => it.replace('10.200.0.0', '10.210.0.0')],
  ['out/rome/nftables/milan.nft', (it) => it.replace(/dnat/g, 'snat')],
  ['out/rome/expected/networks.yaml', (it) => it.replace('10.202.0.0', '10.203.0.0')],
  ['out/rome/kustomization.yaml', (it) => it.replace(/ {2}- peers\/milan\n/, '')],
  ['out/rome/helm-values.yaml', (it) => it.replace('clusterID: rome', 'clusterID: roma')],
];

describe('a hint about files that is followed', () => {
  it.each([...DUMPS, ...DRIFT, ...IDENTITIES].map((it) => [it.code, it.says, it] as const))(
    'resolves %s: %s',
    async (code, says, it) => {
      const { weftWith, write } = workspace({ ...FILES, ...it.files });
      const answer = async (stdin: string | undefined, argv: readonly string[]) => {
        const { stdout, stderr } = await weftWith(stdin === undefined ? {} : { stdin }, ...argv);
        return stdout + stderr;
      };
      const before = await answer(it.stdin, it.run);
      expect(before).toContain(code);
      expect(before).toContain(says);
      for (const [path, text] of Object.entries(it.written ?? {})) write(path, text);
      const after = await answer(it.nextStdin, it.next ?? it.run);
      expect(after).not.toContain(code);
      expect(after).not.toMatch(/^\S*error\b/m);
    },
  );

  it.each(PLANS)('resolves $code: $says', async ({ code, says, run, written = {}, next = run }) => {
    const { weft, write } = workspace(FILES);
    await weft('compile');
    for (const [path, text] of Object.entries(written)) write(path, text);
    const before = await weft(...run);
    expect([before.code, before.stdout + before.stderr]).toEqual([1, expect.stringContaining(code)]);
    expect(before.stdout + before.stderr).toContain(says);
    const after = await weft(...next);
    expect([after.code, after.stdout + after.stderr]).toEqual([0, expect.not.stringContaining(code)]);
  });

  it.each(EDITED)('resolves all that verify says of an edited %s', async (path, edit) => {
    const { weft, read, write } = workspace(FILES);
    await weft('compile');
    const text = read(path);
    expect(edit(text)).not.toBe(text);
    write(path, edit(text));
    const before = await weft('verify');
    expect([before.code, before.stderr]).toEqual([1, expect.stringMatching(/error verify\//)]);
    await weft('compile');
    expect(await weft('verify')).toMatchObject({ code: 0, stderr: '' });
  });

  it('resolves provenance/half-compiled: run "weft compile" and commit the result', async () => {
    const { folder, weft, read, write } = workspace(FILES);
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'pipe' });
    const commit = () => {
      git('add', '--all');
      git('commit', '--quiet', '--message', 'fleet');
    };
    git('init', '--quiet', '--initial-branch', 'main');
    await weft('compile');
    commit();
    git('switch', '--quiet', '--create', 'edit');
    const kept = read('out/rome/helm-values.yaml');
    write(PATH, TOPOLOGY.replace(/(rome:.*)10\.202/, '$110.205'));
    await weft('compile');
    write('out/rome/helm-values.yaml', kept);
    commit();
    const before = await weft('pr', 'check', '--base', 'main');
    expect([before.code, before.stderr]).toEqual([1, expect.stringContaining('provenance/half-compiled')]);
    await weft('compile');
    commit();
    const after = await weft('pr', 'check', '--base', 'main');
    expect([after.code, after.stderr]).toEqual([0, expect.not.stringContaining('provenance/')]);
  });
});
