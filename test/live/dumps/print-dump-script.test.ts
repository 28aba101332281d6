import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import { printDumpScript, printReaderRole } from '../../../src/live/dumps/print-dump-script.ts';
import { readDump } from '../../../src/live/dumps/read-dump.ts';

const hasBash = spawnSync('bash', ['-c', 'command -v awk']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'weft-dump-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'c3VwZXItc2VjcmV0';

/** A kubectl that logs how it is called, and answers as the real one does. */
const KUBECTL = [
  '#!/bin/sh',
  `printf '%s\\n' "$*" >> "$LOG"`,
  'case "$*" in',
  `  *"get secrets --selector=liqo.io/remote-cluster-id --no-headers --show-labels"*)`,
  "    echo 'liqo-tenant-milan   gw-keys   Opaque   2   3d4h   liqo.io/remote-cluster-id=milan,a.b/c=d,empty='",
  "    echo 'liqo-tenant-oslo    gw-oslo   Opaque   2   5s     liqo.io/remote-cluster-id=oslo' ;;",
  `  *"get secrets --selector=liqo.io/nonce=true --output=json"*) cat nonce.json ;;`,
  `  *"get secrets --selector=networking.liqo.io/gateway-resource=true --output=go-template="*) cat halves.json ;;`,
  `  *"get secrets"*) echo '${SECRET}' ;;`,
  '  *"get configurations.networking.liqo.io --output=json"*) cat configurations.json ;;',
  '  *"get prometheusrules"*) echo "error: the server doesn\'t have a resource type \\"prometheusrules\\"" >&2; exit 1 ;;',
  '  *--context=broken*"get networks"*) echo "Error from server (Forbidden): networks is forbidden" >&2; exit 1 ;;',
  '  *) cat none.json; echo "No resources found" >&2 ;;',
  'esac',
  '',
].join('\n');

const list = (...items: readonly object[]): string =>
  `${JSON.stringify({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }, null, 4)}\n`;

/** The Secret of a gateway, as kubectl prints it with the template. */
const HALF = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: 'liqo-tenant-milan',
    name: 'gw-milan',
    labels: { 'networking.liqo.io/gateway-resource': 'true' },
  },
  data: { publicKey: 'cHVibGlj' },
  partsRead: ['metadata.labels', 'data.publicKey'],
};

function run(script: string, ...args: readonly string[]) {
  rmSync(join(folder, 'dumps'), { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const files = {
    'none.json': list(),
    'configurations.json': list({
      apiVersion: 'networking.liqo.io/v1beta1',
      kind: 'Configuration',
      metadata: { name: 'milan' },
    }),
    'halves.json': list(HALF),
    'nonce.json': list({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'liqo-nonce', labels: { 'liqo.io/nonce': 'true' } },
      data: { nonce: 'bm9uY2U=' },
    }),
    'bin/kubectl': KUBECTL,
    'dump.sh': script,
    'log.txt': '',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  chmodSync(join(folder, 'bin/kubectl'), 0o755);
  const { PATH = '' } = process.env;
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${PATH}`, LOG: join(folder, 'log.txt') };
  const { status, stdout, stderr } = spawnSync('bash', ['dump.sh', ...args], { cwd: folder, env, encoding: 'utf8' });
  const calls = readFileSync(join(folder, 'log.txt'), 'utf8').trimEnd().split('\n');
  return { status, stdout, stderr, calls };
}

function dumped(cluster: string) {
  const path = join(folder, 'dumps', `${cluster}.json`);
  const read = readDump({ path, text: readFileSync(path, 'utf8') });
  if (!read.ok) throw new Error(read.diagnostics.map((it) => it.message).join('; '));
  return read.value.map((it) => it.object).filter((it) => it.kind !== 'AskedFor');
}

/** The resources of the marks in a dump. */
function asked(cluster: string): readonly string[] {
  const read = readDump({ path: cluster, text: readFileSync(join(folder, 'dumps', `${cluster}.json`), 'utf8') });
  return read.ok ? read.value.flatMap(({ object }) => (object.kind === 'AskedFor' ? [object.metadata.name] : [])) : [];
}

describe.skipIf(!hasBash)('the script that dumps clusters (skipped without bash)', () => {
  const clusters = [
    { cluster: 'rome', context: 'admin@rome' },
    { cluster: 'milan', context: "it's milan; $(exit 9)" },
  ];

  it('only gets, with the context of each cluster, every kind that is read', () => {
    const { status, stdout, stderr, calls } = run(printDumpScript(clusters, COMPARED_KINDS));
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'dumps/rome.json\ndumps/milan.json\n',
      stderr: '',
    });
    for (const it of calls) expect(it).toMatch(/^--context=\S.* get \S+ .*--all-namespaces --request-timeout=60s$/);
    for (const { context } of clusters) {
      const own = calls.filter((it) => it.startsWith(`--context=${context} get `));
      const kinds = new Set(own.map((it) => it.slice(`--context=${context} get `.length).split(' ')[0]));
      expect([...kinds].sort()).toEqual(
        [...new Set(['configmaps', ...COMPARED_KINDS.map((it) => it.resource)])].sort(),
      );
    }
    expect(readdirSync(join(folder, 'dumps')).sort()).toEqual(['milan.json', 'rome.json']);
  });

  it('writes no value of a Secret but that of a nonce, and public halves', () => {
    run(printDumpScript(clusters, COMPARED_KINDS));
    expect(readFileSync(join(folder, 'dumps/rome.json'), 'utf8')).not.toContain(SECRET);
    expect(dumped('rome')).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          namespace: 'liqo-tenant-milan',
          name: 'gw-keys',
          labels: { 'liqo.io/remote-cluster-id': 'milan', 'a.b/c': 'd', empty: '' },
        },
        partsRead: ['metadata.labels'],
      },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          namespace: 'liqo-tenant-oslo',
          name: 'gw-oslo',
          labels: { 'liqo.io/remote-cluster-id': 'oslo' },
        },
        partsRead: ['metadata.labels'],
      },
      HALF,
      expect.objectContaining({ kind: 'Secret', data: { nonce: 'bm9uY2U=' } }),
      expect.objectContaining({ kind: 'Configuration' }),
    ]);
  });

  it('says in the dump for which kinds it asked, also those that are not there', () => {
    const script = printDumpScript(clusters, COMPARED_KINDS);
    run(script);
    const resources = [...new Set(COMPARED_KINDS.map((it) => it.resource))];
    expect(asked('rome')).toEqual(resources);
    run(script.replace(/^ *(?:list|asked) secrets\b.*\n/gm, ''));
    expect(asked('rome')).toEqual(resources.filter((it) => it !== 'secrets'));
  });

  it('leaves no dump behind when a cluster does not answer', () => {
    const broken = [...clusters.slice(0, 1), { cluster: 'oslo', context: 'broken' }];
    const { status, stdout, stderr } = run(printDumpScript(broken, COMPARED_KINDS));
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: 'dumps/rome.json\n',
      stderr: 'Error from server (Forbidden): networks is forbidden\n',
    });
    expect(existsSync(join(folder, 'dumps/oslo.json'))).toBe(false);
  });

  it('takes the clusters as arguments when it is made for none', () => {
    const script = printDumpScript([], COMPARED_KINDS);
    expect(run(script)).toMatchObject({ status: 2, stderr: expect.stringContaining('name the clusters') });
    const { stdout, calls } = run(script, 'rome', 'milan=admin@milan');
    expect(stdout).toBe('dumps/rome.json\ndumps/milan.json\n');
    expect(new Set(calls.map((it) => it.split(' ')[0]))).toEqual(new Set(['--context=rome', '--context=admin@milan']));
  });

  it('contains its role, which can be taken out of it', () => {
    writeFileSync(join(folder, 'dump.sh'), printDumpScript([], COMPARED_KINDS));
    const role = execFileSync('sed', ['-n', 's/^#: //p', 'dump.sh'], { cwd: folder, encoding: 'utf8' });
    expect(role).toBe(printReaderRole(COMPARED_KINDS));
  });
});

describe('the role for reading clusters', () => {
  const [role, binding] = parseAllDocuments(printReaderRole(COMPARED_KINDS)).map((it) => it.toJS());

  it('lists what is read, and nothing else', () => {
    const allowed = role.rules.flatMap((it: { apiGroups: string[]; resources: string[]; verbs: string[] }) => {
      expect(it.verbs).toEqual(['list']);
      return it.resources.map((one) => [one, ...it.apiGroups].filter((part) => part !== '').join('.'));
    });
    expect(allowed.sort()).toEqual([...new Set(['configmaps', ...COMPARED_KINDS.map((it) => it.resource)])].sort());
    expect(role.rules[0]).toMatchObject({ resourceNames: ['liqo-clusterid-configmap'] });
    expect(binding.roleRef.name).toBe(role.metadata.name);
  });

  it('has no rule for Secrets where none are read', () => {
    expect(printReaderRole([{ resource: 'networks.ipam.liqo.io' }])).not.toContain('secrets');
  });
});
