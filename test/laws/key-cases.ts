import { TestCa } from '../support/test-ca.ts';

/** A fleet that uses every section. */
export const FLEET = {
  version: 1,
  name: 'fleet',
  hub: 'hub',
  liqo: { version: '1.1' },
  gitops: { repository: 'https://example.com/network.git', argo: {}, flux: {} },
  defaults: { serviceCIDR: '10.96.0.0/12' },
  clusters: {
    hub: { podCIDR: '10.1.0.0/16', gateway: { addresses: ['203.0.113.1'], service: 'LoadBalancer' } },
    rome: {
      podCIDR: '10.2.0.0/16',
      gateway: { addresses: ['203.0.113.2'] },
      monitoring: { prometheusRules: true },
    },
    milan: { podCIDR: '10.2.0.0/16', gateway: { addresses: ['203.0.113.3'] } },
    turin: { podCIDR: '10.4.0.0/16' },
  },
  shortcuts: [{ between: ['rome', 'milan'] }],
  peerings: [{ between: ['turin', 'rome'] }],
  sharing: [{ consumer: 'rome', provider: 'hub' }],
  offloading: [{ cluster: 'rome', namespace: 'demo', to: ['hub'] }],
};

/** The effect of a key, where its examples and values in `FLEET` do not show it. */
export interface KeyCase {
  /** Places of the key. */
  readonly at: RegExp;
  /** By place: what is there before as well as after; `undefined` removes it. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** By place: what comes together with the value. */
  readonly alongside?: Readonly<Record<string, unknown>>;
  /** Instead of the examples. */
  readonly values?: readonly unknown[];
  /** These values are refused, which is what the key decides. */
  readonly refuses?: boolean;
  /** The name that rome has in the lock. */
  readonly romeWas?: string;
}

const BALANCED = { 'clusters/rome/gateway/service': 'LoadBalancer' };
const TEMPLATED = { 'clusters/rome/gateway/replicas': 2, 'clusters/hub/gateway/replicas': 2 };
const NOTHING_OFFLOADED = { offloading: undefined };
const ASSERTED = [{ from: 'rome', to: 'milan', expect: 'reachable' }];
const ACCEPTED = [{ code: 'topology/nothing-reserved', reason: 'decided' }];
const CLOSED = { 'clusters/rome/boundary': 'closed', 'clusters/hub/boundary': 'closed' };
const OPENED = { ...CLOSED, boundaries: [{ from: 'hub', to: 'rome', toNamespace: 'web', ports: 80 }] };
const OPENED_AND_ASSERTED = {
  ...CLOSED,
  boundaries: [
    { from: 'hub', to: 'rome', toNamespace: 'web', ports: 79 },
    { from: 'hub', fromNamespace: 'app', to: 'rome', toNamespace: 'web', ports: 79 },
    { from: 'hub', fromNamespace: 'other', to: 'rome', ports: 80 },
  ],
  assertions: [{ from: 'hub', to: 'rome', expect: 'reachable', port: 80 }],
};
const CREDENTIALS = { 'sharing/0/auth': 'credentials', 'sharing/0/credentials': { store: 'store', key: 'key' } };

/** The file that the fleet includes where it has `include`. */
export const INCLUDED = {
  path: 'regions/eu.yaml',
  text: 'version: 1\nclusters: { oslo: { podCIDR: 10.9.0.0/16 } }\n',
};

export const KEY_CASES: readonly KeyCase[] = [
  { at: /^version$/, values: [2], refuses: true },
  { at: /^(clusters\/rome\/)?liqo\/namespace$/, values: ['liqo-system'] },
  { at: /liqo\/image\/registry$/, beside: TEMPLATED, values: ['mirror.example.com/liqo'] },
  { at: /liqo\/image\/tag$/, beside: TEMPLATED, values: ['v1.1.0'] },
  { at: /^clusters\/rome\/liqo\/version$/, values: ['1.2'] },
  { at: /^ipam\/allocator$/, values: ['best-fit'], refuses: true },
  { at: /^ipam\/pools$/, values: [['10.0.0.0/8']] },
  {
    at: /^ipam\/carve\/from$/,
    beside: { 'ipam/carve': { from: '10.128.0.0/9', prefix: 18 }, 'clusters/rome/externalCIDR': 'auto' },
    values: ['10.64.0.0/10'],
  },
  {
    at: /^ipam\/carve\/prefix$/,
    beside: { 'ipam/carve': { from: '10.128.0.0/9', prefix: 18 }, 'clusters/rome/externalCIDR': 'auto' },
    values: [20],
  },
  {
    at: /boundary$/,
    beside: { boundaries: [{ from: {}, to: 'rome', toNamespace: 'web', ports: 80 }] },
    values: ['closed'],
  },
  { at: /^boundaries$/, beside: CLOSED, values: [[{ from: 'hub', to: 'rome', toNamespace: 'web' }]] },
  { at: /^boundaries\/0\/(from|to)$/, beside: OPENED, values: [{}] },
  { at: /^boundaries\/0\/fromCIDR$/, beside: OPENED, values: ['10.1.3.0/24'] },
  {
    at: /^boundaries\/0\/toCIDR$/,
    beside: { ...OPENED, 'boundaries/0/fromNamespace': 'app' },
    values: ['10.2.3.0/24'],
  },
  { at: /^boundaries\/0\/toPods$/, beside: OPENED, values: [{ app: 'shop' }] },
  { at: /^boundaries\/0\//, beside: OPENED },
  {
    at: /^assertions\/0\/by$/,
    beside: {
      assertions: [{ from: 'turin', to: 'milan', expect: 'unreachable' }],
      peerings: undefined,
      'clusters/turin/hub': [],
    },
    values: ['fence'],
    refuses: true,
  },
  { at: /^hub$/, beside: { shortcuts: undefined }, values: [['hub', 'milan']] },
  { at: /^(peerings|shortcuts|sharing)$/, beside: NOTHING_OFFLOADED, values: [[]] },
  { at: /^peerings\/0\/between$/, values: [['turin', 'milan']] },
  { at: /^shortcuts\/0\/between$/, beside: { peerings: undefined }, values: [['rome', 'turin']] },
  { at: /^peerings\/0\/server$/, beside: { 'peerings/0/between': ['hub', 'rome'] }, values: ['rome'] },
  { at: /^shortcuts\/0\/server$/, values: ['rome'] },
  { at: /^peerings\/0\/servicePort$/, beside: { 'peerings/0/service': 'LoadBalancer' }, values: [51_999] },
  { at: /^shortcuts\/0\/servicePort$/, beside: { 'shortcuts/0/service': 'LoadBalancer' }, values: [51_999] },
  { at: /^peerings\/0\/loadBalancerIP$/, beside: { 'peerings/0/service': 'LoadBalancer' } },
  { at: /^shortcuts\/0\/loadBalancerIP$/, beside: { 'shortcuts/0/service': 'LoadBalancer' } },
  { at: /^peerings\/0\/template\/server\/namespace$/, beside: { 'peerings/0/template/server/name': 'own' } },
  { at: /^peerings\/0\/template\/client\/namespace$/, beside: { 'peerings/0/template/client/name': 'own' } },
  { at: /^shortcuts\/0\/template\/server\/namespace$/, beside: { 'shortcuts/0/template/server/name': 'own' } },
  { at: /^shortcuts\/0\/template\/client\/namespace$/, beside: { 'shortcuts/0/template/client/name': 'own' } },
  {
    at: /^order$/,
    beside: { 'clusters/como': { podCIDR: '10.1.0.0/16' }, 'clusters/pisa': { podCIDR: '10.1.0.0/16' } },
    values: [['pisa', 'como']],
  },
  { at: /^include$/, values: [[INCLUDED.path]] },
  { at: /^keys\/secrets$/, values: ['liqo'] },
  { at: /^keys\/secrets$/, values: ['external'], alongside: { 'keys/store': 'network' } },
  { at: /^keys\/(store|storeKind|key)$/, beside: { 'keys/secrets': 'external', 'keys/store': 'vault' } },
  { at: /^clusters$/, values: [{ ...FLEET.clusters, oslo: { podCIDR: '10.9.0.0/16' } }] },
  { at: /^clusters\/rome\/serviceCIDR$/, values: ['10.112.0.0/12'] },
  {
    at: /^clusters\/rome\/labels$/,
    beside: {
      'clusters/rome/labels': { tier: 'hub' },
      'clusters/milan/labels': { tier: 'leaf' },
      'clusters/turin/labels': { tier: 'leaf' },
      'peerings/0/between': { tier: 'leaf' },
      shortcuts: undefined,
    },
    values: [{ tier: 'leaf' }],
  },
  {
    at: /^clusters\/rome\/apiServer\/ca$/,
    beside: { 'clusters/rome/apiServer/address': 'rome.example.com:6443' },
    values: [Buffer.from(new TestCa('rome').pem).toString('base64')],
  },
  {
    at: /^clusters\/rome\/apiServer\/trustedCA$/,
    beside: { 'clusters/rome/apiServer/address': 'rome.example.com:6443' },
  },
  {
    at: /^clusters\/rome\/capacity$/,
    beside: { 'sharing/1': { consumer: 'milan', provider: 'rome', resources: { cpu: 4 } } },
    values: [{ cpu: 1 }],
  },
  { at: /^clusters\/rome\/renamedFrom$/, romeWas: 'genoa', values: ['genoa'] },
  { at: /^clusters\/rome\/hub$/, beside: { shortcuts: undefined }, values: [['hub', 'milan']] },
  { at: /gateway\/ports$/, beside: BALANCED, values: ['40000-40999'] },
  { at: /gateway\/nodePorts$/, values: ['32700-32767'] },
  { at: /gateway\/(loadBalancerIP|loadBalancerClass|allocateLoadBalancerNodePorts)$/, beside: BALANCED },
  { at: /gateway\/mtu$/, values: [1200] },
  {
    at: /gateway\/tolerations\/0\/(value|effect|tolerationSeconds)$/,
    beside: { 'clusters/rome/gateway/tolerations': [{ key: 'gateways', effect: 'NoExecute' }] },
  },
  { at: /gateway\/listenPort$/, values: [51_999] },
  { at: /gateway\/ping\/enabled$/, values: [false] },
  { at: /gateway\/ping\/lossThreshold$/, values: [10] },
  { at: /gateway\/ping\/updateStatusInterval$/, values: ['1m'] },
  { at: /monitoring\/prometheusRules$/, values: [false] },
  { at: /monitoring\/latencyFor$/, values: ['20m'] },
  { at: /^clusters\/rome\/gitops\/name$/, values: ['rome-1'] },
  { at: /^gitops\/revision$/, values: ['v1'] },
  { at: /^gitops\/(argo|flux)\/namespace$/, values: ['gitops'] },
  { at: /^sharing\/0\/(consumer|provider)$/, beside: NOTHING_OFFLOADED, values: ['milan'] },
  { at: /^sharing\/0\/(slices\/0\/)?class$/, values: ['gold'] },
  {
    at: /^sharing\/0\/virtualNode\/taints\/0\/(key|value|effect)$/,
    beside: { 'sharing/0/virtualNode/taints': [{ key: 'tier', effect: 'NoExecute' }] },
  },
  {
    at: /^sharing\/0\/slices\/0\/virtualNode\/taints\/0\/(key|value|effect)$/,
    beside: { 'sharing/0/slices/0/virtualNode/taints': [{ key: 'tier', effect: 'NoExecute' }] },
  },
  { at: /^sharing\/0\/credentials\/.*$/, beside: CREDENTIALS, values: ['SecretStore'] },
  { at: /^sharing\/0\/credentials\/.*$/, beside: CREDENTIALS },
  { at: /^offloading$/, values: [[]] },
  {
    at: /^offloading\/0\/cluster$/,
    beside: { 'sharing/1': { consumer: 'milan', provider: 'hub' } },
    values: ['milan'],
  },
  { at: /^offloading\/0\/namespace$/, values: ['shop'] },
  {
    at: /^offloading\/0\/directConnections$/,
    beside: { 'sharing/1': { consumer: 'rome', provider: 'milan' }, 'offloading/0/to': ['hub', 'milan'] },
  },
  { at: /^assertions$/, values: [ASSERTED] },
  { at: /^assertions\/0\/(from|to)$/, beside: { assertions: ASSERTED }, values: ['hub'] },
  { at: /^assertions\/0\/fromNamespace$/, beside: OPENED_AND_ASSERTED, values: ['app'], refuses: true },
  { at: /^assertions\/0\/toNamespace$/, beside: OPENED_AND_ASSERTED, values: ['web'], refuses: true },
  { at: /^assertions\/0\/protocol$/, beside: OPENED_AND_ASSERTED, values: ['UDP'], refuses: true },
  { at: /^assertions\/0\/port$/, beside: OPENED_AND_ASSERTED, values: [81], refuses: true },
  { at: /^assertions\/0\/via$/, beside: { assertions: ASSERTED }, values: ['hub'], refuses: true },
  { at: /^assertions\/0\/expect$/, beside: { assertions: ASSERTED }, values: ['unreachable'], refuses: true },
  { at: /^assertions\/0\/without$/, beside: { assertions: ASSERTED }, values: ['any-link'], refuses: true },
  { at: /^accept$/, values: [ACCEPTED] },
  { at: /^accept\/0\/code$/, beside: { accept: ACCEPTED }, values: ['topology/version-skew'] },
  { at: /^accept\/0\/cluster$/, beside: { accept: ACCEPTED }, values: ['milan'] },
  { at: /^accept\/0\/link$/, beside: { accept: ACCEPTED } },
  { at: /^accept\/0\/reason$/, beside: { accept: ACCEPTED } },
];
