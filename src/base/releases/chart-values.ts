import { isOlder } from './release.ts';

/** A part of the chart's values as a JSON Schema; `x-weft-since` and `x-weft-until` are releases, `x-weft-format` a format of texts. */
export interface ChartPart {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, ChartPart>>;
  readonly additionalProperties?: ChartPart | boolean;
  readonly items?: ChartPart;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-weft-format'?: string;
  readonly 'x-weft-since'?: string;
  readonly 'x-weft-until'?: string;
}

const text: ChartPart = { type: 'string' };
const flag: ChartPart = { type: 'boolean' };
const texts: ChartPart = { type: 'array', items: text };
/** A map that Kubernetes or a template reads as it is. */
const anyMap: ChartPart = { type: 'object' };
const maps: ChartPart = { type: 'array', items: anyMap };
const textMap: ChartPart = { type: 'object', additionalProperties: text };
const labels: ChartPart = { ...textMap, 'x-weft-format': 'labels' };
const annotations: ChartPart = { ...textMap, 'x-weft-format': 'annotations' };
const selector: ChartPart = { ...textMap, 'x-weft-format': 'cluster-labels' };
const tolerations: ChartPart = { ...maps, 'x-weft-format': 'tolerations' };
const amounts: ChartPart = {
  type: 'object',
  'x-weft-format': 'resources',
  additionalProperties: { type: ['string', 'number'] },
};
const subdomain: ChartPart = { type: 'string', 'x-weft-format': 'dns-subdomain' };
const dnsLabel: ChartPart = { type: 'string', 'x-weft-format': 'dns-label' };

const integer = (minimum: number, maximum = 2_147_483_647): ChartPart => ({ type: 'integer', minimum, maximum });
const count = integer(0);
const port = integer(0, 65_535);
const oneOf = (...values: readonly string[]): ChartPart => ({ type: 'string', enum: values });
const map = (properties: Readonly<Record<string, ChartPart>>): ChartPart => ({
  type: 'object',
  additionalProperties: false,
  properties,
});
const arrayOf = (items: ChartPart): ChartPart => ({ type: 'array', items });
const since = (release: string, part: ChartPart): ChartPart => ({ ...part, 'x-weft-since': release });
const until = (release: string, part: ChartPart): ChartPart => ({ ...part, 'x-weft-until': release });
const described = (description: string, part: ChartPart): ChartPart => ({ ...part, description });

/** A switch, which the release candidates named in another way. */
const enabled = { enable: until('1.0.0-rc.2', flag), enabled: since('1.0.0', flag) };

const named = (name: string): ChartPart => ({ $ref: `#/$defs/chart.${name}` });
const [image, resources, pod, service, monitor] = ['image', 'resources', 'pod', 'service', 'monitor'].map(named) as [
  ChartPart,
  ChartPart,
  ChartPart,
  ChartPart,
  ChartPart,
];

/** Parts that occur at several places. */
const shared = {
  image: map({ name: text, version: text }),
  resources: map({ limits: amounts, requests: amounts }),
  pod: map({ annotations, labels, extraArgs: texts, resources, priorityClassName: text }),
  service: map({ labels, annotations }),
  monitor: map({ enabled: flag, interval: text, scrapeTimeout: text, labels }),
};

const scheduledOnce = map({ annotations, labels, extraArgs: texts, resources });
const component = { pod, image };
/** Either a text, which git would keep, or a reference to a Secret. */
const secret: ChartPart = {
  ...map({ secretKeyRef: map({ name: text, key: text }) }),
  type: ['string', 'object'],
  'x-weft-format': 'no-secret',
};

const reflected = (kind: string, more: Readonly<Record<string, ChartPart>> = {}): ChartPart =>
  described(
    `Reflection of ${kind}.`,
    map({ workers: described('Workers of each virtual kubelet. 0 reflects none.', count), ...more }),
  );

const copied = described(
  'DenyList: everything but what is annotated `liqo.io/skip-reflection`. AllowList: only what is annotated `liqo.io/allow-reflection`.',
  oneOf('DenyList', 'AllowList'),
);

const classes = (what: string): ChartPart =>
  described(
    `${what} classes that consumers see. Default: names are taken as they are.`,
    arrayOf(map({ name: subdomain, default: flag })),
  );

const networking = map({
  enabled: flag,
  reflectIPs: described('False copies no addresses of pods: Services work within each cluster only.', flag),
  denyDirectConnections: since('1.2', flag),
  genevePort: since('1.0.0-rc.2', port),
  serverResources: maps,
  clientResources: maps,
  gateway: since('1.1', map({ mssclamp: map({ enabled: flag, value: count }) })),
  gatewayTemplates: map({
    wireguard: map({
      implementation: oneOf('kernel', 'userspace'),
      preserveClientEndpoint: since('1.2', flag),
    }),
    replicas: count,
    ping: map({ lossThreshold: count, interval: text, updateStatusInterval: text }),
    server: map({ service: map({ allocateLoadBalancerNodePorts: { type: ['string', 'boolean'] }, annotations }) }),
    pod: since('1.1', map({ priorityClassName: text, tolerations })),
    container: map(
      Object.fromEntries(
        ['gateway', 'wireguard', 'geneve'].map((it) => [it, map({ image, resources: since('1.2', resources) })]),
      ),
    ),
    nftablesMonitor: since('1.1', flag),
    routeMonitor: since('1.1', flag),
  }),
  fabric: map({
    ...component,
    nodeSelector: since('1.0.2', selector),
    affinity: since('1.0.2', anyMap),
    tolerations,
    config: map({
      fullMasquerade: flag,
      gatewayMasqueradeBypass: flag,
      nftablesMonitor: since('1.0.0', flag),
      routeMonitor: since('1.1', flag),
      routeConfigurationRulePriority: since('1.2', count),
      healthProbeBindAddressPort: since('1.0.0', text),
      metricsAddressPort: since('1.0.0', text),
    }),
  }),
});

const authentication = map({
  enabled: flag,
  tlsCompatibilityMode: since('1.0.2', flag),
  awsConfig: map({
    accessKeyId: secret,
    secretAccessKey: secret,
    region: text,
    clusterName: text,
    useExistingSecret: flag,
  }),
});

const offloading = map({
  enabled: flag,
  defaultNodeResources: described('What a slice gets of a resource that it does not name.', amounts),
  createNode: flag,
  disableNetworkCheck: flag,
  runtimeClass: map({
    enable: until('1.0.0-rc.2', flag),
    name: dnsLabel,
    annotations,
    labels,
    handler: text,
    nodeSelector: map({ ...enabled, labels: selector }),
    tolerations: map({ ...enabled, tolerations }),
  }),
  reflection: described(
    'What a consumer copies of its offloaded namespaces to providers. Liqo reads it when a virtual node is made.',
    map({
      skip: map({
        labels: described('Keys of labels that are not copied.', { ...texts, 'x-weft-format': 'label-key' }),
        annotations: described('Keys of annotations that are not copied, besides those that the chart lists.', {
          ...texts,
          'x-weft-format': 'annotation-key',
        }),
      }),
      pod: reflected('pods'),
      service: reflected('Services', { type: copied, loadBalancerClasses: classes('Load balancer') }),
      endpointslice: reflected('EndpointSlices'),
      ingress: reflected('Ingresses', { type: copied, ingressClasses: classes('Ingress') }),
      configmap: reflected('ConfigMaps', { type: copied }),
      secret: reflected('Secrets', { type: copied }),
      serviceaccount: reflected('ServiceAccounts'),
      persistentvolumeclaim: reflected('volume claims'),
      event: reflected('Events', { type: copied }),
    }),
  ),
});

const virtualKubelet = described(
  'The virtual kubelets of a consumer. Liqo reads this when a virtual node is made.',
  map({
    replicas: since(
      '1.0.0',
      described('Pods per virtual kubelet. One is active, the others are on standby.', integer(1)),
    ),
    image,
    extra: map({
      annotations: described('Annotations of its pods.', annotations),
      labels: described('Labels of its pods.', labels),
      args: described('Further arguments of the virtual kubelet.', { ...texts, 'x-weft-format': 'kubelet-argument' }),
      resources,
      tolerations: since('1.1', tolerations),
    }),
    virtualNode: map({
      extra: map({
        annotations: described('Annotations of all virtual nodes.', annotations),
        labels: described('Labels of all virtual nodes.', labels),
      }),
    }),
    metrics: map({ port, podMonitor: map({ interval: text, scrapeTimeout: text, labels }) }),
  }),
);

const controllerManager = map({
  replicas: count,
  ...component,
  config: map({
    enableResourceEnforcement: described('False accepts pods beyond the resources of their slice.', flag),
    defaultLimitsEnforcement: described(
      'How the resources of a slice bind. None: requests of pods are counted. Soft: pods must have requests. Hard: limits must equal requests.',
      oneOf('None', 'Soft', 'Hard'),
    ),
    enableNodeFailureController: flag,
  }),
  metrics: map({ service, serviceMonitor: monitor }),
});

const ipam = map({
  external: map({ enabled: flag, url: text }),
  internal: map({
    ...component,
    replicas: count,
    graphviz: since('1.0.0', flag),
    syncInterval: since('1.0.0', text),
    syncGracePeriod: since('1.0.0', text),
  }),
  podCIDR: text,
  podCIDRs: since('1.2', texts),
  serviceCIDR: text,
  externalCIDR: text,
  internalCIDR: text,
  reservedSubnets: texts,
  additionalPools: until('1.0.0-rc.2', texts),
  pools: since('1.0.0', texts),
});

/**
 * The values of Liqo's chart: what they are called, and what they may be. Source: liqotech/liqo@v1.0.0-rc.1 to @v1.2.0
 * deployments/liqo/values.yaml, and deployments/liqo/templates where a template decides the type.
 */
export const CHART: ChartPart = map({
  tag: text,
  nameOverride: text,
  fullnameOverride: text,
  pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
  imagePullSecrets: since('1.0.1', arrayOf(map({ name: subdomain }))),
  'liqo-crds': since(
    '1.1',
    map({
      crdUpgrade: map({
        enabled: flag,
        keepResources: flag,
        image: map({ name: text, version: text, pullPolicy: text }),
      }),
    }),
  ),
  metrics: map({ enabled: flag, prometheusOperator: map({ enabled: flag }) }),
  apiServer: map({ address: text, ca: text, trustedCA: flag }),
  networking,
  authentication,
  offloading,
  storage: map({
    ...enabled,
    virtualStorageClassName: subdomain,
    realStorageClassName: described(
      'Storage class behind the volumes of consumers. Default: the default one of the cluster.',
      subdomain,
    ),
    storageNamespace: dnsLabel,
  }),
  common: map({
    nodeSelector: selector,
    tolerations,
    affinity: anyMap,
    extraArgs: texts,
    globalLabels: since('1.0.0', selector),
    globalAnnotations: since('1.0.0', annotations),
  }),
  controllerManager,
  webhook: map({
    replicas: count,
    ...component,
    metrics: map({ service, serviceMonitor: monitor }),
    port,
    failurePolicy: oneOf('Fail', 'Ignore'),
    patch: map({ image: text }),
  }),
  ipam,
  crdReplicator: map({ ...component, metrics: map({ podMonitor: monitor }) }),
  discovery: map({
    config: map({
      clusterID: text,
      clusterLabels: described('Labels of the virtual nodes of this cluster in its consumers.', labels),
    }),
  }),
  metricAgent: map({
    enable: until('1.0.0-rc.2', flag),
    enabled: since('1.0.0', flag),
    config: map({ timeout: map({ read: text, write: text }) }),
    ...component,
    initContainer: map({ image }),
  }),
  telemetry: map({ ...enabled, pod: scheduledOnce, image, config: map({ schedule: text }) }),
  virtualKubelet,
  uninstaller: map({ pod: scheduledOnce, image }),
  proxy: map({
    enabled: since('1.0.0', flag),
    replicas: since('1.0.0', count),
    ...component,
    service: map({ type: text, annotations }),
    config: map({ listeningPort: port }),
  }),
  requirements: map({
    kernel: map({ disabled: until('1.0.0-rc.2', flag), enabled: since('1.0.0', flag) }),
  }),
  openshiftConfig: map({
    ...enabled,
    virtualKubeletSCCs: texts,
    gatewayServiceAccounts: since('1.0.0', texts),
  }),
});

/** The definitions to which `CHART` refers, by name. */
export const CHART_DEFS: Readonly<Record<string, ChartPart>> = Object.fromEntries(
  Object.entries(shared).map(([name, it]) => [`chart.${name}`, it]),
);

/** The part behind a reference. */
export const resolvedPart = (part: ChartPart): ChartPart =>
  part.$ref === undefined ? part : { ...CHART_DEFS[part.$ref.replace('#/$defs/', '')], ...part };

/** The part of the chart at a key of a map; `undefined` for a key that the chart does not have, or below what is free. */
export function chartPartBelow(part: ChartPart | undefined, key: string): ChartPart | undefined {
  if (part === undefined) return undefined;
  const { properties = {}, additionalProperties } = part;
  const below = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
  return typeof below === 'object' ? resolvedPart(below) : undefined;
}

/** True when the chart of a release has a part that the chart of some release has. */
export const isInRelease = (part: ChartPart, version: string): boolean =>
  !isOlder(version, part['x-weft-since'] ?? version) && !isOlder(part['x-weft-until'] ?? version, version);
