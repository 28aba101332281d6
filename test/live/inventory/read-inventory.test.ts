import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { plainOf } from '../../../src/base/source/document-node.ts';
import { lineText, placeAt } from '../../../src/base/source/source.ts';
import { readInventory } from '../../../src/live/inventory/read-inventory.ts';

/** The clusters of an inventory as plain values, and the codes of what is found. */
function read(text: string, path = 'inventory'): { readonly clusters: object; readonly codes: readonly string[] } {
  const { clusters, found } = readInventory({ path, text });
  return {
    clusters: Object.fromEntries(clusters.map((it) => [it.name.value, plainOf(it.keys)])),
    codes: found.map((it) => it.code),
  };
}

const only = (text: string, path?: string): object => {
  const { clusters, codes } = read(text, path);
  expect(codes).toEqual([]);
  return clusters;
};

const ROME = { podCIDR: '10.1.0.0/16', serviceCIDR: '10.96.0.0/12' };

describe('a table', () => {
  it.each([
    ['with commas', 'name,podCIDR,serviceCIDR\nrome,10.1.0.0/16,10.96.0.0/12\n'],
    ['with semicolons', 'name;podCIDR;serviceCIDR\nrome;10.1.0.0/16;10.96.0.0/12\n'],
    ['with tabs', 'name\tpodCIDR\tserviceCIDR\nrome\t10.1.0.0/16\t10.96.0.0/12\n'],
    ['with quotes', '"name","podCIDR","serviceCIDR"\n"rome","10.1.0.0/16","10.96.0.0/12"\n'],
    ['in other words', 'Cluster Name,pod_cidr,Service-CIDR\nrome,10.1.0.0/16,10.96.0.0/12\n'],
    [
      'with blanks, comments and empty lines',
      '# all\nname , podCIDR,serviceCIDR\n\n rome,10.1.0.0/16 , 10.96.0.0/12\n# x,y\n,,\n',
    ],
    ['without a last line break', 'serviceCIDR,podCIDR,name\n10.96.0.0/12,10.1.0.0/16,rome'],
    ['with a short row', 'name,podCIDR,serviceCIDR,gateway\nrome,10.1.0.0/16,10.96.0.0/12\n'],
  ])('%s is read', (_, text) => {
    expect(only(text)).toEqual({ rome: ROME });
  });

  it('has lists, numbers, truth values, labels and keys at any depth', () => {
    const text = [
      'name,podCIDR,reserved,retired,gateway.mtu,gateway,labels.topology.kubernetes.io/region,liqo.version,apiServer,hub',
      'rome,"10.1.0.0/16, 10.2.0.0/16",192.168.1.0/24,TRUE,1400,203.0.113.1,eu,1.2,https://rome.example.com:6443,europe',
      'oslo,10.3.0.0/16,192.168.1.0/24 192.168.2.0/24,false,,203.0.113.2,,,,',
    ].join('\n');
    expect(only(text)).toEqual({
      rome: {
        podCIDR: ['10.1.0.0/16', '10.2.0.0/16'],
        reserved: ['192.168.1.0/24'],
        retired: true,
        apiServer: 'https://rome.example.com:6443',
        hub: 'europe',
        gateway: { mtu: 1400, addresses: ['203.0.113.1'] },
        labels: { 'topology.kubernetes.io/region': 'eu' },
        liqo: { version: '1.2' },
      },
      oslo: {
        podCIDR: '10.3.0.0/16',
        reserved: ['192.168.1.0/24', '192.168.2.0/24'],
        retired: false,
        gateway: '203.0.113.2',
      },
    });
  });

  it('may have a comma, a quote or a line break in a cell', () => {
    expect(only('name,labels.a,podCIDR\nrome,"a ""b"",\nc",10.1.0.0/16\n')).toEqual({
      rome: { podCIDR: '10.1.0.0/16', labels: { a: 'a "b",\nc' } },
    });
  });

  it.each([
    ['a quote that is never closed', 'name,podCIDR\nrome,"10.1.0.0/16\n', 'this quote is never closed', '2:6'],
    [
      'a row with more cells',
      'name,podCIDR\nrome,10.1.0.0/16,x\n',
      'this row has 3 cells, and the header has 2',
      '2:18',
    ],
    ['a row without a name', 'name,podCIDR\n,10.1.0.0/16\n', 'this row has no name', '2:1'],
    ['no column of names', 'podCIDR,gateway\n10.1.0.0/16,x\n', 'no column has the names of the clusters', '1:1'],
    [
      'two columns of one key',
      'name,podCIDR,pod_cidr\n',
      'two columns are the same key, and "pod_cidr" is the second',
      '1:14',
    ],
  ])('with %s is refused at its place', (_, text, why, place) => {
    const { found } = readInventory({ path: 'a.csv', text });
    expect(
      found.map((it) => [it.code, it.message.replace('this inventory cannot be read: ', ''), placeOf(it.span)]),
    ).toEqual([['inventory/unreadable', why, place]]);
  });

  it('asks what an unknown column means, and shows no value of it', () => {
    const { found } = readInventory({ path: 'a.csv', text: 'name,podCDIR,secret\nrome,10.1.0.0/16,hunter2\n' });
    expect(found.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      ['inventory/unknown-column', '"podCDIR" is no key of a cluster, and is not read', 'did you mean "podCIDR"?'],
      [
        'inventory/unknown-column',
        '"secret" is no key of a cluster, and is not read',
        expect.stringContaining('labels.NAME'),
      ],
    ]);
    const [first] = found;
    expect(first && lineText(first.span.source, 2)).toBe('rome,***********,*******');
  });
});

const placeOf = ({
  source,
  start,
}: {
  readonly source: Parameters<typeof placeAt>[0];
  readonly start: number;
}): string => {
  const { line, column } = placeAt(source, start);
  return `${line}:${column}`;
};

const capi = (version: string, more = ''): string => `apiVersion: cluster.x-k8s.io/${version}
kind: Cluster
metadata:
  name: rome
  namespace: fleet
  labels:
    site: italy
    cluster.x-k8s.io/cluster-name: rome
    argocd.argoproj.io/instance: rome
${more}spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["10.1.0.0/16"]
    services:
      cidrBlocks:
        - 10.96.0.0/12
  controlPlaneEndpoint:
    host: rome.example.com
    port: 6443
`;

describe('objects of Kubernetes', () => {
  it.each(['v1beta1', 'v1beta2'])('of Cluster API %s are read, without labels of tools', (version) => {
    const rome = { ...ROME, apiServer: 'https://rome.example.com:6443', labels: { site: 'italy' } };
    expect(only(capi(version))).toEqual({ rome });
    const list = { apiVersion: 'v1', kind: 'List', items: [jsonOf(capi(version))] };
    expect(only(JSON.stringify(list, null, 4))).toEqual({ rome });
    expect(only(JSON.stringify(list.items))).toEqual({ rome });
  });

  it('have several pod CIDRs, or an endpoint that is not there yet', () => {
    const text = capi('v1beta1')
      .replace('["10.1.0.0/16"]', '[10.1.0.0/16, 10.2.0.0/16]')
      .replace('host: rome.example.com\n    port: 6443', 'host: ""\n    port: 0');
    expect(only(text)).toEqual({
      rome: { ...ROME, podCIDR: ['10.1.0.0/16', '10.2.0.0/16'], labels: { site: 'italy' } },
    });
  });

  it('have further keys, and another name, in annotations of weft', () => {
    const more =
      '  annotations:\n    weft.dev/name: rome-1\n    weft.dev/gateway: 203.0.113.1\n    weft.dev/node-cidrs: 192.168.1.0/24\n    other: x\n';
    expect(only(capi('v1beta2', more))).toEqual({
      'rome-1': {
        ...ROME,
        apiServer: 'https://rome.example.com:6443',
        gateway: '203.0.113.1',
        reserved: ['192.168.1.0/24'],
        labels: { site: 'italy' },
      },
    });
    expect(read(capi('v1beta2', '  annotations:\n    weft.dev/gatewy: 203.0.113.1\n')).codes).toEqual([
      'inventory/unknown-column',
    ]);
  });

  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const secret = (data: Readonly<Record<string, string>>, part = 'data'): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'cluster-rome-1234',
        labels: { 'argocd.argoproj.io/secret-type': 'cluster', tier: 'leaf' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"bearerToken":"hunter2"}' },
      },
      type: 'Opaque',
      [part]: data,
    });
  const config = JSON.stringify({ bearerToken: 'hunter2', tlsClientConfig: { keyData: 'aHVudGVyMg==' } });

  it('of Argo CD are read without their credentials', () => {
    const rome = { apiServer: 'https://rome.example.com:6443', labels: { tier: 'leaf' } };
    const data = { name: base64('rome'), server: base64('https://rome.example.com:6443/'), config: base64(config) };
    expect(only(secret(data))).toEqual({ rome });
    expect(only(secret({ name: 'rome', server: 'https://rome.example.com:6443', config }, 'stringData'))).toEqual({
      rome,
    });
    const { clusters } = readInventory({ path: 'a.json', text: secret(data) });
    expect(JSON.stringify(clusters)).not.toMatch(/hunter2|aHVudGVy|bearer/);
    const [cluster] = clusters;
    expect(cluster && lineText(cluster.name.at.source, 1)).not.toMatch(/hunter2|aHVudGVy/);
  });

  it.each(['https://kubernetes.default.svc', 'https://user:hunter2@rome.example.com', 'not an address'])(
    'have no API server that peers could dial: %s',
    (server) => {
      expect(only(secret({ name: base64('rome'), server: base64(server) }))).toEqual({
        rome: { labels: { tier: 'leaf' } },
      });
    },
  );

  it('of other kinds are left out', () => {
    expect(
      only('apiVersion: v1\nkind: Secret\nmetadata: { name: rome }\ndata: { name: cm9tZQ== }\n---\nkind: Pod\n'),
    ).toEqual({});
    expect(only('apiVersion: management.cattle.io/v3\nkind: Cluster\nmetadata: { name: rome }\n')).toEqual({});
  });
});

const jsonOf = (text: string): object => parse(text) as object;

describe('outputs of Terraform', () => {
  const object = { pod_cidr: '10.1.0.0/16', service_cidr: '10.96.0.0/12', kubeconfig: 'hunter2', id: 4, cni: null };
  const output = (value: unknown, sensitive = false) => ({ sensitive, type: ['dynamic'], value });

  it.each([
    ['a map', { clusters: output({ rome: object }) }],
    ['a list', { clusters: output([{ ...object, name: 'rome' }]) }],
    ['names in the objects', { clusters: output({ a: { ...object, cluster_name: 'rome' } }) }],
    [
      'the usual other names',
      { c: output({ rome: { clusterIpv4Cidr: '10.1.0.0/16', services_ipv4_cidr: '10.96.0.0/12' } }) },
    ],
    ['lists of one', { c: output({ rome: { podCidrs: ['10.1.0.0/16'], serviceCidr: '10.96.0.0/12' } }) }],
    [
      'among others',
      { vpc: output({ id: 'vpc-1' }), zones: output(['a']), clusters: output({ rome: object }), n: output(3) },
    ],
    ['beside sensitive ones', { clusters: output({ rome: object }), more: output({ oslo: object }, true) }],
    ['of terraform show', { format_version: '1.0', values: { outputs: { clusters: output({ rome: object }) } } }],
    ['alone, as a map', { rome: object }],
    ['alone, as a list', [{ name: 'rome', ...object }]],
  ])('are read: %s', (_, document) => {
    expect(only(JSON.stringify(document))).toEqual({ rome: ROME });
    expect(only(JSON.stringify(document, null, 2))).toEqual({ rome: ROME });
  });

  it('have labels and keys at any depth', () => {
    const rome = { ...object, labels: { site: 'italy' }, gateway: { mtu: 1400 }, node_cidrs: ['192.168.1.0/24'] };
    expect(only(JSON.stringify({ clusters: output({ rome }) }))).toEqual({
      rome: { ...ROME, labels: { site: 'italy' }, gateway: { mtu: 1400 }, reserved: ['192.168.1.0/24'] },
    });
  });

  it('show only what was read of a line', () => {
    const { clusters } = readInventory({
      path: 'a.json',
      text: JSON.stringify({ clusters: output({ rome: object }) }),
    });
    const [cluster] = clusters;
    const line = cluster && lineText(cluster.name.at.source, 1);
    expect(line).toContain('10.1.0.0/16');
    expect(line).not.toContain('hunter2');
  });
});

describe('a cluster with networks of both families', () => {
  const both = ['fd00:1::/48', '10.1.0.0/16'];

  it.each([
    ['CSV', 'name;podCIDR;serviceCIDR\nrome;fd00:1::/48,10.1.0.0/16;10.96.0.0/12\n'],
    ['Terraform', JSON.stringify({ rome: { pod_cidrs: both, service_cidr: ['10.96.0.0/12', 'fd00:2::/112'] } })],
  ])('has those that Liqo connects: %s', (_, text) => {
    expect(only(text)).toEqual({ rome: ROME });
  });

  it('has them in Cluster API', () => {
    const { rome } = only(capi('v1beta1').replace('["10.1.0.0/16"]', JSON.stringify(both))) as { rome: object };
    expect(rome).toMatchObject(ROME);
  });

  it('keeps a network without another one, which is then reported', () => {
    expect(only('name,podCIDR,serviceCIDR\nrome,fd00:1::/48,10.96.0.0/12\n')).toMatchObject({
      rome: { podCIDR: 'fd00:1::/48' },
    });
  });
});

describe('a file of another kind', () => {
  it.each([
    ['JSON that was cut off', '{"clusters": {"value": {"rome": {"pod_cidr": "hunter2"'],
    ['YAML that is broken', 'kind: Secret\nstringData: {password: hunter2\n'],
    ['a key twice', 'kind: Secret\nhunter2: 1\nhunter2: 1\n'],
    ['a merge conflict', '<<<<<<< HEAD\na: 1\n=======\na: hunter2\n>>>>>>> b\n'],
  ])('is refused without its values: %s', (_, text) => {
    const { clusters, found } = readInventory({ path: 'a', text });
    expect([clusters, found.map((it) => it.code)]).toEqual([[], ['inventory/unreadable']]);
    expect(printDiagnostics(found, { paint: plainPaint, verbose: false })).not.toContain('"hunter2"');
  });

  it.each(['', '\n', '# nothing\n', '[]', '{}', '{"kind":"List","items":[]}', 'just text'])(
    'has no cluster: %j',
    (text) => {
      expect(read(text).clusters).toEqual({});
    },
  );
});
