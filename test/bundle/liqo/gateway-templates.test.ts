import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { clientTemplateRef, serverTemplateRef } from '../../../src/bundle/liqo/gateway-settings.ts';
import { gatewayTemplates } from '../../../src/bundle/liqo/gateway-templates.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import type { Gateway } from '../../../src/fleet/model/network-model.ts';
import { checkManifest } from '../../support/crd.ts';
import { located, pair, RELEASES } from './fixtures.ts';
import { renderGatewayTemplate, type TemplateData } from './render-gateway-template.ts';

/** Annotations that another room adds to the templates themselves. */
const WAVE = { 'argocd.argoproj.io/sync-wave': '-20' };

const HIGH_AVAILABILITY: Partial<Gateway> = { replicas: 2 };
const EVERYTHING: Partial<Gateway> = {
  replicas: 3,
  nodeSelector: { 'node.kubernetes.io/pool': 'gateways', disk: 'ssd' },
  tolerations: [
    { key: 'gateways', operator: 'Equal', value: 'only', effect: 'NoExecute', tolerationSeconds: 30 },
    { operator: 'Exists' },
  ],
  serviceAnnotations: { 'example.com/text': 'on: "{{ .Name }}" #\n{{{', 'example.com/number': '042' },
  service: 'LoadBalancer',
  loadBalancerClass: 'example.com/fast',
  externalTrafficPolicy: located('Local'),
  allocatesNodePorts: false,
  listenPort: 30000,
  ping: { enabled: false, lossThreshold: 7, interval: '3s', updateStatusInterval: '20s' },
};

const BALANCED: Partial<Gateway> = { service: 'LoadBalancer' };

const ENDPOINT = {
  address: '203.0.113.10',
  port: 51840,
  serviceType: 'LoadBalancer',
  servicePort: 51840,
  nodePort: null,
  loadBalancerIP: null,
} as const;

const DATA: TemplateData = {
  Name: 'rome',
  Namespace: 'liqo-tenant-rome',
  ClusterID: 'rome',
  GatewayUID: '7f6a2c1e-0000-4000-8000-000000000000',
  SecretName: 'gw-keys',
  Spec: {
    MTU: 1340,
    SecretRef: { Name: 'gw-keys' },
    Endpoint: {
      Port: 51840,
      NodePort: 30742,
      ServiceType: 'NodePort',
      LoadBalancerIP: '',
      Addresses: ['203.0.113.10'],
      Protocol: 'UDP',
    },
  },
};

interface Template {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly objectKind: { readonly apiVersion: string; readonly kind: string };
    readonly template: object;
  };
}

const templateOf = (cluster: AddressedCluster): Template => {
  const [only, ...more] = gatewayTemplates(cluster, WAVE);
  expect(more).toEqual([]);
  expect(only?.text.endsWith('\n') && !only.text.endsWith('\n\n')).toBe(true);
  // A template must read equal in YAML 1.1 and 1.2.
  expect(parse(only?.text ?? '', { version: '1.1' })).toEqual(parse(only?.text ?? ''));
  return parse(only?.text ?? '') as Template;
};

// biome-ignore lint/suspicious/noExplicitAny: a rendered object is read by paths that only its schema declares.
type Rendered = any;

function rendered(cluster: AddressedCluster, data: TemplateData = DATA): Rendered {
  const { objectKind, template } = templateOf(cluster).spec;
  return { ...objectKind, ...(renderGatewayTemplate(template, data) as object) };
}

const containerArguments = (object: Rendered, name: string): readonly string[] =>
  object.spec.deployment.spec.template.spec.containers.find((it: { name: string }) => it.name === name).args;

describe('gatewayTemplates', () => {
  it('creates none while the templates of the chart suffice', () => {
    const { rome, europe, along } = pair();
    expect([gatewayTemplates(rome, WAVE), gatewayTemplates(europe, WAVE)]).toEqual([[], []]);
    expect(serverTemplateRef(along)).toEqual({ name: 'wireguard-server', namespace: 'liqo' });
    expect(clientTemplateRef(along)).toEqual({ name: 'wireguard-client', namespace: 'liqo' });
  });

  it.each<[string, Partial<Gateway>, { server: boolean; client: boolean }]>([
    ['replicas', { replicas: 2 }, { server: true, client: true }],
    ['a node selector', { nodeSelector: { disk: 'ssd' } }, { server: true, client: true }],
    ['tolerations', { tolerations: [{ operator: 'Exists' }] }, { server: true, client: true }],
    ['ping', { ping: EVERYTHING.ping ?? null }, { server: true, client: true }],
    ['another listen port', { listenPort: 30000 }, { server: true, client: false }],
    ['the listen port of the Service', { listenPort: 51840 }, { server: false, client: false }],
    ['Service annotations before 1.2', { serviceAnnotations: { a: 'b' } }, { server: true, client: false }],
    ['the traffic policy Local', { externalTrafficPolicy: located('Local') }, { server: true, client: false }],
    ['a class', { ...BALANCED, loadBalancerClass: 'x/y' }, { server: true, client: false }],
    ['no node ports', { ...BALANCED, allocatesNodePorts: false }, { server: true, client: false }],
    ['a class without a load balancer', { loadBalancerClass: 'x/y' }, { server: false, client: false }],
    ['no node ports without a load balancer', { allocatesNodePorts: false }, { server: false, client: false }],
    [
      'a traffic policy that a ClusterIP cannot have',
      { service: 'ClusterIP', externalTrafficPolicy: located('Local') },
      { server: false, client: false },
    ],
  ])('makes one for %s', (_, gateway, { server, client }) => {
    const { rome, europe, along } = pair({ release: '1.1.2', gateway, liqoNamespace: 'liqo-system' });
    expect([gatewayTemplates(europe, WAVE).length === 1, gatewayTemplates(rome, WAVE).length === 1]).toEqual([
      server,
      client,
    ]);
    expect(serverTemplateRef(along)).toEqual({
      name: server ? 'weft-wireguard-server' : 'wireguard-server',
      namespace: 'liqo-system',
    });
    expect(clientTemplateRef(along)).toEqual({
      name: client ? 'weft-wireguard-client' : 'wireguard-client',
      namespace: 'liqo-system',
    });
    if (server) expect(templateOf(europe).metadata).toMatchObject(serverTemplateRef(along));
    if (client) expect(templateOf(rome).metadata).toMatchObject(clientTemplateRef(along));
  });

  it('creates none for Service annotations since 1.2, where the GatewayServer has them', () => {
    const { europe } = pair({ gateway: { serviceAnnotations: { a: 'b' } } });
    expect(gatewayTemplates(europe, WAVE)).toEqual([]);
  });

  it.each(RELEASES)('sets what only the Service of a template has, on %s', (release) => {
    const settings: Partial<Gateway> = {
      ...BALANCED,
      loadBalancerClass: 'service.k8s.aws/nlb',
      externalTrafficPolicy: located('Local'),
      allocatesNodePorts: false,
    };
    const { spec } = rendered(pair({ release, gateway: settings }).europe).spec.service;
    expect(spec).toMatchObject({
      loadBalancerClass: 'service.k8s.aws/nlb',
      externalTrafficPolicy: 'Local',
      allocateLoadBalancerNodePorts: false,
    });
    const plain = rendered(pair({ release, gateway: { ...BALANCED, listenPort: 30000 } }).europe).spec.service.spec;
    for (const key of ['loadBalancerClass', 'externalTrafficPolicy', 'allocateLoadBalancerNodePorts']) {
      expect(plain).not.toHaveProperty(key);
    }
  });

  it('creates one for a link with annotations of its own before 1.2', () => {
    const gateway = { serviceAnnotations: { a: 'of the cluster', b: 'of the cluster' } };
    const ofLink = (serviceAnnotations: Readonly<Record<string, string>>, release: string) => {
      const { europe, along } = pair({ release, gateway }, {}, { endpoint: { ...ENDPOINT, serviceAnnotations } });
      return { names: gatewayTemplates(europe, WAVE).map((it) => it.name), ref: serverTemplateRef(along).name };
    };
    const other = { a: 'of the link', b: 'of the cluster' };
    expect(ofLink(other, '1.1.2')).toEqual({
      names: ['weft-wireguard-server-rome'],
      ref: 'weft-wireguard-server-rome',
    });
    expect(ofLink({ b: 'of the cluster', a: 'of the cluster' }, '1.0.3').ref).toBe('weft-wireguard-server');
    expect(ofLink(other, '1.2.0')).toEqual({ names: [], ref: 'wireguard-server' });
  });

  it('creates none where every end refers to another template', () => {
    const theirs = { name: 'theirs', namespace: 'gateways' };
    const { rome, europe, along } = pair(
      { gateway: EVERYTHING },
      {},
      { templates: { server: theirs, client: theirs } },
    );
    expect([gatewayTemplates(rome, WAVE), gatewayTemplates(europe, WAVE)]).toEqual([[], []]);
    expect([serverTemplateRef(along), clientTemplateRef(along)]).toEqual([theirs, theirs]);
  });

  it.each(RELEASES)('has the flags of the chart of %s, with one replica', (release) => {
    const { rome, europe } = pair({ release, gateway: { nodeSelector: { disk: 'ssd' } } });
    const [server, client] = [rendered(europe), rendered(rome)];
    const identity = ['--name=rome', '--namespace=liqo-tenant-rome', '--remote-cluster-id=rome'];
    const pod = ['--node-name=$(NODE_NAME)', '--pod-name=$(POD_NAME)', `--gateway-uid=${DATA.GatewayUID}`];
    const election = release === '1.0.3' ? [] : ['--leader-election=false'];
    for (const [mode, object] of Object.entries({ server, client })) {
      expect(containerArguments(object, 'gateway')).toEqual([
        ...identity,
        ...pod,
        `--mode=${mode}`,
        '--container-name=gateway',
        '--concurrent-containers-names=wireguard,geneve',
        '--global-labels=liqo.io/managed=true',
        '--health-probe-bind-address=:8083',
        '--ping-enabled=true',
        '--ping-loss-threshold=5',
        '--ping-interval=2s',
        '--ping-update-status-interval=10s',
        `--leader-election=${release === '1.0.3'}`,
        ...(release === '1.0.3' ? [] : ['--enable-nft-monitor=true', '--enable-route-monitor=true']),
      ]);
      expect(containerArguments(object, 'geneve')).toEqual([
        ...identity,
        ...pod,
        '--mode=server',
        '--container-name=geneve',
        '--geneve-port=6091',
        '--health-probe-bind-address=:8087',
        ...election,
      ]);
    }
    const wireguard = [...identity, `--gateway-uid=${DATA.GatewayUID}`];
    expect(containerArguments(server, 'wireguard')).toEqual([
      ...wireguard,
      '--mode=server',
      '--container-name=wireguard',
      '--mtu=1340',
      '--listen-port=51840',
      '--health-probe-bind-address=:8085',
      ...election,
      '--implementation=kernel',
      ...(release === '1.2.0' ? ['--preserve-client-endpoint=true'] : []),
    ]);
    expect(containerArguments(client, 'wireguard')).toEqual([
      ...wireguard,
      '--mode=client',
      '--container-name=wireguard',
      '--mtu=1340',
      '--endpoint-address=203.0.113.10',
      '--endpoint-port=51840',
      '--health-probe-bind-address=:8085',
      ...election,
      '--implementation=kernel',
    ]);
    const active = release === '1.0.3' ? undefined : 'true';
    for (const object of [server, client]) {
      expect(object.metadata.labels['networking.liqo.io/active']).toBe(active);
      expect(object.spec.deployment.spec.template.metadata.labels['networking.liqo.io/active']).toBe(active);
      expect(object.spec.deployment.spec.selector.matchLabels).toEqual({
        'app.kubernetes.io/name': 'rome',
        'app.kubernetes.io/instance': 'liqo-rome',
        'app.kubernetes.io/component': 'networking',
        'app.kubernetes.io/part-of': 'liqo',
        'app.kubernetes.io/managed-by': 'Helm',
        'networking.liqo.io/component': 'gateway',
        'networking.liqo.io/gateway-name': 'rome',
        'networking.liqo.io/gateway-namespace': 'liqo-tenant-rome',
      });
    }
    expect(server.spec.service.spec.selector['networking.liqo.io/active']).toBe('true');
    expect(server.spec.service.spec.ports).toEqual([
      { port: 51840, protocol: 'UDP', targetPort: 51840, nodePort: 30742 },
    ]);
    expect(server.spec.service.spec).not.toHaveProperty('loadBalancerIP');
    expect(server.spec.service.metadata).not.toHaveProperty('annotations');
  });

  it.each(RELEASES)('elects a leader in every container and keeps replicas apart, on %s', (release) => {
    const { rome, europe } = pair({ release, gateway: HIGH_AVAILABILITY });
    for (const object of [rendered(europe), rendered(rome)]) {
      for (const name of ['gateway', 'wireguard', 'geneve']) {
        expect(containerArguments(object, name).filter((it) => it.startsWith('--leader-election'))).toEqual([
          '--leader-election=true',
        ]);
      }
      const { replicas, strategy, template } = object.spec.deployment.spec;
      expect([replicas, strategy]).toEqual([2, { type: 'Recreate' }]);
      expect(template.metadata.labels).not.toHaveProperty('networking.liqo.io/active');
      expect(template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
        {
          labelSelector: { matchLabels: { 'networking.liqo.io/gateway-name': 'rome' } },
          topologyKey: 'kubernetes.io/hostname',
        },
      ]);
    }
  });

  it('passes texts of the topology through YAML and Go unchanged', () => {
    const { europe } = pair({ release: '1.1.2', gateway: EVERYTHING });
    const object = rendered(europe, {
      ...DATA,
      Spec: { ...DATA.Spec, Endpoint: { ...DATA.Spec.Endpoint, NodePort: undefined, LoadBalancerIP: '203.0.113.20' } },
    });
    const { service, deployment } = object.spec;
    expect(service.metadata.annotations).toEqual(EVERYTHING.serviceAnnotations);
    expect(service.spec.loadBalancerIP).toBe('203.0.113.20');
    expect(service.spec.ports).toEqual([{ port: 51840, protocol: 'UDP', targetPort: 30000 }]);
    const pod = deployment.spec.template.spec;
    expect(pod.nodeSelector).toEqual(EVERYTHING.nodeSelector);
    expect(pod.tolerations).toEqual(EVERYTHING.tolerations);
    expect(pod.containers.map((it: { image: string }) => it.image)).toEqual([
      'ghcr.io/liqotech/gateway:v1.1.2',
      'ghcr.io/liqotech/gateway/wireguard:v1.1.2',
      'ghcr.io/liqotech/gateway/geneve:v1.1.2',
    ]);
    expect(containerArguments(object, 'wireguard')).toContain('--listen-port=30000');
    expect(containerArguments(object, 'gateway')).toEqual(
      expect.arrayContaining([
        '--ping-enabled=false',
        '--ping-loss-threshold=7',
        '--ping-interval=3s',
        '--ping-update-status-interval=20s',
      ]),
    );
  });

  it('gives the same bytes whatever the order of keys', () => {
    const text = (nodeSelector: Record<string, string>) =>
      gatewayTemplates(pair({ gateway: { nodeSelector } }).europe, WAVE).map((it) => it.text);
    expect(text({ a: 'x', b: 'y' })).toEqual(text({ b: 'y', a: 'x' }));
  });

  it('makes label values of long image tags', () => {
    const image = { registry: 'registry.example/liqo', tag: `${'a'.repeat(57)}-${'b'.repeat(30)}.` };
    const { metadata } = rendered(pair({ image, gateway: HIGH_AVAILABILITY }).europe);
    expect(metadata.labels['helm.sh/chart']).toBe(`liqo-${'a'.repeat(57)}`);
    expect(metadata.labels['app.kubernetes.io/version']).toBe(`${'a'.repeat(57)}-bbbbb`);
  });

  describe('with the CRDs of Liqo', () => {
    it.each(
      RELEASES.flatMap((release) => [HIGH_AVAILABILITY, EVERYTHING].map((gateway) => [release, gateway] as const)),
    )('passes those of %s, as a template and rendered', (release, gateway) => {
      const { rome, europe } = pair({ release, gateway });
      for (const cluster of [rome, europe]) {
        expect(checkManifest(templateOf(cluster), release)).toEqual([]);
        expect(checkManifest(rendered(cluster), release)).toEqual([]);
      }
    });
  });
});
