import { describe, expect, it } from 'vitest';
import { checkManifest, kindsOfRelease } from './crd.ts';
import { strictSchema } from './strict-schema.ts';

const VERSIONS = ['1.0.3', '1.1.2', '1.2.0'];

const NETWORKING = 'networking.liqo.io/v1beta1';
const labels = { 'liqo.io/remote-cluster-id': 'milan' };
const metadata = { name: 'milan', namespace: 'liqo-tenant-milan', labels };
const gatewayKey = { ...labels, 'networking.liqo.io/gateway-resource': 'true' };

const configuration = {
  apiVersion: NETWORKING,
  kind: 'Configuration',
  metadata,
  spec: { remote: { cidr: { pod: ['10.200.0.0/16'], external: ['10.70.0.0/16'] } } },
};
const server = {
  apiVersion: NETWORKING,
  kind: 'GatewayServer',
  metadata,
  spec: {
    serverTemplateRef: {
      apiVersion: NETWORKING,
      kind: 'WgGatewayServerTemplate',
      name: 'wireguard-server',
      namespace: 'liqo',
    },
    mtu: 1340,
    endpoint: { port: 51840, serviceType: 'NodePort', nodePort: 30742 },
    secretRef: { name: 'gw-keys' },
  },
};
const template = {
  apiVersion: NETWORKING,
  kind: 'WgGatewayServerTemplate',
  metadata: { name: 'weft-milan', namespace: 'liqo' },
  spec: { objectKind: { apiVersion: NETWORKING, kind: 'WgGatewayServer' }, template: { anything: [{ '?goes': 1 }] } },
};
const publicKey = {
  apiVersion: NETWORKING,
  kind: 'PublicKey',
  metadata: { ...metadata, labels: gatewayKey },
  spec: { publicKey: Buffer.alloc(32, 7).toString('base64') },
};
const connection = {
  apiVersion: NETWORKING,
  kind: 'Connection',
  metadata: { ...metadata, name: 'gw-milan' },
  spec: {
    type: 'Server',
    gatewayRef: { apiVersion: NETWORKING, kind: 'WgGatewayServer', name: 'milan', namespace: 'x' },
  },
  status: { value: 'Connected' },
};
const network = {
  apiVersion: 'ipam.liqo.io/v1alpha1',
  kind: 'Network',
  metadata,
  spec: { cidr: '10.200.0.0/16' },
  status: { cidr: '10.61.0.0/16' },
};
const foreignClusterConnection = {
  apiVersion: NETWORKING,
  kind: 'ForeignClusterConnection',
  metadata: { name: 'rome--milan', namespace: 'liqo' },
  spec: { foreignClusterA: 'rome', foreignClusterB: 'milan' },
};
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'liqo-tenant-milan', labels } };
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'Opaque',
  metadata: { ...metadata, labels: gatewayKey },
  data: { privateKey: Buffer.alloc(32, 1).toString('base64') },
};
const GOOD = [
  ...[configuration, server, template, publicKey, connection, network, foreignClusterConnection, namespace, secret],
];

const condition = { type: 'NetworkCIDRsConfigured', status: 'True', reason: 'Done', message: '' };

function withStatus(lastTransitionTime: string): object {
  return { ...configuration, status: { conditions: [{ ...condition, lastTransitionTime }] } };
}

const remote = (cidr: unknown) => ({ ...configuration, spec: { remote: { cidr } } });
const endpoint = (over: object) => ({
  ...server,
  spec: { ...server.spec, endpoint: { ...server.spec.endpoint, ...over } },
});
const named = (over: object) => ({ ...configuration, metadata: { ...metadata, ...over } });

describe('checkManifest', () => {
  it.each(VERSIONS)('takes what Liqo %s takes', (version) => {
    for (const manifest of GOOD) expect(checkManifest(manifest, version)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      'an unknown field',
      { ...configuration, spec: { ...configuration.spec, remotes: {} } },
      '/spec must NOT have additional properties ("remotes")',
    ],
    ['an unknown field at the top', { ...configuration, data: {} }, '/ must NOT have additional properties ("data")'],
    [
      'an unknown field deep below',
      remote({ pods: [] }),
      '/spec/remote/cidr must NOT have additional properties ("pods")',
    ],
    [
      'a wrong enum',
      endpoint({ serviceType: 'NodeProt' }),
      '/spec/endpoint/serviceType must be equal to one of the allowed values (["ClusterIP","NodePort","LoadBalancer","ExternalName"])',
    ],
    ['a missing required field', { ...network, spec: {} }, "/spec must have required property 'cidr'"],
    [
      'a missing namespace',
      { ...configuration, metadata: { name: 'milan' } },
      "/metadata must have required property 'namespace'",
    ],
    ['a wrong type', endpoint({ port: '51840' }), '/spec/endpoint/port must be integer'],
    ['null', endpoint({ loadBalancerIP: null }), '/spec/endpoint/loadBalancerIP must be string'],
    ['a number that is no int32', endpoint({ port: 2 ** 31 }), '/spec/endpoint/port must match format "int32"'],
    ['host bits', remote({ pod: ['10.200.0.1/16'] }), '/spec/remote/cidr/pod/0 must match format "cidr"'],
    [
      'an address where a network belongs',
      remote({ pod: ['10.200.0.0'] }),
      '/spec/remote/cidr/pod/0 must match format "cidr"',
    ],
    ['IPv6', remote({ pod: ['fd00::/64'] }), '/spec/remote/cidr/pod/0 must match format "cidr"'],
    [
      'a key that is not base64',
      { ...publicKey, spec: { publicKey: 'abc' } },
      '/spec/publicKey must match format "byte"',
    ],
    [
      'a date that is none',
      withStatus('yesterday'),
      '/status/conditions/0/lastTransitionTime must match format "date-time"',
    ],
    ['a name with capitals', named({ name: 'Milan' }), '/metadata/name must match format "dns-subdomain"'],
    [
      'a namespace that is too long',
      named({ namespace: 'a'.repeat(64) }),
      '/metadata/namespace must match format "dns-label"',
    ],
    [
      'a label value that is too long',
      named({ labels: { a: 'b'.repeat(64) } }),
      '/metadata/labels/a must match format "label-value"',
    ],
    ['a label value that is no string', named({ labels: { a: true } }), '/metadata/labels/a must be string'],
    [
      'a label key with two slashes',
      named({ labels: { 'a/b/c': 'd' } }),
      '/metadata/labels must match format "qualified-name"',
    ],
    ['metadata of a live object', named({ uid: '1' }), '/metadata must NOT have additional properties ("uid")'],
    [
      'a namespaced Namespace',
      { ...namespace, metadata },
      '/metadata must NOT have additional properties ("namespace")',
    ],
    [
      'a Secret with text for base64',
      { ...secret, data: { privateKey: 'no base64' } },
      '/data/privateKey must match format "byte"',
    ],
  ])('finds %s', (_, manifest, problem) => {
    const found = checkManifest(manifest, '1.2.0');
    expect(found.map((it) => it.replace(/^[^:]*: /, ''))).toContain(problem);
    expect(found.length).toBeLessThanOrEqual(2);
  });

  it('finds fields that a release does not have yet', () => {
    const annotated = { ...server, spec: { ...server.spec, serviceAnnotations: { a: 'b' } } };
    expect(checkManifest(annotated, '1.2.0')).toEqual([]);
    expect(checkManifest(annotated, '1.1.2')).toHaveLength(1);
    expect(checkManifest(withStatus('2026-01-01T00:00:00Z'), '1.2.0')).toEqual([]);
    expect(checkManifest(withStatus('2026-01-01T00:00:00Z'), '1.0.3')).toHaveLength(1);
  });

  it('finds two entries with one key in a list that is a map', () => {
    const client = (...names: readonly string[]) => {
      const containers = names.map((name) => ({ name }));
      const deployment = { metadata: {}, spec: { selector: {}, template: { metadata: {}, spec: { containers } } } };
      return { apiVersion: NETWORKING, kind: 'WgGatewayClient', metadata, spec: { deployment } };
    };
    expect(checkManifest(client('gateway', 'geneve'), '1.2.0')).toEqual([]);
    expect(checkManifest(client('gateway', 'geneve', 'gateway'), '1.2.0')).toEqual([
      'WgGatewayClient milan: /spec/deployment/spec/template/spec/containers has two entries with equal keys',
    ]);
  });

  it('has no kind that a cluster does not have', () => {
    expect(checkManifest({ ...configuration, kind: 'Configurations' }, '1.2.0')).toHaveLength(1);
    expect(checkManifest({ ...configuration, apiVersion: 'networking.liqo.io/v1' }, '1.2.0')).toHaveLength(1);
    expect(checkManifest({ apiVersion: 'apps/v1', kind: 'Deployment' }, '1.2.0')).toHaveLength(1);
    expect(checkManifest('text', '1.2.0')).toHaveLength(1);
    expect(checkManifest(null, '1.2.0')).toHaveLength(1);
  });

  it('checks an unknown patch against its line, and no unknown line', () => {
    expect(checkManifest(configuration, '1.2.9')).toEqual([]);
    expect(() => checkManifest(configuration, '3.0.0')).toThrow('3.0.0');
  });

  it('can read every CRD of every release', () => {
    const kinds = VERSIONS.flatMap((version) =>
      // The empty object lacks at least its metadata, so a known kind reports an error.
      kindsOfRelease(version).map((it) => checkManifest(it, version)),
    );
    expect(kinds).toHaveLength(3 * 28);
    expect(kinds.filter((it) => !it.some((problem) => problem.includes("'metadata'")))).toEqual([]);
  });
});

describe('strictSchema', () => {
  it('loses no keyword unseen', () => {
    expect(() => strictSchema({ type: 'integer', multipleOf: 2 })).toThrow('multipleOf');
    expect(() => strictSchema({ anyOf: [] })).toThrow('anyOf');
    expect(() => strictSchema({ 'x-kubernetes-validations': [{ rule: 'self > 1' }] })).toThrow('self > 1');
  });

  it('does not require a key with a default, and accepts null where it is allowed', () => {
    expect(
      strictSchema({ type: 'object', required: ['a', 'b'], properties: { a: { default: 1 }, b: {} } }),
    ).toMatchObject({
      required: ['b'],
    });
    expect(strictSchema({ type: 'string', nullable: true })).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] });
  });
});
