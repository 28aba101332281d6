import type { Code } from '../../src/base/diagnostics/codes.ts';
import type { Handshakes } from '../support/handshakes.ts';

/** Codes that stop a compile: their hints are followed in `test/host/cli/plan-hints-followed.test.ts`. */
export const STOPPING: readonly Code[] = [
  ...(['plan/loses-lock', 'plan/loses-keys', 'plan/removes-too-much', 'plan/deletes-namespaces'] as const),
];

/** An edit that people make, as replacements in a fleet; its plan is in `edits/<name>/`. */
export interface Edit {
  readonly name: string;
  /** The fleet before; by default `FLEET`. */
  readonly fleet?: string;
  /** Each text occurs exactly once. */
  readonly topology?: readonly Replacement[];
  /** Gateways (`rome/europe`) without a public key before, and after. New gateways have none, unless `keysOfAll`. */
  readonly keyless?: { readonly before?: readonly string[]; readonly after?: readonly string[] };
  /** Gateways with another public key afterwards. */
  readonly otherKeys?: readonly string[];
  /** Gateways whose next key was made before the edit; afterwards, and of which it is the one in use from then on. */
  readonly nextKeys?: {
    readonly before?: readonly string[];
    readonly after?: readonly string[];
    readonly used?: readonly string[];
  };
  /** The keys file was generated again after the edit. */
  readonly keysOfAll?: boolean;
  /** The content of the files beside the topology about its sharing: by default everything; equal before and after. */
  readonly handshakes?: { readonly before?: Handshakes; readonly after?: Handshakes };
  readonly lock?: readonly Replacement[];
  readonly relock?: readonly string[];
  /** The history before the edit: edits of the fleet that were compiled one after the other. */
  readonly earlier?: readonly (readonly Replacement[])[];
}

export type Replacement = readonly [from: string, to: string];

/** A hub with three leaves, one shortcut, one pod CIDR twice, external CIDRs that need a remap. */
export const FLEET = `version: 1
name: fleet
liqo: { version: "1.1" }
hub: europe
defaults:
  serviceCIDR: 10.96.0.0/12
  reserved: [192.168.10.0/24]
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16, labels: { region: south } }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  oslo: { podCIDR: 10.203.0.0/16, externalCIDR: 10.60.0.0/16 }
shortcuts:
  - [rome, milan]
`;

/** No cluster needs a remap. */
const CALM = `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.201.0.0/16 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }
`;

/** A database that one cluster may reach; the others are closed out. */
const CLOSED = `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10, boundary: closed }
  rome: { podCIDR: 10.201.0.0/16 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
boundaries:
  - { from: rome, to: europe, toNamespace: shop, ports: 5432 }
`;
/** Each gateway has made its own key pair. */
const KEYS_BY_LIQO = CALM.replace('hub: europe', 'keys: { secrets: liqo }\nhub: europe');

/** The rules of 1.0.0 have the cluster's own networks in them. */
const FIRST_RELEASE = `version: 1
name: fleet
hub: europe
liqo: { version: "1.0.0" }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16 }
`;

/** Entry points for both tools. */
export const DELIVERED = `version: 1
name: fleet
hub: europe
gitops:
  repository: https://git.example.com/fleet.git
  revision: main
  argo: { namespace: argocd, project: fleet }
  flux: { source: fleet }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.201.0.0/16, gitops: { server: "https://rome.example.com:6443", kubeConfigSecret: rome } }
  milan: { podCIDR: 10.202.0.0/16 }
`;

/** Gateways with templates of their own, and the images of a mirror. */
const MIRRORED = `version: 1
name: fleet
hub: europe
liqo: { version: "1.2", image: { registry: mirror.example.com/liqo, tag: v1.2.0 } }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: { addresses: [203.0.113.10], replicas: 2, nodeSelector: { disk: ssd }, tolerations: [{ key: gateways, operator: Exists }] } }
  rome: { podCIDR: 10.201.0.0/16 }
`;

/** Assertions by name, by labels, over a path and to a Service. */
const DEMANDING = `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.201.0.0/16, labels: { region: south } }
  bari: { podCIDR: 10.204.0.0/16, labels: { region: south } }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }
assertions:
  - { from: rome, to: milan, expect: unreachable, via: shortcut }
  - { from: { region: south }, to: europe, expect: reachable }
  - { from: milan, to: oslo, expect: reachable, via: hub }
`;

/** Ten clusters behind one hub. */
const TEN = `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((it) => `  leaf-${it}: { podCIDR: 10.20${it}.0.0/16 }\n`).join('')}`;

/** A hub that borrows from its leaves, and offloads two namespaces. One leaf borrows from the hub, too. */
export const SHARING = `version: 1
name: fleet
liqo: { version: "1.1" }
hub: rome
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.201.0.0/16 }
  turin: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
sharing:
  - { consumer: rome, provider: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }
  - consumer: rome
    provider: turin
    slices:
      - { name: big, resources: { cpu: 16, memory: 64Gi } }
      - { name: small, resources: { cpu: 2, memory: 4Gi } }
offloading:
  - { cluster: rome, namespace: demo }
  - { cluster: rome, namespace: batch, to: turin, pods: Remote, remoteName: batch }
`;

/** Objects with names of their own, as a person calls them. */
const NAMED = `version: 1
name: fleet
hub: europe
keys: { secretName: "gw-{peer}" }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: { service: LoadBalancer, loadBalancerClass: one } }
  rome: { podCIDR: 10.201.0.0/16 }
  milan: { podCIDR: 10.202.0.0/16 }
peerings:
  - between: [europe, rome]
    server: europe
    loadBalancerIP: 203.0.113.10
    names: { europe: { namespace: peer-rome, gateway: to-rome }, rome: { namespace: hub } }
  - between: [europe, milan]
    server: europe
    loadBalancerIP: 203.0.113.11
    names: { europe: { configuration: networks-of-milan, publicKey: key } }
`;

/** Two hubs with ten leaves each. */
const TWENTY = `version: 1
name: fleet
liqo: { version: "1.2" }
hub: [asia, europe]
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: 10.70.0.0/16, reserved: [192.168.10.0/24] }
clusters:
  asia: { podCIDR: 10.198.0.0/16, gateway: 203.0.113.20 }
  europe: { podCIDR: 10.199.0.0/16, gateway: 203.0.113.10 }
${[...Array(20).keys()].map((it) => `  leaf-${it}: { podCIDR: 10.${200 + it}.0.0/16 }\n`).join('')}`;

const leaves = (from: number, to: number): readonly Replacement[] =>
  [...Array(to - from + 1).keys()].map((it) => [`  leaf-${from + it}: { podCIDR: 10.20${from + it}.0.0/16 }\n`, '']);

const of = (fleet: string, edits: readonly Edit[]): readonly Edit[] => edits.map((it) => ({ ...it, fleet }));

const RULE = '  - { from: rome, to: milan, expect: unreachable, via: shortcut }\n';

/** Settings of GitOps tools and their folders. */
const DELIVERED_EDITS = of(DELIVERED, [
  { name: 'take-bundles-from-another-repository', topology: [['git.example.com', 'git.example.net']] },
  { name: 'take-bundles-of-another-revision', topology: [['revision: main', 'revision: next']] },
  { name: 'take-bundles-from-another-folder', topology: [['revision: main', 'revision: main\n  path: other/out']] },
  { name: 'apply-a-bundle-to-another-server', topology: [['rome.example.com', 'rome.example.net']] },
  {
    name: 'apply-a-bundle-to-a-server-instead-of-a-name',
    topology: [['10.202.0.0/16 }', '10.202.0.0/16, gitops: { server: "https://milan.example.net:6443" } }']],
  },
  { name: 'apply-a-bundle-with-another-kubeconfig', topology: [['kubeConfigSecret: rome', 'kubeConfigSecret: other']] },
  {
    name: 'apply-bundles-with-other-permissions',
    topology: [['namespace: argocd, project: fleet', 'namespace: argo, project: admin']],
  },
  {
    name: 'take-bundles-from-another-object',
    topology: [['flux: { source: fleet }', 'flux: { source: flux-system }']],
  },
  { name: 'turn-off-one-tool', topology: [['  flux: { source: fleet }\n', '']] },
  {
    name: 'turn-on-a-tool-while-a-leaf-comes',
    earlier: [[['  flux: { source: fleet }\n', '']]],
    topology: [
      ['project: fleet }\n', 'project: fleet }\n  flux: { source: fleet }\n'],
      ['  milan:', '  oslo: { podCIDR: 10.203.0.0/16, gitops: { server: "https://oslo.example.com:6443" } }\n  milan:'],
    ],
  },
  {
    name: 'rename-a-cluster-that-argo-cd-knows-by-name',
    keysOfAll: true,
    topology: [['  milan: { ', '  turin: { renamedFrom: milan, ']],
  },
]);

/** The images and nodes of gateways. */
const IMAGE_EDITS = of(MIRRORED, [
  { name: 'take-images-from-another-registry', topology: [['mirror.example.com', 'mirror.example.net']] },
  { name: 'run-another-tag', topology: [['tag: v1.2.0', 'tag: v1.2.0-patched']] },
  {
    name: 'go-back-to-the-images-of-the-release',
    topology: [[', image: { registry: mirror.example.com/liqo, tag: v1.2.0 }', '']],
  },
  { name: 'run-gateways-on-other-nodes', topology: [['disk: ssd', 'disk: hdd, zone: a']] },
  { name: 'tolerate-another-taint', topology: [['key: gateways', 'key: dedicated']] },
  { name: 'run-more-replicas', topology: [['replicas: 2', 'replicas: 3']] },
  {
    name: 'make-a-gateway-from-a-foreign-template',
    topology: [
      [
        '  rome: { podCIDR: 10.201.0.0/16 }\n',
        '  rome: { podCIDR: 10.201.0.0/16 }\npeerings:\n  - { between: [europe, rome], template: { client: theirs } }\n',
      ],
    ],
  },
  {
    name: 'get-a-template-with-images-of-a-mirror',
    topology: [['rome: { podCIDR: 10.201.0.0/16 }', 'rome: { podCIDR: 10.201.0.0/16, gateway: { replicas: 2 } }']],
  },
]);

/** Assertions. */
const DEMAND_EDITS = of(DEMANDING, [
  { name: 'remove-an-assertion', topology: [[RULE, '']] },
  {
    name: 'remove-an-assertion-with-what-it-forbade',
    keysOfAll: true,
    topology: [
      [RULE, ''],
      ['assertions:', 'shortcuts: [[rome, milan]]\nassertions:'],
    ],
  },
  { name: 'weaken-an-assertion', topology: [['reachable, via: hub', 'reachable']] },
  {
    name: 'tighten-an-assertion',
    topology: [['to: europe, expect: reachable', 'to: europe, expect: reachable, via: shortcut']],
  },
  {
    name: 'turn-an-assertion-round',
    keysOfAll: true,
    topology: [
      ['to: milan, expect: unreachable, via: shortcut', 'to: milan, expect: reachable, via: shortcut'],
      ['assertions:', 'shortcuts: [[rome, milan]]\nassertions:'],
    ],
  },
  { name: 'add-an-assertion', topology: [[RULE, `${RULE}  - { from: rome, to: oslo, expect: reachable }\n`]] },
  {
    name: 'take-a-cluster-out-of-an-assertion',
    topology: [['10.204.0.0/16, labels: { region: south }', '10.204.0.0/16']],
  },
  {
    name: 'demand-an-assertion-without-a-part',
    topology: [['reachable, via: hub', 'reachable, via: hub, without: rome']],
  },
  { name: 'widen-an-assertion', topology: [['from: { region: south }', 'from: {}']] },
  {
    name: 'remove-a-leaf-with-its-assertion',
    topology: [
      ['  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }\n', ''],
      ['  - { from: milan, to: oslo, expect: reachable, via: hub }\n', ''],
    ],
  },
  {
    name: 'rename-a-cluster-in-assertions',
    keysOfAll: true,
    topology: [
      ['  milan: { ', '  turin: { renamedFrom: milan, '],
      ['to: milan', 'to: turin'],
      ['from: milan', 'from: turin'],
    ],
  },
]);

export const EDITS: readonly Edit[] = [
  { name: 'nothing-changes' },
  { name: 'add-a-leaf', topology: [['shortcuts:', '  paris: { podCIDR: 10.204.0.0/16 }\nshortcuts:']] },
  {
    name: 'add-a-leaf-with-keys',
    keysOfAll: true,
    topology: [['shortcuts:', '  paris: { podCIDR: 10.204.0.0/16 }\nshortcuts:']],
  },
  {
    name: 'add-a-leaf-with-auto-blocks',
    fleet: CALM,
    topology: [['  oslo:', '  paris: { podCIDR: 10.204.0.0/16, internalCIDR: auto }\n  oslo:']],
  },
  {
    name: 'remove-a-leaf',
    topology: [['  oslo: { podCIDR: 10.203.0.0/16, externalCIDR: 10.60.0.0/16 }\n', '']],
  },
  { name: 'retire-a-leaf', topology: [['10.60.0.0/16 }', '10.60.0.0/16, retired: true }']] },
  {
    name: 'take-out-a-retired-leaf',
    earlier: [[['10.60.0.0/16 }', '10.60.0.0/16, retired: true }']]],
    topology: [['  oslo: { podCIDR: 10.203.0.0/16, externalCIDR: 10.60.0.0/16, retired: true }\n', '']],
  },
  {
    name: 'take-out-a-retired-leaf-with-gitops',
    earlier: [
      [['hub: europe', 'gitops: { repository: "https://example.com/network.git", argo: {}, flux: {} }\nhub: europe']],
      [['10.60.0.0/16 }', '10.60.0.0/16, retired: true }']],
    ],
    topology: [['  oslo: { podCIDR: 10.203.0.0/16, externalCIDR: 10.60.0.0/16, retired: true }\n', '']],
  },
  {
    name: 'add-a-shortcut',
    fleet: CALM,
    keysOfAll: true,
    topology: [
      ['  oslo:', '  oslo:'],
      ['203.0.113.40 }\n', '203.0.113.40 }\nshortcuts: [[milan, oslo]]\n'],
    ],
  },
  { name: 'remove-a-shortcut', topology: [['shortcuts:\n  - [rome, milan]\n', '']] },
  { name: 'turn-a-shortcut-into-a-peering', topology: [['shortcuts:', 'peerings:']] },
  { name: 'change-a-pod-cidr', topology: [['10.203.0.0/16', '10.205.0.0/16']] },
  { name: 'change-a-pod-cidr-on-1.2', fleet: CALM, topology: [['10.203.0.0/16', '10.205.0.0/16']] },
  { name: 'change-a-pod-cidr-on-1.0.0', fleet: FIRST_RELEASE, topology: [['10.200.0.0/16', '10.205.0.0/16']] },
  {
    name: 'change-an-external-cidr-on-1.0.0',
    fleet: FIRST_RELEASE,
    topology: [['gateway: 203', 'externalCIDR: 10.61.0.0/16, gateway: 203']],
  },
  { name: 'add-a-pod-cidr', fleet: CALM, topology: [['10.203.0.0/16', '[10.203.0.0/16, 10.205.0.0/16]']] },
  {
    name: 'take-out-a-pod-cidr',
    fleet: CALM,
    earlier: [[['10.203.0.0/16', '[10.203.0.0/16, 10.205.0.0/16]']]],
    topology: [['[10.203.0.0/16, 10.205.0.0/16]', '10.205.0.0/16']],
  },
  {
    name: 'reorder-pod-cidrs',
    fleet: CALM,
    earlier: [[['10.203.0.0/16', '[10.203.0.0/16, 10.205.0.0/16]']]],
    topology: [['[10.203.0.0/16, 10.205.0.0/16]', '[10.205.0.0/16, 10.203.0.0/16]']],
  },
  {
    name: 'change-many-external-cidrs',
    fleet: TWENTY,
    topology: [['externalCIDR: 10.70.0.0/16', 'externalCIDR: auto']],
  },
  {
    name: 'one-external-cidr-moves-three-views',
    topology: [['podCIDR: 10.200.0.0/16', 'podCIDR: 10.200.0.0/16, externalCIDR: 10.61.0.0/16']],
  },
  { name: 'swap-the-hub', fleet: CALM, keysOfAll: true, topology: [['hub: europe', 'hub: milan']] },
  { name: 'add-a-second-hub', fleet: CALM, keysOfAll: true, topology: [['hub: europe', 'hub: [europe, milan]']] },
  {
    name: 'reorder-the-file',
    topology: [
      ['  oslo: { podCIDR: 10.203.0.0/16, externalCIDR: 10.60.0.0/16 }\n', ''],
      ['clusters:\n', 'clusters:\n  oslo: { externalCIDR: 10.60.0.0/16, podCIDR: 10.203.0.0/16 }\n'],
    ],
  },
  { name: 'rename-a-cluster-without-a-declaration', topology: [['  oslo:', '  bergen:']] },
  { name: 'rename-a-cluster', topology: [['  oslo: {', '  bergen: { renamedFrom: oslo,']] },
  {
    name: 'rename-a-hub',
    fleet: CALM,
    topology: [
      ['hub: europe', 'hub: eu'],
      ['  europe: {', '  eu: { renamedFrom: europe,'],
    ],
  },
  {
    name: 'finish-a-rename',
    earlier: [[['  oslo: {', '  bergen: { renamedFrom: oslo,']]],
    topology: [['renamedFrom: oslo, ', '']],
  },
  {
    name: 'name-secrets-after-peers',
    fleet: CALM,
    topology: [['hub: europe', 'hub: europe\nkeys: { secretName: "gw-{peer}" }']],
  },
  {
    name: 'name-objects-of-links',
    fleet: CALM,
    topology: [
      [
        '  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }\n',
        `  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }
peerings:
  - { between: [europe, rome], names: { europe: { configuration: networks, secret: pair }, rome: { namespace: hub } } }
  - { between: [europe, milan], names: { europe: { gateway: to-milan } } }
  - { between: [europe, oslo], names: { europe: { secret: pair }, oslo: { publicKey: key } } }
`,
      ],
    ],
  },
  {
    name: 'move-a-pair-that-shares-to-other-namespaces',
    fleet: SHARING,
    topology: [
      [
        'sharing:',
        'peerings:\n  - { between: [rome, turin], names: { rome: { namespace: peer-turin }, turin: { namespace: peer-rome } } }\nsharing:',
      ],
    ],
  },
  {
    name: 'take-out-a-leaf-with-names',
    fleet: NAMED,
    topology: [
      ['  rome: { podCIDR: 10.201.0.0/16 }\n', ''],
      [
        `  - between: [europe, rome]
    server: europe
    loadBalancerIP: 203.0.113.10
    names: { europe: { namespace: peer-rome, gateway: to-rome }, rome: { namespace: hub } }
`,
        '',
      ],
    ],
  },
  { name: 'change-the-class-of-named-gateways', fleet: NAMED, topology: [['Class: one', 'Class: other']] },
  {
    name: 'rename-a-leaf-with-names',
    fleet: NAMED,
    topology: [
      ['  rome: { podCIDR: 10.201.0.0/16 }', '  roma: { podCIDR: 10.201.0.0/16, renamedFrom: rome }'],
      ['[europe, rome]', '[europe, roma]'],
      ['gateway: to-rome }, rome:', 'gateway: to-rome }, roma:'],
    ],
  },
  {
    name: 'serve-a-link-with-another-service',
    fleet: CALM,
    topology: [
      [
        '  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }\n',
        `  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }
peerings:
  - { between: [europe, rome], service: LoadBalancer, loadBalancerIP: 203.0.113.50, servicePort: 51840 }
`,
      ],
    ],
  },
  {
    name: 'change-the-mtu',
    topology: [['gateway: 203.0.113.10', 'gateway: { addresses: [203.0.113.10], mtu: 1300 }']],
  },
  {
    name: 'change-a-node-port',
    topology: [['shortcuts:\n  - [rome, milan]', 'shortcuts:\n  - { between: [rome, milan], nodePort: 32000 }']],
  },
  // No firewall in front of the nodes sees it, so no port has to be opened.
  {
    name: 'change-the-port-behind-a-node-port',
    topology: [['shortcuts:\n  - [rome, milan]', 'shortcuts:\n  - { between: [rome, milan], servicePort: 51900 }']],
  },
  {
    name: 'move-a-gateway-behind-nat',
    topology: [
      [
        'gateway: 203.0.113.30 }',
        'gateway: { addresses: [203.0.113.30], dial: { address: 198.51.100.7, port: 51820 } } }',
      ],
    ],
  },
  {
    name: 'add-a-leaf-behind-nat',
    topology: [
      [
        'externalCIDR: 10.60.0.0/16 }',
        `externalCIDR: 10.60.0.0/16 }
  paris: { podCIDR: 10.204.0.0/16, gateway: { dial: { address: 198.51.100.7, port: 51820 }, server: prefer } }`,
      ],
    ],
  },
  { name: 'change-a-gateway-address', topology: [['gateway: 203.0.113.10', 'gateway: 203.0.113.11']] },
  {
    name: 'swap-the-roles-of-a-link',
    fleet: CALM,
    topology: [['203.0.113.30', '{ addresses: [203.0.113.30], server: prefer }']],
  },
  { name: 'add-a-key', fleet: CALM, keyless: { before: ['milan/europe'] } },
  {
    name: 'add-one-key-of-two',
    fleet: CALM,
    keyless: { before: ['europe/milan', 'milan/europe'], after: ['europe/milan'] },
  },
  { name: 'change-a-key', fleet: CALM, otherKeys: ['rome/europe'] },
  {
    name: 'rotate-the-keys-of-a-link',
    fleet: CALM,
    nextKeys: { before: ['europe/rome', 'rome/europe'], used: ['europe/rome', 'rome/europe'] },
  },
  {
    name: 'make-the-next-keys-of-a-store',
    fleet: KEYS_BY_LIQO.replace('liqo }', 'external, store: network }'),
    nextKeys: { after: ['europe/rome', 'rome/europe'] },
  },
  {
    name: 'rotate-every-key-of-a-store',
    fleet: FIRST_RELEASE.replace('hub:', 'keys: { secrets: external, store: network }\nhub:'),
    nextKeys: { before: ['europe/rome', 'rome/europe'], used: ['europe/rome', 'rome/europe'] },
  },
  { name: 'remove-a-key', fleet: CALM, keyless: { after: ['rome/europe'] } },
  {
    name: 'change-the-mtu-of-a-link-without-keys',
    fleet: CALM,
    keyless: { before: ['milan/europe'], after: ['milan/europe'] },
    topology: [['gateway: 203.0.113.30', 'gateway: { addresses: [203.0.113.30], mtu: 1300 }']],
  },
  {
    name: 'remove-a-leaf-without-keys',
    fleet: CALM,
    keyless: { before: ['oslo/europe'], after: ['oslo/europe'] },
    topology: [['  oslo: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.40 }\n', '']],
  },
  { name: 'upgrade-liqo-from-1.1-to-1.2', topology: [['"1.1"', '"1.2"']] },
  {
    name: 'replace-a-leaf',
    topology: [
      [
        '  oslo: { podCIDR: 10.203.0.0/16, externalCIDR: 10.60.0.0/16 }',
        '  turin: { podCIDR: 10.203.0.0/16, externalCIDR: 10.60.0.0/16, gateway: 203.0.113.50 }\n  lyon: { podCIDR: 10.209.0.0/16, hub: [turin] }',
      ],
    ],
  },
  {
    name: 'add-a-leaf-with-gitops',
    earlier: [[['hub: europe', 'gitops: { repository: "https://example.com/network.git" }\nhub: europe']]],
    topology: [['shortcuts:', '  paris: { podCIDR: 10.204.0.0/16 }\nshortcuts:']],
  },
  {
    name: 'downgrade-liqo-from-1.2-to-1.1',
    fleet: CALM,
    topology: [['hub: europe', 'liqo: { version: "1.1" }\nhub: europe']],
  },
  {
    name: 'reserve-what-a-view-uses',
    topology: [['10.200.0.0/16, gateway', '10.200.0.0/16, reserved: [192.168.10.0/24, 10.62.1.0/24], gateway']],
  },
  { name: 'reserve-what-nobody-uses', topology: [['192.168.10.0/24', '192.168.11.0/24']] },
  {
    name: 'edit-the-lock-by-hand',
    lock: [['view/europe/pod/10.202.0.0/16: 10.62.0.0/16', 'view/europe/pod/10.202.0.0/16: 10.50.0.0/16']],
  },
  {
    name: 'relock-a-cluster-with-a-history',
    earlier: [[['  milan: { podCIDR: 10.202.0.0/16', '  milan: { podCIDR: 10.206.0.0/16']]],
    relock: ['europe', 'rome', 'milan'],
  },
  {
    name: 'keep-views-that-a-rebuild-would-move',
    topology: [['  milan: { podCIDR: 10.202.0.0/16', '  milan: { podCIDR: 10.206.0.0/16']],
  },
  { name: 'delete-half-the-fleet', fleet: TEN, topology: leaves(5, 9) },
  { name: 'change-a-label', topology: [['region: south', 'region: north']] },
  {
    name: 'turn-on-gitops',
    topology: [['hub: europe', 'gitops: { repository: "https://example.com/network.git" }\nhub: europe']],
  },
  {
    name: 'change-the-service-type',
    fleet: CALM,
    topology: [['gateway: 203.0.113.10', 'gateway: { service: LoadBalancer, loadBalancerIP: 203.0.113.10 }']],
  },
  {
    name: 'change-the-class-of-a-load-balancer',
    fleet: CALM,
    earlier: [[['gateway: 203.0.113.10', 'gateway: { service: LoadBalancer, addresses: [gw.example.net] }']]],
    topology: [['service: LoadBalancer', 'service: LoadBalancer, loadBalancerClass: example.com/fast']],
  },
  {
    name: 'take-out-the-node-ports-of-a-load-balancer',
    fleet: CALM,
    earlier: [[['gateway: 203.0.113.10', 'gateway: { service: LoadBalancer, addresses: [gw.example.net] }']]],
    topology: [['service: LoadBalancer', 'service: LoadBalancer, allocateLoadBalancerNodePorts: false']],
  },
  {
    name: 'serve-from-the-node-of-the-gateway',
    fleet: CALM,
    earlier: [[['gateway: 203.0.113.10', 'gateway: { service: LoadBalancer, addresses: [gw.example.net] }']]],
    topology: [['service: LoadBalancer', 'service: LoadBalancer, externalTrafficPolicy: Local']],
  },
  {
    name: 'annotate-the-service-of-one-link',
    topology: [
      [
        'shortcuts:\n  - [rome, milan]',
        'shortcuts:\n  - { between: [rome, milan], serviceAnnotations: { example.com/scheme: internal } }',
      ],
    ],
  },
  {
    name: 'annotate-the-service-of-one-link-on-1.2',
    fleet: CALM,
    topology: [
      [
        '203.0.113.40 }\n',
        '203.0.113.40 }\npeerings:\n  - { between: [rome, europe], serviceAnnotations: { example.com/scheme: internal } }\n',
      ],
    ],
  },
  {
    name: 'change-the-annotations-of-one-service',
    earlier: [
      [
        [
          'shortcuts:\n  - [rome, milan]',
          'shortcuts:\n  - { between: [rome, milan], serviceAnnotations: { example.com/scheme: internal } }',
        ],
      ],
    ],
    topology: [['scheme: internal', 'scheme: internet-facing']],
  },
  { name: 'turn-on-the-probers', fleet: CALM, topology: [['hub: europe', 'conformance: true\nhub: europe']] },
  {
    name: 'remove-the-probers',
    fleet: CALM,
    earlier: [[['hub: europe', 'conformance: true\nhub: europe']]],
    topology: [['conformance: true\n', '']],
  },
  {
    name: 'add-a-leaf-with-a-prober',
    fleet: CALM,
    earlier: [[['hub: europe', 'conformance: true\nhub: europe']]],
    topology: [['  oslo:', '  paris: { podCIDR: 10.204.0.0/16 }\n  oslo:']],
  },
  {
    name: 'close-a-cluster',
    fleet: CALM,
    topology: [
      ['203.0.113.10 }', '203.0.113.10, boundary: closed }'],
      ['clusters:', 'boundaries:\n  - { from: rome, to: europe, toNamespace: shop, ports: 5432 }\nclusters:'],
    ],
  },
  {
    name: 'open-a-port-to-another-cluster',
    fleet: CLOSED,
    topology: [
      ['boundaries:', 'boundaries:\n  - { from: milan, to: europe, toNamespace: shop, ports: [443, 8000-8100] }'],
    ],
  },
  {
    name: 'add-a-leaf-behind-a-boundary',
    fleet: CLOSED,
    topology: [['  milan:', '  oslo: { podCIDR: 10.205.0.0/16, boundary: closed }\n  milan:']],
  },
  { name: 'close-a-port', fleet: CLOSED, topology: [['ports: 5432', 'ports: 5433']] },
  { name: 'renumber-behind-a-boundary', fleet: CLOSED, topology: [['10.201.0.0/16', '10.211.0.0/16']] },
  {
    name: 'open-a-closed-cluster',
    fleet: CLOSED,
    topology: [
      ['boundary: closed', 'boundary: open'],
      ['boundaries:\n  - { from: rome, to: europe, toNamespace: shop, ports: 5432 }\n', ''],
    ],
  },
  {
    name: 'turn-on-alerts',
    fleet: CALM,
    topology: [
      ['reserved: [192.168.10.0/24] }', 'reserved: [192.168.10.0/24], monitoring: { prometheusRules: true } }'],
    ],
  },
  {
    name: 'change-the-time-of-an-alert',
    fleet: CALM,
    earlier: [
      [['reserved: [192.168.10.0/24] }', 'reserved: [192.168.10.0/24], monitoring: { prometheusRules: true } }']],
    ],
    topology: [['prometheusRules: true', 'prometheusRules: true, downFor: 10m']],
  },
  {
    name: 'add-a-leaf-with-alerts',
    fleet: CALM,
    earlier: [
      [['reserved: [192.168.10.0/24] }', 'reserved: [192.168.10.0/24], monitoring: { prometheusRules: true } }']],
    ],
    topology: [['  oslo:', '  paris: { podCIDR: 10.204.0.0/16 }\n  oslo:']],
  },
  {
    name: 'retire-a-leaf-with-alerts',
    fleet: CALM,
    earlier: [
      [['reserved: [192.168.10.0/24] }', 'reserved: [192.168.10.0/24], monitoring: { prometheusRules: true } }']],
    ],
    topology: [['gateway: 203.0.113.40 }', 'gateway: 203.0.113.40, retired: true }']],
  },
  {
    name: 'change-a-template',
    fleet: CALM,
    topology: [['gateway: 203.0.113.10', 'gateway: { addresses: [203.0.113.10], replicas: 2 }']],
  },
  {
    name: 'edit-a-template',
    fleet: CALM,
    earlier: [[['gateway: 203.0.113.10', 'gateway: { addresses: [203.0.113.10], replicas: 2 }']]],
    topology: [['replicas: 2', 'replicas: 3']],
  },
  {
    name: 'move-a-leaf-to-eks',
    fleet: CALM,
    keysOfAll: true,
    topology: [
      [
        'milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }',
        'milan: { podCIDR: 10.202.0.0/16, platform: eks, gateway: milan.gw.example.com }',
      ],
    ],
  },
  {
    name: 'move-a-gateway-with-a-template-to-eks',
    fleet: FIRST_RELEASE,
    earlier: [
      [['gateway: 203.0.113.10', 'gateway: { addresses: [hub.gw.example.com], service: LoadBalancer, replicas: 2 }']],
    ],
    topology: [['podCIDR: 10.200.0.0/16', 'podCIDR: 10.200.0.0/16, platform: eks']],
  },
  {
    name: 'declare-a-cni',
    fleet: CALM,
    topology: [['rome: { podCIDR: 10.201.0.0/16 }', 'rome: { podCIDR: 10.201.0.0/16, cni: kindnet }']],
  },
  {
    name: 'change-an-api-server',
    fleet: CALM,
    earlier: [[['rome: { podCIDR: 10.201.0.0/16 }', 'rome: { podCIDR: 10.201.0.0/16, apiServer: rome.example.com }']]],
    topology: [['apiServer: rome.example.com', 'apiServer: { address: rome.example.net, trustedCA: true }']],
  },
  {
    name: 'change-the-pools',
    fleet: CALM,
    topology: [['hub: europe', 'ipam: { pools: [10.0.0.0/8, 192.168.0.0/16] }\nhub: europe']],
  },
  {
    name: 'change-the-name-of-the-secret',
    fleet: CALM,
    topology: [['hub: europe', 'keys: { secretName: wireguard }\nhub: europe']],
  },
  {
    name: 'let-liqo-make-the-keys',
    fleet: CALM,
    topology: [['hub: europe', 'keys: { secrets: liqo }\nhub: europe']],
  },
  {
    name: 'provide-the-keys-that-liqo-made',
    fleet: KEYS_BY_LIQO,
    topology: [['keys: { secrets: liqo }', 'keys: { secretName: "gw-{peer}" }']],
  },
  {
    name: 'provide-keys-instead-of-liqo',
    fleet: KEYS_BY_LIQO,
    topology: [['keys: { secrets: liqo }\n', '']],
  },
  {
    name: 'add-a-leaf-whose-keys-liqo-makes',
    fleet: KEYS_BY_LIQO,
    topology: [['clusters:\n', 'clusters:\n  nice: { podCIDR: 10.209.0.0/16, gateway: 203.0.113.90 }\n']],
    keyless: { after: ['nice/europe', 'europe/nice'] },
  },
  {
    name: 'take-the-keys-from-a-store',
    fleet: CALM,
    topology: [['hub: europe', 'keys: { secrets: external, store: network }\nhub: europe']],
  },
  {
    name: 'take-the-keys-from-another-store',
    fleet: KEYS_BY_LIQO.replace('liqo }', 'external, store: network }'),
    topology: [['store: network', 'store: vault, storeKind: SecretStore, key: "{peer}/{cluster}"']],
  },
  {
    name: 'let-liqo-make-the-keys-of-a-store',
    fleet: KEYS_BY_LIQO.replace('liqo }', 'external, store: network }'),
    topology: [['external, store: network', 'liqo']],
  },
  {
    name: 'change-a-key-that-liqo-made',
    fleet: KEYS_BY_LIQO,
    otherKeys: ['rome/europe'],
  },
  {
    name: 'rename-a-gateway-whose-key-liqo-made',
    fleet: KEYS_BY_LIQO,
    topology: [
      ['clusters:\n', 'peerings:\n  - { between: [europe, rome], names: { rome: { gateway: hub } } }\nclusters:\n'],
    ],
  },
  {
    name: 'move-liqo-to-another-namespace',
    fleet: CALM,
    topology: [['hub: europe', 'liqo: { namespace: liqo-system }\nhub: europe']],
  },
  { name: 'turn-on-the-shortcut-operator', topology: [['version: "1.1"', 'version: "1.1", shortcutOperator: true']] },
  {
    name: 'put-connections-among-the-resources',
    fleet: CALM,
    topology: [['hub: europe', 'liqo: { emitConnections: true }\nhub: europe']],
  },
  { name: 'rename-the-fleet', topology: [['name: fleet', 'name: continent']] },
  {
    name: 'rename-a-fleet-that-flux-applies',
    earlier: [[['hub: europe', 'gitops: { repository: "https://example.com/network.git" }\nhub: europe']]],
    topology: [['name: fleet', 'name: continent']],
  },
  {
    name: 'share-with-a-cluster',
    fleet: SHARING,
    topology: [['offloading:', '  - { consumer: milan, provider: rome }\noffloading:']],
  },
  {
    name: 'share-with-a-cluster-with-keys',
    fleet: SHARING,
    topology: [['offloading:', '  - { consumer: milan, provider: rome }\noffloading:']],
    handshakes: { after: { unanswered: ['milan/rome'] } },
  },
  {
    name: 'collect-the-answers',
    fleet: SHARING,
    handshakes: { before: { unanswered: ['rome/milan', 'rome/turin'] }, after: {} },
  },
  {
    name: 'stop-sharing',
    fleet: SHARING,
    topology: [['  - { consumer: rome, provider: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }\n', '']],
  },
  {
    name: 'stop-sharing-that-was-drained',
    fleet: SHARING,
    earlier: [[['provider: milan, ', 'provider: milan, condition: Drained, ']]],
    topology: [
      [
        '  - { consumer: rome, provider: milan, condition: Drained, resources: { cpu: 4, memory: 8Gi, pods: 110 } }\n',
        '',
      ],
    ],
  },
  {
    name: 'stop-sharing-with-credentials',
    fleet: SHARING,
    earlier: [[['provider: milan, ', 'provider: milan, auth: credentials, ']]],
    topology: [
      [
        '  - { consumer: rome, provider: milan, auth: credentials, resources: { cpu: 4, memory: 8Gi, pods: 110 } }\n',
        '',
      ],
    ],
  },
  {
    name: 'stop-all-sharing',
    fleet: SHARING,
    topology: [[SHARING.slice(SHARING.indexOf('sharing:')), '']],
  },
  {
    name: 'retire-a-provider',
    fleet: SHARING.replace('10.201.0.0/16 }', '10.201.0.0/16, labels: { tier: leaf } }')
      .replace('  turin: {', '  oslo: { podCIDR: 10.203.0.0/16, labels: { tier: leaf } }\n  turin: {')
      .replace('provider: milan', 'provider: { tier: leaf }'),
    topology: [['10.201.0.0/16,', '10.201.0.0/16, retired: true,']],
  },
  {
    name: 'remove-a-provider',
    fleet: SHARING,
    topology: [
      ['  milan: { podCIDR: 10.201.0.0/16 }\n', ''],
      ['  - { consumer: rome, provider: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }\n', ''],
    ],
  },
  {
    name: 'rename-a-provider',
    fleet: SHARING,
    topology: [
      ['  turin: {', '  genoa: { renamedFrom: turin,'],
      ['    provider: turin', '    provider: genoa'],
      ['to: turin', 'to: genoa'],
    ],
  },
  {
    name: 'drain-a-consumer',
    fleet: SHARING,
    topology: [['provider: milan, ', 'provider: milan, condition: Drained, ']],
  },
  {
    name: 'cordon-a-consumer',
    fleet: SHARING,
    topology: [['provider: milan, ', 'provider: milan, condition: Cordoned, ']],
  },
  {
    name: 'authenticate-with-credentials',
    fleet: SHARING,
    topology: [['provider: milan, ', 'provider: milan, auth: credentials, ']],
    handshakes: { after: {} },
  },
  {
    name: 'make-an-authentication-key',
    fleet: SHARING,
    handshakes: { before: { keyless: ['rome'] }, after: { unanswered: ['rome/milan', 'rome/turin'] } },
  },
  {
    name: 'replace-an-authentication-key',
    fleet: SHARING,
    handshakes: { after: { otherKeys: ['rome'], unanswered: ['rome/milan', 'rome/turin'] } },
  },
  {
    name: 'replace-an-authentication-key-without-requests',
    fleet: SHARING,
    handshakes: {
      before: { withoutRequests: ['rome'] },
      after: { withoutRequests: ['rome'], otherKeys: ['rome'], unanswered: ['rome/milan', 'rome/turin'] },
    },
  },
  { name: 'lose-an-authentication-key', fleet: SHARING, handshakes: { after: { keyless: ['rome'] } } },
  { name: 'sign-another-nonce', fleet: SHARING, handshakes: { after: { otherNonces: ['rome'] } } },
  { name: 'record-no-requests', fleet: SHARING, handshakes: { after: { withoutRequests: ['rome'] } } },
  {
    name: 'collect-a-newer-certificate',
    fleet: SHARING,
    handshakes: { before: { ends: { 'rome/milan': '20270101000000Z' } }, after: {} },
  },
  {
    name: 'collect-a-newer-certificate-on-1.2',
    fleet: SHARING.replace('"1.1"', '"1.2"'),
    handshakes: { before: { ends: { 'rome/milan': '20270101000000Z' } }, after: {} },
  },
  {
    name: 'reach-a-provider-elsewhere',
    fleet: SHARING,
    handshakes: {
      after: {
        apiServers: { 'rome/milan': 'https://attacker.example:6443' },
        authorities: { 'rome/milan': 'attacker' },
      },
    },
  },
  {
    name: 'trust-another-authority',
    fleet: SHARING,
    handshakes: { after: { authorities: { 'rome/milan': 'milan-2' } } },
  },
  { name: 'lose-an-answer', fleet: SHARING, handshakes: { after: { unanswered: ['rome/milan'] } } },
  {
    name: 'add-a-slice',
    fleet: SHARING,
    topology: [
      ['      - { name: small', '      - { name: medium, resources: { cpu: 4, memory: 8Gi } }\n      - { name: small'],
    ],
  },
  {
    name: 'remove-a-slice',
    fleet: SHARING,
    topology: [['      - { name: small, resources: { cpu: 2, memory: 4Gi } }\n', '']],
  },
  {
    name: 'rename-the-only-slice',
    fleet: SHARING,
    topology: [['provider: milan, ', 'provider: milan, name: pool, ']],
  },
  {
    name: 'change-the-resources-of-slices',
    fleet: SHARING,
    topology: [
      ['cpu: 4, memory: 8Gi, pods: 110', 'cpu: 8, memory: 8Gi'],
      ['cpu: 16, memory: 64Gi', 'cpu: 8, memory: 64Gi'],
      ['cpu: 2, memory: 4Gi', 'cpu: 2, memory: 4Gi, nvidia.com/gpu: 1'],
    ],
  },
  {
    name: 'change-the-class-of-a-slice',
    fleet: SHARING,
    topology: [['name: small, ', 'name: small, class: gold, ']],
  },
  {
    name: 'change-a-virtual-node',
    fleet: SHARING.replace('provider: milan, ', 'provider: milan, virtualNode: { labels: { tier: burst } }, '),
    topology: [['labels: { tier: burst }', 'labels: { tier: calm }, taints: [{ key: burst, effect: NoExecute }]']],
  },
  {
    name: 'leave-a-virtual-node-to-liqo',
    fleet: SHARING.replace('provider: milan, ', 'provider: milan, virtualNode: { runtimeClass: gvisor }, '),
    topology: [['virtualNode: { runtimeClass: gvisor }, ', '']],
  },
  {
    name: 'get-credentials-from-elsewhere',
    fleet: SHARING.replace(
      'provider: milan, ',
      'provider: milan, auth: credentials, credentials: { store: network, key: liqo/milan }, ',
    ),
    topology: [['key: liqo/milan', 'key: liqo/attacker']],
  },
  {
    name: 'change-what-a-provider-lends',
    fleet: SHARING,
    topology: [
      [
        'milan: { podCIDR: 10.201.0.0/16 }',
        'milan: { podCIDR: 10.201.0.0/16, helmValues: { controllerManager: { config: { defaultLimitsEnforcement: Hard } }, storage: { realStorageClassName: fast } } }',
      ],
      [
        'gateway: 203.0.113.10',
        'helmValues: { networking: { reflectIPs: false }, virtualKubelet: { replicas: 2, image: { name: mirror.example.com/vk } }, proxy: { replicas: 2 } }, gateway: 203.0.113.10',
      ],
    ],
  },
  {
    name: 'offload-a-namespace',
    fleet: SHARING,
    topology: [['offloading:\n', 'offloading:\n  - { cluster: rome, namespace: shop, to: [milan] }\n']],
  },
  {
    name: 'withdraw-a-namespace',
    fleet: SHARING,
    topology: [['  - { cluster: rome, namespace: demo }\n', '']],
  },
  {
    name: 'offload-a-namespace-elsewhere',
    fleet: SHARING,
    topology: [['namespace: batch, to: turin', 'namespace: batch, to: milan']],
  },
  {
    name: 'offload-a-namespace-to-one-more',
    fleet: SHARING,
    topology: [['namespace: batch, to: turin', 'namespace: batch, to: [milan, turin]']],
  },
  { name: 'place-pods-differently', fleet: SHARING, topology: [['pods: Remote', 'pods: LocalAndRemote']] },
  {
    name: 'call-a-remote-namespace-differently',
    fleet: SHARING,
    topology: [['remoteName: batch', 'remoteName: batch-2']],
  },
  {
    name: 'leave-a-namespace-to-others',
    fleet: SHARING,
    topology: [['namespace: demo }', 'namespace: demo, createNamespace: false }']],
  },
  {
    name: 'link-clusters-that-share',
    fleet: SHARING.replace('hub: rome\n', 'peerings: [[rome, turin]]\n'),
    keysOfAll: true,
    topology: [['[[rome, turin]]', '[[rome, milan], [rome, turin]]']],
  },
  {
    name: 'unlink-clusters-that-share',
    fleet: SHARING.replace('hub: rome\n', 'peerings: [[rome, milan], [rome, turin]]\n'),
    topology: [['[[rome, milan], [rome, turin]]', '[[rome, turin]]']],
  },
  {
    name: 'move-the-view-of-a-provider',
    fleet: SHARING,
    topology: [['milan: { podCIDR: 10.201.0.0/16 }', 'milan: { podCIDR: 10.205.0.0/16 }']],
  },
  ...DELIVERED_EDITS,
  ...IMAGE_EDITS,
  ...DEMAND_EDITS,
];
