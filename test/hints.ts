import type { RelockTarget } from '../src/base/core/lock-key.ts';
import type { Code } from '../src/base/diagnostics/codes.ts';

/** One way that a hint offers, and how a person follows it in the example of the page. */
export interface Way {
  /** The words of the hint. */
  readonly says: string;
  /** Texts of the example that the person types in another way. */
  readonly edits: readonly (readonly [instead: string, typed: string])[];
  /** The clusters or links that `compile --relock` names. */
  readonly relock: readonly RelockTarget[];
}

const way = (says: string, ...edits: Way['edits']): Way => ({ says, edits, relock: [] });
const relock = (says: string, cluster: string, peer: string | null = null): Way => ({
  says,
  edits: [],
  relock: [{ cluster, peer }],
});

/** Hints that no edit of the topology follows: with what a person does instead. */
export const BY_HAND: Readonly<Partial<Record<Code, string>>> = {
  'source/empty': 'the file is restored, or written anew',
  'topology/unknown-patch': 'notes of the release are read; nothing in the topology is wrong',
  'link/template-to-provide': 'the template is applied to the cluster',
  'keys/missing': 'a command makes the keys',
  'lock/view-moved': 'an object is made again in the cluster',
  'lock/port-moved': 'both ends are applied together',
  'ipam/taken-by-leaver': 'two changes are applied one after the other',
  'ipam/handed-over': 'two changes are applied one after the other',
  'sharing/key-missing': 'a command makes the keys',
  'sharing/answer-of-former-api-server': 'providers are upgraded, and a command records their answers',
  'sharing/class-of-others': 'a controller runs in the provider',
  'sharing/no-direct-connections': 'an annotation of Services is left away',
  'topology/bad-certificate': 'the certificate is that of a cluster',
  'topology/platform-in-progress': 'it is tried in the cluster',
  'topology/platform-limits': 'workloads are planned without it',
  'topology/one-source-address': 'policies of peers are written for it',
  'boundaries/one-source-address': 'the rest of the cluster is trusted, or not linked',
  'boundaries/nodes-not-matched': 'values of the network plugin are set',
  'topology/cni-settings': 'values of the network plugin are set',
};

/** The ways of every other hint that does not write the text itself which replaces what is underlined. */
export const WAYS: Readonly<Partial<Record<Code, readonly Way[]>>> = {
  'boundaries/matches-nothing': [way('correct the names', ['from: milan', 'from: rome'])],
  'boundaries/without-link': [
    way('add [rome, milan] to `shortcuts`', ['boundaries:', 'shortcuts: [[rome, milan]]\nboundaries:']),
    way('let in all that is behind it', ['from: rome, to: milan', 'from: europe, masqueraded: true, to: milan']),
  ],
  'boundaries/all-open': [
    way('set `boundary: closed` on "europe"', ['europe: {}', 'europe: { boundary: closed }']),
    way('or remove the entry', ['boundaries:\n  - { from: rome, to: europe, ports: 443 }\n', '']),
  ],
  'boundaries/outside-pods': [way('choose a part of 10.202.0.0/16', ['10.209.3.0/24', '10.202.3.0/24'])],
  'boundaries/masqueraded-pods': [way('remove `masqueraded`', [', masqueraded: true', ''])],
  'boundaries/system-namespace': [
    way('name a namespace of an application', ['toNamespace: liqo', 'toNamespace: shop']),
    way('leave the namespace out', [', toNamespace: liqo', '']),
  ],
  'boundaries/repeated': [way('remove the entry', ['  - { from: rome, to: milan, ports: 443 }\n', ''])],
  'boundaries/no-fence': [
    way('run Liqo 1.1 or later there', ['closed, liqo: { version: "1.0" }', 'closed, liqo: { version: "1.1" }']),
    way('set `boundary: open`', ['boundary: closed', 'boundary: open']),
  ],
  'boundaries/ports-without-fence': [
    way('name a namespace with `toNamespace`', ['to: europe,', 'to: europe, toNamespace: shop,']),
    way('run Liqo 1.1 or later there', ['closed, liqo: { version: "1.0" }', 'closed, liqo: { version: "1.1" }']),
  ],
  'boundaries/policies-ignored': [way('install a controller for NetworkPolicies', ['flannel', 'calico'])],
  'boundaries/loan-cut': [
    way('add `{ from: rome, to: europe, toNamespace: shop-rome }`', [
      'sharing:',
      'boundaries:\n  - { from: rome, to: europe, toNamespace: shop-rome }\nsharing:',
    ]),
  ],
  'source/yaml-syntax': [way('write { podCIDR: 10.202.0.0/16, serviceCIDR: 10.96.0.0/12 }', ['/12\n', '/12 }\n'])],
  'source/tab-indentation': [way('indent with spaces', ['\t', '  '])],
  'source/duplicate-key': [way('keep one of the two', ['  rome: { podCIDR: 10.203.0.0/16 }\n', ''])],
  'source/anchor': [
    way(
      'repeat the value where it is needed',
      ['&leaf', ''],
      ['*leaf', '{ podCIDR: 10.202.0.0/16, gateway: { addresses: [203.0.113.30], mtu: 1400 } }'],
    ),
  ],
  'source/tag': [way('quote the value if it must be a string', ['!!str 1.2', '"1.2"'])],
  'source/several-documents': [
    way('or put each document into a file of its own', ['---\nclusters:\n  milan: {}\n', '']),
  ],
  'source/not-a-map': [way('write keys with values, like', ['- rome\n- milan\n', 'clusters: { rome: {} }\n'])],
  'source/key-not-a-string': [way('write a name before the ":"', ['  : {', '  rome: {'])],
  'source/merge-conflict': [
    way('remove the markers', ['<<<<<<< HEAD\n', ''], ['=======\n', ''], ['>>>>>>> add-milan\n', '']),
  ],
  'source/hidden-text': [way('remove the character', ['\u202e', ''])],
  'topology/missing-key': [
    way('to "rome"', ['{ gateway: 203.0.113.20', '{ serviceCIDR: 10.96.0.0/12, gateway: 203.0.113.20']),
    way('or to `defaults`', ['{ podCIDR: 10.202.0.0/16 }', '{ podCIDR: 10.202.0.0/16, serviceCIDR: 10.96.0.0/12 }']),
  ],
  'topology/ipv6': [way('use the IPv4 network', ['"fd00:10:202::/48"', '10.202.0.0/16'])],
  'topology/name-too-long': [
    way('use at most 51 characters', ['production-europe-west-milan-datacenter-two-cluster-seven', 'milan-2']),
  ],
  'topology/mtu-out-of-range': [way('minus 60', ['mtu: 134 ', 'mtu: 1440 '])],
  'topology/self-link': [way('name two different clusters', ['[rome, rome]', '[rome, milan]'])],
  'topology/duplicate-link': [way('keep one entry for the pair', ['  - [rome, milan]\n', ''])],
  'topology/shortcut-without-common-hub': [way('list this pair in `peerings`', ['shortcuts:', 'peerings:'])],
  'topology/unknown-end': [
    way('set `server` to "rome"', ['server: europe', 'server: rome']),
    way('or "milan"', ['server: europe', 'server: milan']),
  ],
  'topology/own-cidrs-overlap': [way('a range of its own', ['podCIDR: 10.96.0.0/16', 'podCIDR: 10.112.0.0/16'])],
  'topology/reserved-overlap': [way('remove the part that is already covered', ['10.202.8.0/24, ', ''])],
  'topology/cidr-twice': [
    way('a network of its own', ['externalCIDR: 10.202.0.0/16', 'externalCIDR: 10.203.0.0/16']),
    way('or `auto`', ['externalCIDR: 10.202.0.0/16', 'externalCIDR: auto']),
  ],
  'topology/pools-overlap': [way('keep the wider of the two', [', 10.128.0.0/9', ''])],
  'topology/own-cidr-outside-pools': [
    way('add a pool with `ipam.pools`', ['clusters:', 'ipam: { pools: [10.0.0.0/8, 100.64.0.0/10] }\nclusters:']),
    way('choose a network inside 10.0.0.0/8', ['100.64.0.0/16', '10.202.0.0/16']),
  ],
  'topology/several-pod-cidrs': [
    way('`liqo.version: "1.2"`', ['"1.1"', '"1.2"']),
    way('or set one pod CIDR', ['[10.202.0.0/16, 10.203.0.0/16]', '10.202.0.0/16']),
  ],
  'topology/peer-cidr-outside-pools': [
    way('add it to `ipam.pools` of "europe"', [
      'version: "1.1" }',
      'version: "1.1" }, ipam: { pools: [10.0.0.0/8, 100.64.0.0/10] }',
    ]),
    way('upgrade that cluster to 1.2', ['"1.1"', '"1.2"']),
  ],
  'topology/allocator-needs-1.0': [
    way('set `ipam.allocator: liqo`', ['allocator: best-fit', 'allocator: liqo']),
    way('"1.0.0-rc.2"', ['"1.2"', '"1.0.0-rc.2"']),
  ],
  'topology/shortcut-operator-release': [
    way('set `liqo.shortcutOperator: false`', ['shortcutOperator: true', 'shortcutOperator: false']),
  ],
  'topology/unknown-release': [way('"1.2" (newest', ['"0.10"', '"1.2"']), way('"1.0" (newest', ['"0.10"', '"1.0"'])],
  'topology/release-1.0.0': [way('write "1.0"', ['"1.0.0"', '"1.0"'])],
  'topology/release-candidate': [way('write "1.0"', ['"1.0.0-rc.2"', '"1.0"'])],
  'topology/version-skew': [way('upgrade them together', ['"1.1"', '"1.2"'])],
  'topology/integer-like-value': [way('whose value is not a number', ['"3"', 'zone-3'])],
  'topology/carve-outside-pools': [way('a network inside 10.0.0.0/8', ['from: 172.16.0.0/12', 'from: 10.128.0.0/9'])],
  'topology/nothing-reserved': [way('in `reserved`', ['/16 }', '/16, reserved: [192.168.10.0/24] }'])],
  'topology/several-addresses': [way('use a DNS name', ['203.0.113.20, 203.0.113.21', 'gw.rome.example.net'])],
  'topology/unused-setting': [
    way('set `service: LoadBalancer`', ['loadBalancerIP', 'service: LoadBalancer, loadBalancerIP']),
    way('or remove `loadBalancerIP`', [', loadBalancerIP: 203.0.113.20', '']),
  ],
  'topology/control-character': [way('without control characters', ['\\u2028', '-'])],
  'topology/no-gitops-repository': [
    way('set `gitops.repository`', [
      'clusters:',
      'gitops: { repository: "https://github.com/example/network.git" }\nclusters:',
    ]),
  ],
  'topology/bad-rename': [
    way('remove `renamedFrom`', ['{ renamedFrom: oslo }', '{}']),
    way('or the cluster "oslo"', ['  oslo: {}\n', '']),
  ],
  'topology/rename-finished': [way('remove `renamedFrom`', ['{ renamedFrom: oslo }', '{}'])],
  'topology/pod-cidr-small': [way('the network of all pods', ['10.202.0.0/30', '10.202.0.0/16'])],
  'topology/service-cidr-small': [way('a /12 to a /24', ['10.96.0.0/30', '10.96.0.0/24'])],
  'topology/cidrs-swapped': [
    way('set `podCIDR` to the network of its pods', [
      'podCIDR: 10.43.0.0/16, serviceCIDR: 10.42.0.0/16',
      'podCIDR: 10.42.0.0/16, serviceCIDR: 10.43.0.0/16',
    ]),
  ],
  'topology/node-port-range': [way('choose ports inside 30000-32767', ['20000-20099', '31000-31099'])],
  'topology/selects-no-link': [
    way('check `labels`', ['itlay', 'italy']),
    way('or remove the entry', ['shortcuts:\n  - between: { region: itlay }\n', '']),
  ],
  'topology/cluster-in-two-files': [way('keep one of the two', [', rome: {} }', ' }'])],
  'link/no-dialable-end': [
    way('give "milan"', ['milan: {}', 'milan: { gateway: 203.0.113.30 }']),
    way('or "rome"', ['rome: {}', 'rome: { gateway: 203.0.113.20 }']),
  ],
  'link/server-never': [
    way('remove one of the two settings', [', server: never', '']),
    way('of the two settings', [', server: rome', '']),
  ],
  'link/gateway-inside-dialler': [way('routes to the outside', ['gateway: 10.202.0.10', 'gateway: 203.0.113.10'])],
  'link/mtu-differs': [way('set `mtu` on the link', ['[[rome, milan]]', '[{ between: [rome, milan], mtu: 1400 }]'])],
  'link/node-port-out-of-range': [
    way('choose a port from 30000 to 32767', ['51840', '31840']),
    way('or widen `gateway.nodePorts`', [
      'gateway: 203.0.113.20',
      'gateway: { addresses: [203.0.113.20], nodePorts: 30000-52000 }',
    ]),
  ],
  'link/port-taken': [
    way('a port of its own', ['milan], nodePort: 31840', 'milan], nodePort: 31841']),
    way('or remove the setting', ['milan], nodePort: 31840', 'milan]']),
  ],
  'link/ports-exhausted': [
    way('widen `gateway.nodePorts`', ['31840-31841', '31840-31899']),
    way('let some peers serve (`server`)', [
      'turin: {}\n',
      'turin: {}\npeerings: [{ between: [europe, turin], server: turin }]\n',
    ]),
  ],
  'link/endpoint-taken': [
    way('give one of the links a `port`', [
      'milan: {}\n',
      'milan: {}\npeerings: [{ between: [europe, milan], port: 51841 }]\n',
    ]),
  ],
  'link/option-without-effect': [way('set `servicePort`', ['nodePort', 'servicePort'])],
  'link/cluster-ip-shared': [
    way('give each link its `address`', [
      '/16 }\n  rome: { podCIDR: 10.202.0.0/16 }\n',
      '/16 }\n  rome: { podCIDR: 10.202.0.0/16 }\npeerings:\n  - { between: [europe, rome], server: europe, address: 192.0.2.11 }\n',
    ]),
    way('or serve with NodePort', ['service: ClusterIP', 'service: NodePort']),
  ],
  'link/load-balancer-shared': [
    way('set `gateway.loadBalancerIP`', ['[203.0.113.10]', '[203.0.113.10], loadBalancerIP: 203.0.113.10']),
    way('give each link its `loadBalancerIP`', [
      '  rome: { podCIDR: 10.202.0.0/16 }\n',
      '  rome: { podCIDR: 10.202.0.0/16 }\npeerings:\n  - { between: [europe, rome], server: europe, loadBalancerIP: 203.0.113.11 }\n  - { between: [europe, milan], server: europe, loadBalancerIP: 203.0.113.12 }\n',
    ]),
  ],
  'link/shortcut-operator-unused': [way('or remove a shortcut', [', [rome, turin]', ''])],
  'link/dials-itself': [
    way('an address of its own', ['rome: { gateway: 203.0.113.10 }', 'rome: { gateway: 203.0.113.20 }']),
  ],
  'link/behind-one-address': [
    way('give this link an `address` inside the NAT', [
      'hub: europe\n',
      'hub: europe\npeerings: [{ between: [rome, europe], server: europe, address: 192.168.7.10 }]\n',
    ]),
  ],
  'link/gateway-inside-own-network': [
    way('set the address of a node or of a load balancer', [
      'loadBalancerIP: 10.96.0.10',
      'loadBalancerIP: 203.0.113.10',
    ]),
  ],
  'link/listen-port-taken': [
    way('choose other `gateway.ports`', ['6091', '51840']),
    way('or set `gateway.listenPort`', ['ports: 6091', 'ports: 6091, listenPort: 51840']),
  ],
  'link/name-taken': [
    way('a namespace of its own', [
      'turin], names: { rome: { namespace: peers',
      'turin], names: { rome: { namespace: peer-turin',
    ]),
  ],
  'link/shortcut-operator-names': [
    way('remove `namespace`', [', names: { rome: { namespace: peer-milan } }', '']),
    way('or set `liqo.shortcutOperator: false`', ['shortcutOperator: true', 'shortcutOperator: false']),
  ],
  'keys/not-32-bytes': [
    way('44 characters that end in "="', [
      'HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8yg==',
      'HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=',
    ]),
  ],
  'keys/same-at-both-ends': [
    way('remove the entry that is wrong', ['  europe: { rome: HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw= }\n', '']),
  ],
  'lock/unreadable': [way('or delete the broken lines', ['  rome/europe/port/europe: "30042"\n', ''])],
  'lock/contradiction': [relock('run "weft compile --relock europe/rome"', 'europe', 'rome')],
  'lock/block-moved': [relock('run "weft compile --relock rome"', 'rome')],
  'ipam/exhausted': [
    way('distinct networks', ['10.0.0.0/9', '10.64.0.0/10']),
    way('use smaller ones', ['10.0.0.0/9', '10.0.0.0/16'], ['10.0.0.0/10', '10.0.0.0/16']),
    way('or add a pool', ['[10.0.0.0/8]', '[10.0.0.0/8, 172.0.0.0/8]']),
  ],
  'ipam/carve-exhausted': [
    way('widen `ipam.carve.from`', ['10.255.0.0/19', '10.255.0.0/16']),
    way('choose smaller blocks with `ipam.carve.prefix`', ['prefix: 20', 'prefix: 22']),
    way('or set explicit networks for some clusters', ['rome: {}', 'rome: { externalCIDR: 10.60.0.0/16 }']),
  ],
  'ipam/own-cidr-moved': [
    way('set `externalCIDR` to 10.71.0.0/16', ['10.70.0.0/16 }', '10.70.0.0/16, externalCIDR: 10.71.0.0/16 }']),
    way('or `auto`', ['10.70.0.0/16 }', '10.70.0.0/16, externalCIDR: auto }']),
  ],
  'ipam/own-cidr-collides': [
    way('set another network', ['externalCIDR: 10.70.0.0/16', 'externalCIDR: 10.60.0.0/16']),
    way('or `auto`', ['externalCIDR: 10.70.0.0/16', 'externalCIDR: auto']),
  ],
  'ipam/order-dependent': [
    way(
      'an `externalCIDR` of their own',
      ['10.202.0.0/16 }', '10.202.0.0/16, externalCIDR: 10.60.0.0/16 }'],
      ['10.203.0.0/16 }', '10.203.0.0/16, externalCIDR: 10.61.0.0/16 }'],
    ),
    way('or `auto`', ['/12 }', '/12, externalCIDR: auto }']),
  ],
  'ipam/history': [relock('run "weft compile --relock europe"', 'europe')],
  'ipam/shortcut-services': [
    way('a pod CIDR that is free in "europe"', [
      'rome: { podCIDR: 10.202.0.0/16 }',
      'rome: { podCIDR: 10.204.0.0/16 }',
    ]),
  ],
  'ipam/chains-before-flux-2.7': [way('remove `flux.version`', ['{ version: "2.6" }', '{}'])],
  'ipam/block-too-small': [way('choose a wider network', ['10.65.0.0/31', '10.65.0.0/20'])],
  'ipam/block-tight': [way('choose a wider network', ['10.65.0.0/26', '10.65.0.0/20'])],
  'sharing/matches-nothing': [
    way('correct the names or labels', ['leave', 'leaf']),
    way('or remove the entry', ['sharing:\n  - { consumer: europe, provider: { tier: leave } }\n', '']),
  ],
  'sharing/declared-twice': [
    way('keep one entry for each pair', ['  - { consumer: europe, provider: { tier: leaf } }\n', '']),
  ],
  'sharing/slice-name-twice': [
    way('another `name`', ['provider: europe, name: pool', 'provider: europe, name: other']),
  ],
  'sharing/not-a-provider': [
    way('add `- { consumer: europe, provider: rome }` to `sharing`', [
      'offloading:',
      'sharing:\n  - { consumer: europe, provider: rome }\noffloading:',
    ]),
    way('or remove it from `to`', [', to: [rome]', '']),
  ],
  'sharing/offloaded-twice': [
    way('list every provider in one entry', [
      'to: [rome] }\n  - { cluster: europe, namespace: demo, to: [milan] }',
      'to: [rome, milan] }',
    ]),
  ],
  'sharing/answer-of-no-loan': [
    way('remove it', [
      'identities:\n  europe:\n    rome:\n      apiServer: https://rome.example:6443\n      certificate: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t',
      'identities: {}',
    ]),
  ],
  'sharing/account-shared': [
    way('choose another `name`', ['name: rome }', 'name: pool }']),
    way('without one weft writes', [', name: rome', '']),
  ],
  'sharing/slice-of-nothing': [way('ask for more', ['cpu: 0', 'cpu: 4']), way('or leave it out', ['cpu: 0, ', ''])],
  'sharing/remote-name-too-long': [way('set `remoteName`', ['customers }', 'customers, remoteName: web-of-milan }'])],
  'sharing/remote-names-meet': [
    way('give one of them a `remoteName`', [
      'milan, namespace: demo, remoteName: demo',
      'milan, namespace: demo, remoteName: other',
    ]),
  ],
  'sharing/remote-name-taken': [
    way('set another `remoteName`', ['remoteName: demo', 'remoteName: other']),
    way('or leave it out', [', remoteName: demo', '']),
  ],
  'sharing/without-link': [way('add the pairs to `peerings`', ['sharing:', 'peerings: [[europe, rome]]\nsharing:'])],
  'sharing/not-renewed': [way('run Liqo 1.2 in both clusters', ['"1.1.2"', '"1.2"'])],
  'sharing/no-provider': [
    way('select a cluster in `to`', ['leave', 'leaf']),
    way('or remove the entry', [
      'offloading:\n  - { cluster: europe, namespace: batch, to: { tier: leave }, pods: Remote }\n',
      '',
    ]),
  ],
  'sharing/kubeconfig-by-hand': [
    way('set `credentials` to a store', [
      'auth: credentials',
      'auth: credentials, credentials: { store: network, key: liqo/europe/rome }',
    ]),
  ],
  'sharing/system-namespace': [
    way('remove the entry', ['offloading:\n  - { cluster: rome, namespace: liqo, remoteName: liqo-of-rome }\n', '']),
  ],
  'sharing/prober-namespace': [
    way('write `pods: Local` and `createNamespace: false`', [
      'namespace: weft-conformance }',
      'namespace: weft-conformance, pods: Local, createNamespace: false }',
    ]),
  ],
  'sharing/not-active': [
    way('remove `condition`', [', condition: Drained', '']),
    way('or the entry', ['sharing:\n  - { consumer: europe, provider: rome, condition: Drained }\n', '']),
  ],
  'sharing/metrics-not-bound': [way('run Liqo 1.1', ['"1.0.3"', '"1.1"'])],
  'sharing/offloaded-onwards': [
    way('remove the entry', ['  - { cluster: europe, namespace: demo-rome, createNamespace: false }\n', '']),
    way(
      'let the first cluster borrow from the last one itself',
      ['consumer: europe, provider: milan', 'consumer: rome, provider: milan'],
      ['  - { cluster: europe, namespace: demo-rome, createNamespace: false }\n', ''],
    ),
  ],
  'sharing/over-capacity': [
    way('lend less', ['resources: { cpu: 12 }', 'resources: { cpu: 8 }']),
    way('or correct `capacity`', ['capacity: { cpu: 8 }', 'capacity: { cpu: 16 }']),
  ],
  'sharing/no-api-server': [way('set `apiServer`', ['gke-v1', 'gke-v1, apiServer: https://rome.example'])],
  'sharing/answers-with-a-secret': [
    way('set `auth: credentials`', ['provider: rome }', 'provider: rome, auth: credentials }']),
  ],
  'sharing/api-server-inside': [
    way('use an address that "europe" reaches', ['https://10.96.0.1', 'https://203.0.113.20:6443']),
  ],
  'assertion/broken': [
    way('add the pair to `peerings` or `shortcuts`', ['assertions:', 'shortcuts: [[rome, milan]]\nassertions:']),
    way('or correct the assertion', ['via: shortcut', 'via: hub']),
  ],
  'assertion/matches-nothing': [
    way('correct the labels', ['leave', 'leaf']),
    way('or remove the assertion', ['assertions:\n  - { from: { tier: leave }, to: europe, expect: reachable }\n', '']),
  ],
  'keys/low-order': [
    way('remove the entry', ['  rome: { europe: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= }\n', '  rome: {}\n']),
  ],
  'keys/used-twice': [
    way('remove the entry that is wrong', [', milan: HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=', '']),
  ],
  'keys/private-key': [way('remove it', [', privateKey: kept-elsewhere', ''])],
  'topology/secret': [way('remove it', ['deploy:a-token@', ''])],
  'topology/decided-value': [
    way('remove it', [', helmValues: { ipam: { podCIDR: 10.203.0.0/16 } }', '']),
    way('or change `podCIDR`', ['podCIDR: 10.202.0.0/16, h', 'podCIDR: 10.203.0.0/16, h']),
  ],
  'topology/not-in-release': [
    way('remove it', [', helmValues: { networking: { gateway: { mssclamp: { enabled: false } } } }', '']),
    way('or set `liqo.version` to the release that runs in the cluster', ['"1.0"', '"1.1"']),
  ],
  'topology/replaced-key': [
    way('write instead', [
      'lending: { storageClass: fast }',
      'helmValues: { storage: { realStorageClassName: fast } }',
    ]),
  ],
  'link/local-traffic-policy': [
    way('set `gateway.nodeSelector`', [
      'server: prefer',
      'server: prefer, nodeSelector: { kubernetes.io/hostname: node-1 }',
    ]),
    way('use `service: LoadBalancer`', ['server: prefer', 'server: prefer, service: LoadBalancer']),
    way('or remove `externalTrafficPolicy`', [', externalTrafficPolicy: Local', '']),
  ],
  'topology/alerts-without-ping': [way('remove `ping: false`', [', ping: false', ''])],
  'sharing/direct-connections-without-links': [
    way('add the shortcut [milan, rome]', ['sharing:', 'shortcuts: [[milan, rome]]\nsharing:']),
    way('leave one of the two out of the namespace', ['namespace: demo,', 'namespace: demo, to: [rome],']),
    way('and `directConnections`', [', directConnections: true', '']),
  ],
  'sharing/through-the-consumer': [
    way(
      'add a shortcut, like [milan, rome]',
      ['sharing:', 'shortcuts: [[milan, rome]]\nsharing:'],
      ['namespace: demo }', 'namespace: demo, directConnections: true }'],
    ),
  ],
  'topology/platform-not-supported': [way('use a Standard cluster of GKE', ['gke-autopilot', 'gke-v2'])],
  'topology/node-port-on-eks': [
    way('remove `service`', [', service: NodePort', '']),
    way('or set `dial.address`', ['service: NodePort', 'service: NodePort, dial: { address: rome.gw.example.com }']),
  ],
  'topology/node-subnet-not-reserved': [
    way('in `reserved`, 10.224.0.0/16', ['aks-overlay', 'aks-overlay, reserved: [10.224.0.0/16]']),
  ],
  'link/hub-transit-untested': [
    way('add shortcuts', ['203.0.113.30 }\n', '203.0.113.30 }\nshortcuts: [[rome, milan]]\n']),
    way('make a cluster on another platform the hub', ['hub: europe', 'hub: milan']),
  ],
  'topology/acceptance-unused': [
    way('remove the entry', [
      'accept:\n  - { code: topology/version-skew, link: [rome, europe], reason: rome is upgraded in May }\n',
      '',
    ]),
  ],
  'topology/unusual-value': [
    way('write the network that the cluster was installed with', ['8.8.8.0/24', '10.202.0.0/16']),
    way('or accept this if it is yours', [
      'clusters:',
      'accept:\n  - { code: topology/unusual-value, cluster: rome, reason: our own block }\nclusters:',
    ]),
  ],
};
