import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listObjects } from '../../../src/host/kubectl/list-objects.ts';

const LIMITS = { milliseconds: 20_000, bytes: 100_000 };
const REQUEST = { context: 'rome', resource: 'configurations.networking.liqo.io' };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'weft-kubectl-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A place whose kubectl is a script of ours. */
function fakeKubectl(script: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = folder();
  const path = join(cwd, 'kubectl');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { cwd, env: { PATH: `${cwd}${delimiter}${process.env['PATH'] ?? ''}`, ...env } };
}

describe('kubectl', () => {
  it('gets a list and nothing else, with arguments that no shell reads', async () => {
    const place = fakeKubectl('printf "%s\\n" "$@"');
    const context = '-h; rm -rf "$HOME" `id`';
    const listed = await listObjects(place, { ...REQUEST, context, selector: 'a=b' }, LIMITS);
    expect(listed).toEqual({
      kind: 'listed',
      text: [
        'get',
        'configurations.networking.liqo.io',
        `--context=${context}`,
        '--all-namespaces',
        '--output=json',
        '--request-timeout=60s',
        '--selector=a=b',
        '',
      ].join('\n'),
    });
  });

  it('reads names and labels from a table, for which the API server sends no values', async () => {
    const rows = [
      'liqo-tenant-milan   gw-keys       Opaque   2     3d4h   liqo.io/remote-cluster-id=milan,a.b/c=,d=e',
      'liqo                no-label      Opaque   0     5s     <none>',
    ];
    const place = fakeKubectl('echo "$@" > args; cat rows');
    writeFileSync(join(place.cwd, 'rows'), `${rows.join('\n')}\n`);
    const listed = await listObjects(place, { context: 'rome', resource: 'secrets', namesOnly: true }, LIMITS);
    expect(listed.kind === 'listed' && JSON.parse(listed.text)).toMatchObject({
      kind: 'List',
      items: [
        {
          kind: 'Secret',
          metadata: {
            namespace: 'liqo-tenant-milan',
            name: 'gw-keys',
            labels: { 'liqo.io/remote-cluster-id': 'milan', 'a.b/c': '', d: 'e' },
          },
        },
        { kind: 'Secret', metadata: { namespace: 'liqo', name: 'no-label', labels: {} } },
      ],
    });
    expect(readFileSync(join(place.cwd, 'args'), 'utf8')).toBe(
      'get secrets --context=rome --all-namespaces --no-headers --show-labels --request-timeout=60s\n',
    );
    for (const [text, items] of [
      ['', []],
      ['Welcome!\n', undefined],
    ] as const) {
      writeFileSync(join(place.cwd, 'rows'), text);
      const other = await listObjects(place, { context: 'rome', resource: 'secrets', namesOnly: true }, LIMITS);
      expect(other.kind === 'listed' ? JSON.parse(other.text).items : undefined).toEqual(items);
    }
  });

  it('gets the environment, without the tokens of weft and of the job', async () => {
    const env = { AWS_PROFILE: 'fleet', GITHUB_TOKEN: 'a', GH_TOKEN: 'b', WEFT_TOKEN: 'c', KUBECONFIG: 'k' };
    const place = fakeKubectl('echo "$AWS_PROFILE|$GITHUB_TOKEN$GH_TOKEN$WEFT_TOKEN|$KUBECONFIG|$KUBECTL_KUBERC"', env);
    expect(await listObjects(place, REQUEST, LIMITS)).toEqual({ kind: 'listed', text: 'fleet||k|false\n' });
  });

  it.each([
    ['error: context "rmoe" does not exist', 'no-such-context', 'context "rmoe" does not exist'],
    ['Error in configuration: context was not found for specified context: b', 'no-such-context', /not found/],
    [`error: the server doesn't have a resource type "tenants"`, 'no-such-kind', /resource type/],
    ['Error from server (Forbidden): tenants is forbidden: User "ci" cannot list', 'forbidden', /User "ci"/],
    ['error: You must be logged in to the server (Unauthorized)', 'not-logged-in', /logged in/],
    ['Unable to connect to the server: getting credentials: exec: executable aws not found', 'not-logged-in', /aws/],
    [
      'E1121 22:04:16.1 1 memcache.go:265] "Unhandled Error" err="dial tcp 10.0.0.1:6443: was refused"\nThe connection to the server 10.0.0.1:6443 was refused - did you',
      'unreachable',
      /^The connection/,
    ],
    ['Unable to connect to the server: dial tcp: lookup a on b: no such host', 'unreachable', /no such host/],
    ['flag needs an argument', 'failed', 'flag needs an argument'],
    ['', 'failed', 'it printed no message'],
  ])('that fails with %j', async (stderr, kind, message) => {
    const place = fakeKubectl(`cat "$0.txt" >&2; exit 1`);
    writeFileSync(join(place.cwd, 'kubectl.txt'), stderr);
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await listObjects(place, REQUEST, LIMITS)).toEqual({ failure: true, kind, message: expected });
  });

  it('may be missing, hang, or print without end', async () => {
    const empty = folder();
    expect(await listObjects({ cwd: empty, env: { PATH: empty } }, REQUEST, LIMITS)).toMatchObject({
      kind: 'not-installed',
    });
    const quick = { ...LIMITS, milliseconds: 300 };
    expect(await listObjects(fakeKubectl('exec sleep 60'), REQUEST, quick)).toMatchObject({ kind: 'timed-out' });
    expect(await listObjects(fakeKubectl('exec yes'), REQUEST, LIMITS)).toMatchObject({ kind: 'too-large' });
    expect(await listObjects(fakeKubectl('exec yes >&2'), REQUEST, quick)).toMatchObject({ kind: 'timed-out' });
  });

  it('is not awaited when it has ended and a program that it started holds its output', async () => {
    const before = Date.now();
    const listed = await listObjects(fakeKubectl('sleep 15 & echo "{}"'), REQUEST, LIMITS);
    expect(listed).toEqual({ kind: 'listed', text: '{}\n' });
    const failed = await listObjects(fakeKubectl('sleep 15 & echo "error: is forbidden" >&2; exit 1'), REQUEST, LIMITS);
    expect(failed).toMatchObject({ kind: 'forbidden', message: 'is forbidden' });
    expect(Date.now() - before).toBeLessThan(10_000);
  });

  it.each([
    ['error: getting credentials: exec: {"token":"s3cr3t-s3cr3t"} was refused', 's3cr3t'],
    ['error: getting credentials: --client-secret=s3cr3t-s3cr3t was refused', 's3cr3t'],
    ['error: Authorization: Bearer s3cr3t-s3cr3t is forbidden', 's3cr3t'],
    ['error: getting credentials: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.s3cr3t was refused', 's3cr3t'],
    ['error: proxy http://ada:s3cr3t@proxy:3128 was refused', 's3cr3t'],
    ['error: x509: -----BEGIN PRIVATE KEY----- s3cr3t -----END PRIVATE KEY-----', 's3cr3t'],
  ])('shows no secret of what it prints: %s', async (message, secret) => {
    const place = fakeKubectl('cat message >&2; exit 1');
    writeFileSync(join(place.cwd, 'message'), message);
    const listed = await listObjects(place, REQUEST, LIMITS);
    expect(JSON.stringify(listed)).toContain('[hidden]');
    expect(JSON.stringify(listed)).not.toContain(secret);
  });
});

const KUBECTL = (process.env['PATH'] ?? '').split(delimiter).some((it) => existsSync(join(it, 'kubectl')));

const LIST = {
  kind: 'ConfigurationList',
  apiVersion: 'networking.liqo.io/v1beta1',
  metadata: { resourceVersion: '1' },
  items: [
    { apiVersion: 'networking.liqo.io/v1beta1', kind: 'Configuration', metadata: { name: 'milan', namespace: 'a' } },
  ],
};

/** The answers of an API server to the discovery of one group, and to a list. */
const ANSWERS: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [{ name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret', verbs: ['list'] }],
  },
  '/api/v1/secrets': {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: ['Name', 'Type', 'Data', 'Age'].map((name) => ({ name, type: 'string', priority: 0 })),
    rows: [
      {
        cells: ['gw-keys', 'Opaque', 2, '3d'],
        object: {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { name: 'gw-keys', namespace: 'liqo-tenant-milan', labels: { a: '', b: 'c' } },
        },
      },
    ],
  },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      {
        name: 'networking.liqo.io',
        versions: [{ groupVersion: 'networking.liqo.io/v1beta1', version: 'v1beta1' }],
        preferredVersion: { groupVersion: 'networking.liqo.io/v1beta1', version: 'v1beta1' },
      },
    ],
  },
  '/apis/networking.liqo.io/v1beta1': {
    kind: 'APIResourceList',
    groupVersion: 'networking.liqo.io/v1beta1',
    resources: [
      {
        name: 'configurations',
        singularName: 'configuration',
        namespaced: true,
        kind: 'Configuration',
        verbs: ['list'],
      },
      { name: 'connections', singularName: 'connection', namespaced: true, kind: 'Connection', verbs: ['list'] },
    ],
  },
  '/apis/networking.liqo.io/v1beta1/configurations': LIST,
};

async function fakeServer() {
  const methods = new Set<string>();
  const accepted = new Map<string, string | undefined>();
  const server: Server = createServer((request, response) => {
    methods.add(request.method ?? '');
    const path = (request.url ?? '').replace(/\?.*/, '');
    accepted.set(path, request.headers.accept);
    const forbidden = path.endsWith('/connections');
    const refusal = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'no',
      reason: 'Forbidden',
      code: 403,
    };
    const answer = forbidden ? refusal : ANSWERS[path];
    response.writeHead(forbidden ? 403 : answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, methods, accepted };
}

describe.skipIf(!KUBECTL)('the real kubectl (skipped where it is not installed)', () => {
  it('answers from an API server, and its messages are understood', { timeout: 60_000 }, async () => {
    const { port, methods, accepted } = await fakeServer();
    const cwd = folder();
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'rome', cluster: { server: `http://127.0.0.1:${port}` } },
        { name: 'gone', cluster: { server: 'http://127.0.0.1:1' } },
      ],
      contexts: ['rome', 'gone'].map((name) => ({ name, context: { cluster: name, user: 'me' } })),
      users: [{ name: 'me', user: {} }],
    };
    writeFileSync(join(cwd, 'config'), JSON.stringify(config));
    const env = { PATH: process.env['PATH'], HOME: cwd, KUBECONFIG: 'config' };
    const list = (context: string, resource: string) =>
      listObjects({ cwd, env }, { context, resource: `${resource}.networking.liqo.io` }, LIMITS);
    const listed = await list('rome', 'configurations');
    expect(listed.kind === 'listed' && JSON.parse(listed.text).items).toEqual(LIST.items);
    const named = await listObjects({ cwd, env }, { context: 'rome', resource: 'secrets', namesOnly: true }, LIMITS);
    expect(named.kind === 'listed' && JSON.parse(named.text).items).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'liqo-tenant-milan', name: 'gw-keys', labels: { a: '', b: 'c' } },
        partsRead: ['metadata.labels'],
      },
    ]);
    // A table is preferred, which every API server since Kubernetes 1.15 has; so no value is sent.
    expect(accepted.get('/api/v1/secrets')).toMatch(/^application\/json;as=Table;/);
    expect(await list('rome', 'connections')).toMatchObject({ failure: true, kind: 'forbidden' });
    expect(await list('rome', 'tenants')).toMatchObject({ failure: true, kind: 'no-such-kind' });
    expect(await list('gone', 'configurations')).toMatchObject({ failure: true, kind: 'unreachable' });
    expect(await list('rmoe', 'configurations')).toMatchObject({ failure: true, kind: 'no-such-context' });
    expect([...methods]).toEqual(['GET']);
  });
});
