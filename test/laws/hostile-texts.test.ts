import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { RELEASE_LINES } from '../../src/base/releases/release.ts';
import { type Compiled, compile } from '../../src/compile.ts';
import { verifyBundle } from '../../src/proof/verify/verify-bundle.ts';
import { renderGatewayTemplate, type TemplateData } from '../bundle/liqo/render-gateway-template.ts';
import { documentsOf, fileKind, type KubernetesObject } from '../support/bundle-files.ts';
import { checkManifest } from '../support/crd.ts';
import { checkEntryPoint, entryPointSchemasMissing } from '../support/entry-point-schemas.ts';
import { law } from './law.ts';

/** Words and numbers that YAML 1.1, YAML 1.2 or a hasty reader takes for something other than a text. */
const WORDS = [
  ...['true', 'false', 'on', 'off', 'yes', 'no', 'y', 'n', 'null', 'nan', 'inf'],
  ...['1e3', '0x10', '0o17', '0b11', '1a', '0'],
];

/** Names that may contain dots. */
const DOTTED = ['1.20', '1.0', '0.5', '2024-01-01', '1e3.5', '127.0.0.1', '1.2.3'];

/** Names that may contain capitals and underscores. */
const LABELLED = ['True', 'NULL', 'NaN', 'Yes', '1_000', '12e03', '0x1F', 'a.b_c-d', '2024-01-01T00'];

/** Any text on one line, as in an annotation. */
const TEXTS = [
  ...[
    '',
    ' ',
    '~',
    '-',
    '---',
    '...',
    '? a',
    ': a',
    'a: b',
    'a #b',
    '# a',
    '- a',
    '| a',
    '> a',
    '@a',
    '`a`',
    '%a',
    '!a',
  ],
  ...[
    '&a',
    '*a',
    '[a]',
    '{a}',
    '"',
    "'",
    '\\',
    '\\n',
    '=',
    '<<',
    '.inf',
    '-.INF',
    '.5',
    '5.',
    '+1',
    '1:30',
    '190:20:30',
  ],
  ...[
    ' a',
    'a ',
    '{{ .Name }}',
    '{{{{',
    '}}',
    '"{{ "',
    '\u00e9\u4e16\ud83d\ude00',
    'a\u00a0b',
    'null ',
    '0777',
    '1,000',
  ],
];

/** Numbers alone become integers when Liqo renders a template, which is refused where it matters. */
const notAnInteger = (it: string): boolean => !/^[-+]?\d+$/.test(it);

const label = fc.constantFrom(...WORDS, '123');
const subdomain = fc.constantFrom(...WORDS, ...DOTTED, '123');
const labelValue = fc.constantFrom('', ...[...WORDS, ...DOTTED, ...LABELLED].filter(notAnInteger));
const labelKey = fc.constantFrom(...WORDS, ...DOTTED, ...LABELLED, '123', 'example.com/1.20', 'on.off/yes');
const anyText = fc.oneof(
  fc.constantFrom(...TEXTS, ...WORDS, ...DOTTED, ...LABELLED, '123'),
  fc.string({ maxLength: 12 }),
);
const entries = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>) => fc.dictionary(key, value, { maxKeys: 4 });
const clusterId = fc.constantFrom(...WORDS.filter(notAnInteger));

const toleration = fc.oneof(
  fc.record({ key: labelKey.filter(notAnInteger), value: labelValue }),
  fc.record({ operator: fc.constant('Exists'), effect: fc.constantFrom('NoSchedule', 'NoExecute') }),
);

const gateway = fc.record({
  nodeSelector: entries(labelKey, labelValue),
  tolerations: fc.array(toleration, { maxLength: 2 }),
  serviceAnnotations: entries(labelKey, anyText),
  service: fc.constantFrom('NodePort', 'LoadBalancer'),
  loadBalancerClass: labelKey.filter(notAnInteger),
  externalTrafficPolicy: fc.constantFrom('Cluster', 'Local'),
  allocateLoadBalancerNodePorts: fc.boolean(),
});

const revision = fc.constantFrom(
  ...WORDS,
  ...DOTTED,
  ...LABELLED,
  '1.20',
  'a{b}',
  "it's",
  'a"b',
  'a#b',
  '%a',
  '!a',
  '&a',
  '=',
);
const path = fc.constantFrom(
  ...WORDS,
  ...DOTTED,
  ...LABELLED,
  'a: b',
  'a #b',
  "it's",
  'a"b',
  'a*b',
  '@a',
  '.',
  'x/1.20',
  '\u00e9',
);
const argoName = fc.constantFrom(...WORDS, ...DOTTED, ...LABELLED, 'a: b', 'a #b', '123', "it's", '~', '-');

/** A loan of the hub to the leaf, and a namespace of the leaf. */
const shared = fc.record({
  slice: label,
  class: label,
  resource: fc.constantFrom('cpu', 'example.com/1.20', 'on.off/yes', 'nvidia.com/0x1F'),
  virtualNode: fc.record({
    labels: entries(labelKey, labelValue),
    annotations: entries(labelKey, anyText),
    taints: fc.array(fc.record({ key: labelKey, value: labelValue, effect: fc.constant('NoSchedule') }), {
      maxLength: 1,
    }),
  }),
  namespace: label,
  remoteName: label,
});

const fleet = fc
  .record({
    release: fc.constantFrom(...RELEASE_LINES),
    ids: fc.uniqueArray(clusterId, { minLength: 3, maxLength: 3 }),
    fleetName: label,
    namespace: label,
    secretName: subdomain.filter(notAnInteger),
    registry: fc.constantFrom('on', '0x10', '1e3/null', 'null.example.com:5000/1.20/no'),
    tag: fc.constantFrom(...WORDS, ...DOTTED, ...LABELLED, '123'),
    labels: entries(labelKey, labelValue),
    gateway,
    ofLink: entries(labelKey, anyText),
    template: subdomain,
    names: fc.record({
      namespace: label.filter(notAnInteger),
      gateway: label.filter(notAnInteger),
      configuration: subdomain,
      publicKey: subdomain,
      secret: subdomain.filter(notAnInteger),
    }),
    shared,
    gitops: fc.record({
      revision,
      path,
      argo: fc.record({ namespace: label, project: subdomain.filter((it) => it !== 'default') }),
      flux: fc.record({ namespace: label, source: subdomain, dependsOn: fc.uniqueArray(subdomain, { maxLength: 2 }) }),
    }),
    ofCluster: fc.record({ name: argoName, kubeConfigSecret: subdomain }),
  })
  .filter((it) => !it.ids.includes(it.ofCluster.name))
  // Names of others: of the gateway's account, of the namespaces that Liqo, Argo CD and Flux run in.
  .filter(
    ({ ids, shared, namespace, names, gitops: { argo, flux } }) =>
      !ids.includes(shared.slice) &&
      ![shared.namespace, shared.remoteName].includes(namespace) &&
      ![argo.namespace, flux.namespace].includes(shared.namespace) &&
      ![shared.namespace, shared.remoteName, namespace].includes(names.namespace) &&
      // The other link of that cluster.
      !ids.includes(names.configuration),
  );

type Fleet = typeof fleet extends fc.Arbitrary<infer T> ? T : never;

function topologyOf(it: Fleet): string {
  const [hub, leaf, other] = it.ids as [string, string, string];
  const topology = {
    version: 1,
    name: it.fleetName,
    liqo: { version: it.release, namespace: it.namespace, image: { registry: it.registry, tag: it.tag } },
    hub,
    keys: { secretName: it.secretName },
    gitops: { repository: 'https://example.com/network.git', ...it.gitops },
    defaults: { serviceCIDR: '10.96.0.0/12', reserved: ['192.168.0.0/24'], labels: it.labels },
    clusters: {
      [hub]: { podCIDR: '10.1.0.0/16', gateway: { addresses: ['203.0.113.1'], ...it.gateway } },
      [leaf]: { podCIDR: '10.2.0.0/16', gateway: { addresses: ['203.0.113.2'], ...it.gateway }, gitops: it.ofCluster },
      [other]: { podCIDR: '10.1.0.0/16', liqo: { namespace: 'liqo' } },
    },
    peerings: [
      {
        between: [other, hub],
        names: {
          [hub]: { namespace: it.names.namespace, gateway: it.names.gateway, secret: it.names.secret },
          [other]: { configuration: it.names.configuration, publicKey: it.names.publicKey },
        },
        template: { client: { name: it.template, namespace: it.namespace } },
        serviceAnnotations: it.ofLink,
      },
    ],
    shortcuts: [[leaf, other]],
    sharing: [
      {
        consumer: leaf,
        provider: hub,
        slices: [
          {
            name: it.shared.slice,
            class: it.shared.class,
            resources: { [it.shared.resource]: '1' },
            virtualNode: it.shared.virtualNode,
          },
        ],
      },
    ],
    offloading: [{ cluster: leaf, namespace: it.shared.namespace, remoteName: it.shared.remoteName }],
  };
  return stringify(topology, { aliasDuplicateObjects: false, lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' });
}

function compiledFrom(text: string): Compiled {
  const sources = { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined };
  const result = compile(sources, { relock: [], only: null });
  const errors = result.diagnostics.filter((it) => it.severity === 'error');
  expect(
    errors.map((it) => `${it.code}: ${it.message}`),
    text,
  ).toEqual([]);
  if (!result.ok) throw new Error('unreachable: there were no errors');
  return result.value;
}

/** The values that Liqo inserts when it renders the template of a gateway. */
const DATA: TemplateData = {
  Name: 'peer',
  Namespace: 'liqo-tenant-peer',
  ClusterID: 'peer',
  GatewayUID: 'uid',
  SecretName: 'gw-keys',
  Spec: {
    MTU: 1340,
    SecretRef: { Name: 'gw-keys' },
    Endpoint: { Port: 51840, ServiceType: 'NodePort', NodePort: 30_000, LoadBalancerIP: '' },
  },
};

interface Rendered {
  readonly spec: {
    readonly service: {
      readonly metadata: { readonly annotations?: unknown };
      readonly spec: { readonly loadBalancerClass?: unknown };
    };
    readonly deployment: {
      readonly spec: {
        readonly template: {
          readonly spec: {
            readonly nodeSelector?: unknown;
            readonly tolerations?: unknown;
            readonly containers: readonly { readonly image: string }[];
          };
        };
      };
    };
  };
}

interface GatewayServer {
  readonly kind: string;
  readonly spec: { readonly serverTemplateRef: { readonly name: string } };
}

const yamlFiles = ({ bundle }: Compiled) => [...bundle].filter(([path]) => path.endsWith('.yaml'));

describe('texts that look like something else, and that Kubernetes and the tools accept', () => {
  law(
    'compile, read back equal in YAML 1.1 and 1.2, and pass verify',
    60,
    fc.property(fleet, (it) => {
      const compiled = compiledFrom(topologyOf(it));
      for (const [, text] of yamlFiles(compiled)) expect(documentsOf(text, '1.1')).toEqual(documentsOf(text, '1.2'));
      const { bundle, inputs } = compiled;
      const found = verifyBundle({ files: bundle, root: 'out', sources: inputs, compiled: bundle });
      expect(found.map((one) => `${one.code} ${one.span.source.path}: ${one.message}`)).toEqual([]);
    }),
  );

  law(
    'are what the schemas of Argo CD and Flux accept (skipped without their packages)',
    20,
    fc.property(fleet, (it) => {
      const files = yamlFiles(compiledFrom(topologyOf(it))).filter(([file]) => fileKind(file) === 'entry-point');
      const objects = files.flatMap(([, text]) => documentsOf(text) as KubernetesObject[]);
      expect(objects.length).toBeGreaterThan(4);
      expect(objects.flatMap(checkEntryPoint)).toEqual([]);
    }),
    { skip: entryPointSchemasMissing },
  );

  law(
    'reach the pods and Services of gateways as they were written, when Liqo renders a template before 1.2',
    30,
    fc.property(fleet, (it) => {
      fc.pre(it.release !== '1.2' && Object.keys(it.gateway.serviceAnnotations).length > 0);
      const { bundle } = compiledFrom(topologyOf(it));
      const renderedFor = (peer: string | undefined): Rendered => {
        const objects = documentsOf(bundle.get(`${it.ids[0]}/peers/${peer}/${peer}.yaml`) ?? '') as GatewayServer[];
        const server = objects.find((one) => one.kind === 'GatewayServer');
        const path = `${it.ids[0]}/gateway-templates/${server?.spec.serverTemplateRef.name}.yaml`;
        const [template] = documentsOf(bundle.get(path) ?? '') as { spec: { template: unknown } }[];
        return renderGatewayTemplate(template?.spec.template, DATA) as Rendered;
      };
      const rendered = renderedFor(it.ids[1]);
      const pod = rendered.spec.deployment.spec.template.spec;
      const { service } = rendered.spec;
      expect(service.metadata.annotations).toEqual(it.gateway.serviceAnnotations);
      const ofLink = { ...it.gateway.serviceAnnotations, ...it.ofLink };
      expect(renderedFor(it.ids[2]).spec.service.metadata.annotations).toEqual(ofLink);
      const isBalanced = it.gateway.service === 'LoadBalancer';
      expect(service.spec.loadBalancerClass).toBe(isBalanced ? it.gateway.loadBalancerClass : undefined);
      expect(pod.nodeSelector ?? {}).toEqual(it.gateway.nodeSelector);
      expect(pod.tolerations ?? []).toEqual(it.gateway.tolerations);
      expect(pod.containers[0]?.image).toBe(`${it.registry}/gateway:${it.tag}`);
    }),
  );

  law(
    'are what the CRDs of Liqo accept',
    20,
    fc.property(fleet, (it) => {
      const files = yamlFiles(compiledFrom(topologyOf(it))).filter(([file]) => fileKind(file) === 'object');
      const objects = files.flatMap(([, text]) => documentsOf(text) as KubernetesObject[]);
      expect(objects.length).toBeGreaterThan(10);
      expect(objects.flatMap((one) => checkManifest(one, `${it.release}`))).toEqual([]);
    }),
  );

  it.each([
    ['name: "true"', 'name: true', 'is true, but the topology requires "true"'],
    ['mtu: 1340', 'mtu: "1340"', 'is "1340", but the topology requires 1340'],
  ])('but not as another type: %s', (right, wrong, message) => {
    const text = `
version: 1
name: fleet
hub: a
keys: { secretName: "true" }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters: { a: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1 }, b: { podCIDR: 10.2.0.0/16 } }
`;
    const { bundle, inputs } = compiledFrom(text);
    const path = 'a/peers/b/b.yaml';
    const edited = (bundle.get(path) ?? '').replace(right, wrong);
    expect(edited).not.toBe(bundle.get(path));
    const files = new Map([...bundle, [path, edited]]);
    const found = verifyBundle({ files, root: 'out', sources: inputs, compiled: bundle });
    expect(found.map((it) => it.message)).toEqual([expect.stringContaining(message)]);
  });
});
