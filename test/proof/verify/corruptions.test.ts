import { describe, expect, it } from 'vitest';
import { printHeader } from '../../../src/base/core/generated-files.ts';
import { CODES, type Code } from '../../../src/base/diagnostics/codes.ts';
import { placeAt } from '../../../src/base/source/source.ts';
import { CONFIGURATION_HEALTH } from '../../../src/bundle/gitops/flux-health.ts';
import { bundleFiles, compiledGolden, type Files, verifyGolden } from './verify-golden.ts';

interface Corruption {
  readonly name: string;
  readonly golden: string;
  readonly edit: (files: Files) => Files;
  readonly code: Code;
  /** The file in which it is reported, below `out/`. */
  readonly file: string;
  /** The text at the place; a missing file has none. */
  readonly text: string;
  /** Further errors, by code and file; none by default. */
  readonly also?: readonly string[];
}

/** The first line of generated files, without its end. */
const HEADER = printHeader('topology.yaml').trimEnd();

const DECK = 'deck-two-one-pod-cidr-everywhere';
const KEYS = 'keys-of-all-gateways';
const STAR = 'shortcuts-in-a-star-with-operator';
const GITOPS = 'gitops-with-argo-and-flux';
const CUSTOM = 'gateways-customised-on-1.2';
const LISTS = 'several-pod-cidrs';
const ALERTS = 'alerts-on-every-tunnel';
const MILANS = 'rome/monitoring/milan.yaml';
const CLOUD = 'load-balancers-of-a-cloud-on-1.2';
const OLD_CLOUD = 'load-balancers-of-a-cloud-on-1.1';
const ROME_TEMPLATE = 'europe/gateway-templates/weft-wireguard-server-rome.yaml';
const EKS = 'warns-eks-on-1.2';
/** The health check of a Configuration in Flux without the pods. */
const WITHOUT_PODS = JSON.stringify(
  CONFIGURATION_HEALTH.current.replace(".pod.all(it, it != '')", '.pod.all(it, true)'),
);
const PROBED = 'probers-on-every-release';
const PROBER = 'oslo/conformance/prober.yaml';
const CLOSED = 'closed-links';
const FENCED = 'milan/peers/rome/rome.yaml';
const POLICY = 'milan/boundaries/shop-rome.yaml';
const SHARING = 'sharing-of-a-hub-with-its-spokes';
const SHARED = 'sharing-with-argo-and-flux';
const BY_HAND = 'a-fleet-made-by-hand-keeps-its-names';
const OF_MILAN = 'rome/peers/milan/milan.yaml';
const SERVICES = 'links-with-services-of-their-own';
const ROME = '_flux/clusters/rome/rome.yaml';
const SET = '_argocd/applicationset.yaml';
const ATHENS = '_flux/clusters/athens/athens.yaml';
const SERVER_TEMPLATE = 'hub/gateway-templates/weft-wireguard-server.yaml';

/** Replaces a text in a file; `nth`, from 1, selects one of several occurrences. */
const change =
  (path: string, from: string, to: string, nth = 1) =>
  (files: Files): Files => {
    const parts = (files.get(path) ?? '').split(from);
    if (parts.length <= nth) throw new Error(`${path} has no ${nth}. "${from}"`);
    const text = `${parts.slice(0, nth).join(from)}${to}${parts.slice(nth).join(from)}`;
    return new Map([...files, [path, text]]);
  };

/** Replaces the first text that matches. */
const changeMatch =
  (path: string, from: RegExp, to: string) =>
  (files: Files): Files => {
    const text = files.get(path) ?? '';
    if (!from.test(text)) throw new Error(`${path} has no ${from}`);
    return new Map([...files, [path, text.replace(from, to)]]);
  };

const remove =
  (...paths: readonly string[]) =>
  (files: Files): Files => {
    for (const path of paths) if (!files.has(path)) throw new Error(`there is no ${path}`);
    return new Map([...files].filter(([path]) => !paths.includes(path)));
  };

const add =
  (path: string, text: string) =>
  (files: Files): Files =>
    new Map([...files, [path, text]]);

const both =
  (...edits: readonly ((files: Files) => Files)[]) =>
  (files: Files): Files =>
    edits.reduce((all, edit) => edit(all), files);

/** Copies a file with some of its words replaced, as a user does by hand. */
const copy =
  (from: string, to: string, words: Readonly<Record<string, string>> = {}) =>
  (files: Files): Files => {
    const text = Object.entries(words).reduce((all, [a, b]) => all.replaceAll(a, b), files.get(from) ?? '');
    return new Map([...files, [to, text]]);
  };

const CORRUPTIONS: readonly Corruption[] = [
  // Rules for packets.
  {
    name: 'a wrong prefix in a dnat',
    golden: DECK,
    edit: change(
      'cluster2/nftables/cluster3.nft',
      'dnat ip prefix to 10.200.0.0/16',
      'dnat ip prefix to 10.201.0.0/16',
    ),
    code: 'verify/nat',
    file: 'cluster2/nftables/cluster3.nft',
    text: 'dnat ip prefix to 10.201.0.0/16',
  },
  {
    name: 'dnat and snat swapped',
    golden: DECK,
    edit: both(
      change('cluster2/nftables/cluster3.nft', ' dnat ip prefix', ' SNAT ip prefix'),
      change('cluster2/nftables/cluster3.nft', ' snat ip prefix', ' dnat ip prefix'),
      change('cluster2/nftables/cluster3.nft', ' SNAT ip prefix', ' snat ip prefix'),
    ),
    code: 'verify/nat',
    file: 'cluster2/nftables/cluster3.nft',
    text: 'snat ip prefix to 10.200.0.0/16',
    also: ['verify/nat cluster2/nftables/cluster3.nft'],
  },
  {
    name: 'a rule that is missing',
    golden: DECK,
    edit: change(
      'cluster2/nftables/hub.nft',
      '    ip daddr 10.63.0.0/16 iifname != "eth0" iifname != "liqo-tunnel" dnat ip prefix to 10.200.0.0/16 comment "outgoing-hub-pod-10-200-0-0-16"\n',
      '',
    ),
    code: 'verify/nat',
    file: 'cluster2/nftables/hub.nft',
    text: 'outgoing',
  },
  {
    name: 'rules in another order',
    golden: DECK,
    edit: changeMatch('cluster2/nftables/nodes/hub.nft', /^( +ip daddr .*podcidr.*\n)( +ip daddr .*\n)/m, '$2$1'),
    code: 'verify/nat',
    file: 'cluster2/nftables/nodes/hub.nft',
    text: 'ip daddr 10.63.0.0/16 ip saddr != 10.200.0.0/16 snat to 10.70.0.0 comment "service-nodeport-hub"',
  },
  {
    name: 'a rule of nodes with a short name',
    golden: LISTS,
    edit: change('rome/nftables/nodes/hub.nft', '"service-nodeport-hub-10-10-0-0-16"', '"service-nodeport-hub"'),
    code: 'verify/nat',
    file: 'rome/nftables/nodes/hub.nft',
    text: '"service-nodeport-hub"',
  },
  {
    name: 'a rule of a gateway with the name of another',
    golden: DECK,
    edit: change('cluster2/nftables/hub.nft', '"outgoing-hub-pod', '"incoming-hub-pod'),
    code: 'verify/nat',
    file: 'cluster2/nftables/hub.nft',
    text: '"incoming-hub-pod-10-200-0-0-16"',
  },
  {
    name: 'a rule without a name',
    golden: DECK,
    edit: changeMatch('cluster2/nftables/hub.nft', / comment "outgoing-hub-pod[^"]*"/, ''),
    code: 'verify/nat',
    file: 'cluster2/nftables/hub.nft',
    text: 'ip daddr 10.63.0.0/16 iifname != "eth0" iifname != "liqo-tunnel" dnat ip prefix to 10.200.0.0/16',
  },
  {
    name: 'a rule that appears twice',
    golden: DECK,
    edit: change(
      'cluster3/nftables/hub.nft',
      'comment "incoming-hub-pod-10-200-0-0-16"\n',
      'comment "incoming-hub-pod-10-200-0-0-16"\n    oifname != "eth0" ip saddr 10.200.0.0/16 iifname "liqo-tunnel" snat ip prefix to 10.63.0.0/16 comment "again"\n',
    ),
    code: 'verify/nat',
    file: 'cluster3/nftables/hub.nft',
    text: 'oifname != "eth0" ip saddr 10.200.0.0/16 iifname "liqo-tunnel" snat ip prefix to 10.63.0.0/16 comment "again"',
  },
  {
    name: 'a rule in front that catches some addresses',
    golden: DECK,
    edit: change(
      'cluster2/nftables/cluster3.nft',
      '    ip daddr 10.61.0.0/16',
      '    ip daddr 10.61.7.0/24 dnat ip prefix to 10.99.7.0/24\n    ip daddr 10.61.0.0/16',
    ),
    code: 'verify/nat',
    file: 'cluster2/nftables/cluster3.nft',
    text: 'ip daddr 10.61.7.0/24 dnat ip prefix to 10.99.7.0/24',
  },
  {
    name: 'a chain at another hook',
    golden: DECK,
    edit: change('hub/nftables/cluster2.nft', 'hook prerouting priority -100', 'hook output priority -100'),
    code: 'verify/delivery',
    file: 'hub/nftables/cluster2.nft',
    text: 'dnat ip prefix to 10.200.0.0/16',
    also: ['verify/nat hub/nftables/cluster2.nft'],
  },
  {
    name: 'an interface without packets',
    golden: DECK,
    edit: change('hub/nftables/cluster2.nft', 'iifname "liqo-tunnel"', 'iifname "liqo-tunel"'),
    code: 'verify/nat',
    file: 'hub/nftables/cluster2.nft',
    text: 'iifname "liqo-tunel"',
  },
  {
    name: 'another network of a peer in every file of a cluster',
    golden: KEYS,
    edit: both(
      change('hub/peers/rome/rome.yaml', '- 10.2.0.0/16', '- 10.9.0.0/16'),
      change('hub/expected/configurations.yaml', '10.2.0.0/16', '10.9.0.0/16'),
      change('hub/expected/configurations.yaml', '10.2.0.0/16', '10.9.0.0/16'),
    ),
    code: 'verify/announcement',
    file: 'hub/peers/rome/rome.yaml',
    text: '10.9.0.0/16',
    also: ['verify/announcement hub/expected/configurations.yaml', 'verify/view hub/expected/configurations.yaml'],
  },
  {
    name: 'an nft file that nft cannot read',
    golden: DECK,
    edit: change('hub/nftables/cluster2.nft', 'policy accept;\n    ip daddr', 'policy accept;\n    ip dadr'),
    code: 'verify/unreadable',
    file: 'hub/nftables/cluster2.nft',
    text: 'dadr',
  },
  {
    name: 'a wrong unknown source on nodes',
    golden: DECK,
    edit: change('hub/nftables/nodes/cluster3.nft', 'snat to 10.70.0.0', 'snat to 10.70.0.1'),
    code: 'verify/nat',
    file: 'hub/nftables/nodes/cluster3.nft',
    text: 'snat to 10.70.0.1',
  },
  {
    name: 'nodes that translate the source of their pods',
    golden: LISTS,
    edit: change('rome/nftables/nodes/hub.nft', 'ip saddr != 172.30.0.0/24 ', ''),
    code: 'verify/nat',
    file: 'rome/nftables/nodes/hub.nft',
    text: 'ip daddr 10.10.0.0/16 ip saddr != 10.20.0.0/16 ip saddr != 10.11.0.0/16 snat to 10.70.0.0 comment "service-nodeport-hub-10-10-0-0-16"',
  },
  {
    name: 'a rule that 1.1 creates and 1.2 omits',
    golden: 'release-1.1',
    edit: change(
      'hub/nftables/milan.nft',
      '    ip daddr 10.20.0.0/16 iifname != "eth0" iifname != "liqo-tunnel" dnat ip prefix to 10.20.0.0/16 comment "outgoing-milan-pod-10-20-0-0-16"\n',
      '',
    ),
    code: 'verify/nat',
    file: 'hub/nftables/milan.nft',
    text: 'outgoing',
  },
  // Addresses.
  {
    name: 'a stale expected status',
    golden: DECK,
    edit: change('cluster2/expected/configurations.yaml', '10.61.0.0/16', '10.59.0.0/16'),
    code: 'verify/view',
    file: 'cluster2/expected/configurations.yaml',
    text: '10.59.0.0/16',
  },
  {
    name: 'a stale expected Network',
    golden: DECK,
    edit: change('cluster2/expected/networks.yaml', '10.61.0.0/16', '10.59.0.0/16'),
    code: 'verify/view',
    file: 'cluster2/expected/networks.yaml',
    text: '10.59.0.0/16',
  },
  {
    name: 'an expected Network without its number of preallocated addresses',
    golden: DECK,
    edit: change('cluster2/expected/networks.yaml', '\n  preAllocated: 0', ''),
    code: 'verify/expected',
    file: 'cluster2/expected/networks.yaml',
    text: 'spec',
  },
  {
    name: 'an expected Configuration with another network of the cluster itself',
    golden: DECK,
    edit: change('cluster2/expected/configurations.yaml', '10.200.0.0/16', '10.99.0.0/16'),
    code: 'verify/expected',
    file: 'cluster2/expected/configurations.yaml',
    text: '10.99.0.0/16',
  },
  {
    name: 'a view that overlaps an own CIDR',
    golden: DECK,
    edit: both(
      change('cluster2/peers/cluster3/cluster3.yaml', 'pod-views: 10.61.0.0/16', 'pod-views: 10.62.0.0/16'),
      change('cluster2/expected/configurations.yaml', '10.61.0.0/16', '10.62.0.0/16'),
      change('cluster2/expected/networks.yaml', '10.61.0.0/16', '10.62.0.0/16'),
      change('cluster2/nftables/cluster3.nft', 'daddr 10.61.0.0/16', 'daddr 10.62.0.0/16'),
      change('cluster2/nftables/cluster3.nft', 'prefix to 10.61.0.0/16', 'prefix to 10.62.0.0/16'),
      change('cluster2/nftables/nodes/cluster3.nft', 'daddr 10.61.0.0/16', 'daddr 10.62.0.0/16'),
      change('cluster2/nftables/nodes/cluster3.nft', 'daddr 10.61.0.0/16', 'daddr 10.62.0.0/16'),
      change(
        'addresses.json',
        '"cluster":"cluster2","peer":"cluster3","kind":"pod","cidr":"10.200.0.0/16","seenAs":"10.61',
        '"cluster":"cluster2","peer":"cluster3","kind":"pod","cidr":"10.200.0.0/16","seenAs":"10.62',
      ),
      change('hub/expected/foreignclusterconnections.yaml', 'remappedPodCIDR: 10.61', 'remappedPodCIDR: 10.62'),
    ),
    code: 'verify/overlap',
    file: 'cluster2/expected/configurations.yaml',
    text: '10.62.0.0/16',
    also: [
      'verify/differs cluster2/peers/cluster3/cluster3.yaml',
      'verify/differs addresses.json',
      'verify/differs cluster2/expected/networks.yaml',
      'verify/differs cluster2/nftables/cluster3.nft',
      'verify/differs cluster2/nftables/nodes/cluster3.nft',
      'verify/differs hub/expected/foreignclusterconnections.yaml',
    ],
  },
  {
    name: 'two peers with one view',
    golden: DECK,
    edit: both(
      change('hub/peers/cluster3/cluster3.yaml', 'views: 10.63.0.0/16', 'views: 10.60.0.0/16'),
      change('hub/expected/configurations.yaml', '10.63.0.0/16', '10.60.0.0/16'),
      change('hub/expected/networks.yaml', '10.63.0.0/16', '10.60.0.0/16'),
    ),
    code: 'verify/overlap',
    file: 'hub/expected/configurations.yaml',
    text: '10.60.0.0/16',
    also: [
      'verify/differs hub/peers/cluster3/cluster3.yaml',
      'verify/addresses addresses.json',
      'verify/nat hub/nftables/cluster3.nft',
      'verify/nat hub/nftables/cluster3.nft',
      'verify/nat hub/nftables/nodes/cluster3.nft',
      'verify/nat hub/nftables/nodes/cluster3.nft',
      'verify/shortcut hub/expected/foreignclusterconnections.yaml',
      'verify/differs hub/expected/networks.yaml',
    ],
  },
  {
    name: 'a Configuration with another CIDR',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', '- 10.1.0.0/16', '- 10.4.0.0/16'),
    code: 'verify/announcement',
    file: 'rome/peers/hub/hub.yaml',
    text: '10.4.0.0/16',
  },
  {
    name: 'a wrong external CIDR announced',
    golden: KEYS,
    edit: change('milan/peers/rome/rome.yaml', '- 10.254.224.0/20', '- 10.254.240.0/20'),
    code: 'verify/announcement',
    file: 'milan/peers/rome/rome.yaml',
    text: '10.254.240.0/20',
  },
  {
    name: 'a second pod CIDR that the peer does not have',
    golden: KEYS,
    edit: change(
      'milan/peers/rome/rome.yaml',
      '        - 10.2.0.0/16\n',
      '        - 10.2.0.0/16\n        - 10.7.0.0/16\n',
    ),
    code: 'verify/announcement',
    file: 'milan/peers/rome/rome.yaml',
    text: '10.7.0.0/16',
  },
  {
    name: 'spec.local, which is Liqo’s',
    golden: KEYS,
    edit: change('milan/peers/rome/rome.yaml', 'spec:\n  remote:', 'spec:\n  local: {}\n  remote:'),
    code: 'verify/announcement',
    file: 'milan/peers/rome/rome.yaml',
    text: 'local',
  },
  {
    name: 'a pod that keeps its address on EKS',
    golden: EKS,
    edit: change(
      'rome/nftables/nodes/europe.nft',
      'ip daddr 10.200.0.0/16 snat to',
      'ip daddr 10.200.0.0/16 ip saddr != 10.0.0.0/16 snat to',
    ),
    code: 'verify/nat',
    file: 'rome/nftables/nodes/europe.nft',
    text: 'ip saddr != 10.0.0.0/16',
    also: ['verify/delivery rome/nftables/nodes/europe.nft'],
  },
  {
    name: 'a cluster on EKS that is installed without masquerading',
    golden: EKS,
    edit: change('rome/helm-values.yaml', 'fullMasquerade: true', 'fullMasquerade: false'),
    code: 'verify/platform',
    file: 'rome/helm-values.yaml',
    text: 'false',
  },
  {
    name: 'masquerading on a platform that needs none',
    golden: EKS,
    edit: change(
      'milan/helm-values.yaml',
      'ipam:',
      'networking: { fabric: { config: { fullMasquerade: true } } }\nipam:',
    ),
    code: 'verify/platform',
    file: 'milan/helm-values.yaml',
    text: 'true',
  },
  {
    name: 'a health check of a load balancer at another port, in the values',
    golden: EKS,
    edit: change('rome/helm-values.yaml', '"8083"', '"8085"'),
    code: 'verify/platform',
    file: 'rome/helm-values.yaml',
    text: '"8085"',
  },
  {
    name: 'another API server',
    golden: EKS,
    edit: change('rome/helm-values.yaml', 'https://rome.eks', 'https://evil.eks'),
    code: 'verify/platform',
    file: 'rome/helm-values.yaml',
    text: '"https://evil.eks.example.com"',
  },
  {
    name: 'a template for EKS without the container that answers health checks',
    golden: 'warns-eks-on-1.1',
    edit: change(
      'rome/gateway-templates/weft-wireguard-server.yaml',
      '                - name: tcp-healthcheck\n                  image: nginx\n',
      '',
    ),
    code: 'verify/template',
    file: 'rome/gateway-templates/weft-wireguard-server.yaml',
    text: 'containers',
  },
  {
    name: 'a tunnel of the kernel on OpenShift',
    golden: 'warns-openshift-is-in-progress',
    edit: change(
      'rome/gateway-templates/weft-wireguard-server.yaml',
      '--implementation=userspace',
      '--implementation=kernel',
    ),
    code: 'verify/template',
    file: 'rome/gateway-templates/weft-wireguard-server.yaml',
    text: '"--implementation=kernel"',
  },
  {
    name: 'a Secret named in a gateway that makes its own',
    golden: 'keys-made-by-liqo',
    edit: change('milan/peers/hub/hub.yaml', '  mtu: 1340\n', '  mtu: 1340\n  secretRef:\n    name: gw-keys\n'),
    code: 'verify/template',
    file: 'milan/peers/hub/hub.yaml',
    text: 'gw-keys',
  },
  {
    name: 'the key pair of another gateway in a store',
    golden: 'keys-from-a-store',
    edit: change('rome/peers/hub/hub.yaml', 'key: network/rome/hub', 'key: network/hub/rome'),
    code: 'verify/template',
    file: 'rome/peers/hub/hub.yaml',
    text: 'network/hub/rome',
  },
  {
    name: 'an ExternalSecret of a gateway without a label of Liqo',
    golden: 'keys-from-a-store',
    edit: change('rome/peers/hub/hub.yaml', '          networking.liqo.io/gateway-resource: "true"\n', ''),
    code: 'verify/template',
    file: 'rome/peers/hub/hub.yaml',
    text: 'labels',
  },
  {
    name: 'an own Network of another version of the API',
    golden: KEYS,
    edit: change('rome/expected/networks.yaml', 'ipam.liqo.io/v1alpha1', 'ipam.liqo.io/v1beta1'),
    code: 'verify/identity',
    file: 'rome/expected/networks.yaml',
    text: 'ipam.liqo.io/v1beta1',
  },
  {
    name: 'the Network of a peer with another kind',
    golden: KEYS,
    edit: changeMatch('rome/expected/networks.yaml', /kind: Network(?=\nmetadata:\n {2}name: hub-)/, 'kind: Networks'),
    code: 'verify/identity',
    file: 'rome/expected/networks.yaml',
    text: 'Networks',
  },
  {
    name: 'an expected Connection with another kind',
    golden: KEYS,
    edit: change('rome/expected/connections.yaml', 'kind: Connection\n', 'kind: Connections\n'),
    code: 'verify/identity',
    file: 'rome/expected/connections.yaml',
    text: 'Connections',
  },
  {
    name: 'helm-values in which a key has lost its only value',
    golden: KEYS,
    edit: change('rome/helm-values.yaml', '    clusterID: rome\n', ''),
    code: 'verify/own-addresses',
    file: 'rome/helm-values.yaml',
    text: 'config',
  },
  {
    name: 'helm-values changed',
    golden: KEYS,
    edit: change('rome/helm-values.yaml', 'podCIDR: 10.2.0.0/16', 'podCIDR: 10.5.0.0/16'),
    code: 'verify/own-addresses',
    file: 'rome/helm-values.yaml',
    text: '10.5.0.0/16',
  },
  {
    name: 'the pools in another order',
    golden: KEYS,
    edit: change(
      'rome/helm-values.yaml',
      '    - 192.168.0.0/16\n    - 172.16.0.0/12\n',
      '    - 172.16.0.0/12\n    - 192.168.0.0/16\n',
    ),
    code: 'verify/own-addresses',
    file: 'rome/helm-values.yaml',
    text: '172.16.0.0/12',
    also: ['verify/own-addresses rome/helm-values.yaml'],
  },
  {
    name: 'a carved block moved in helm-values',
    golden: KEYS,
    edit: change('rome/helm-values.yaml', '10.254.224.0/20', '10.254.208.0/20'),
    code: 'verify/own-addresses',
    file: 'rome/expected/networks.yaml',
    text: '10.254.224.0/20',
    also: ['verify/own-addresses rome/helm-values.yaml'],
  },
  {
    name: 'a carved block left out of helm-values',
    golden: KEYS,
    edit: change('rome/helm-values.yaml', '  externalCIDR: 10.254.224.0/20\n', ''),
    code: 'verify/own-addresses',
    file: 'rome/helm-values.yaml',
    text: 'ipam',
  },
  {
    name: 'a row of addresses.json changed',
    golden: DECK,
    edit: change('addresses.json', '"seenAs":"10.63.0.0/16"', '"seenAs":"10.163.0.0/16"'),
    code: 'verify/addresses',
    file: 'addresses.json',
    text: '"10.163.0.0/16"',
  },
  {
    name: 'rows of addresses.json in another order',
    golden: 'release-1.0',
    edit: changeMatch(
      'addresses.json',
      /^(.*"hub","peer":"milan","role".*\n)\n(.*"hub","peer":"rome","role".*\n)/m,
      '$2\n$1',
    ),
    code: 'verify/addresses',
    file: 'addresses.json',
    text: '"milan"',
  },
  {
    name: 'a row of addresses.json removed',
    golden: KEYS,
    edit: change(
      'addresses.json',
      '    {"cluster":"milan","peer":"hub","role":"client","address":"203.0.113.1","port":32754,"mtu":1340},\n',
      '',
    ),
    code: 'verify/addresses',
    file: 'addresses.json',
    text: '"gateways"',
  },
  {
    name: 'a row of addresses.json for two that are not linked',
    golden: GITOPS,
    edit: change(
      'addresses.json',
      '  "gateways": [\n',
      '  "gateways": [\n    {"cluster":"athens","peer":"berlin","role":"client","address":"203.0.113.9","port":31000,"mtu":1340},\n',
    ),
    code: 'verify/unasked-path',
    file: 'addresses.json',
    text: '"berlin"',
  },
  {
    name: 'a comma too many in addresses.json',
    golden: KEYS,
    edit: change('addresses.json', '}\n  ],', '},\n  ],'),
    code: 'verify/unreadable',
    file: 'addresses.json',
    text: ']',
  },
  // Both ends of a tunnel.
  {
    name: 'a wrong key',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'QdYm2+', 'QdYm3+'),
    code: 'verify/key',
    file: 'rome/peers/hub/hub.yaml',
    text: '"QdYm3+uIQLyd4FBSxF+I6C63VFVb0ONtMQC1bj7WG20="',
  },
  {
    name: 'a wrong node port',
    golden: KEYS,
    edit: change('hub/peers/rome/rome.yaml', 'nodePort: 31200', 'nodePort: 31201'),
    code: 'verify/endpoint',
    file: 'hub/peers/rome/rome.yaml',
    text: '31201',
  },
  {
    name: 'two gateways of a cluster with one node port',
    golden: KEYS,
    edit: change('hub/peers/rome/rome.yaml', 'nodePort: 31200', 'nodePort: 32754'),
    code: 'verify/endpoint',
    file: 'hub/peers/rome/rome.yaml',
    text: '32754',
  },
  {
    name: 'another port than in the lock behind a NAT that forwards one',
    golden: 'servers-behind-nat-keep-their-ports',
    edit: change('delft/peers/cairo/cairo.yaml', 'port: 51825', 'port: 51826'),
    code: 'verify/endpoint',
    file: 'delft/peers/cairo/cairo.yaml',
    text: '51826',
  },
  {
    name: 'a wrong dialled port',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'port: 31200', 'port: 31202'),
    code: 'verify/endpoint',
    file: 'rome/peers/hub/hub.yaml',
    text: '31202',
  },
  {
    name: 'a wrong dialled address',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', '- 203.0.113.1', '- 203.0.113.2'),
    code: 'verify/endpoint',
    file: 'rome/peers/hub/hub.yaml',
    text: '203.0.113.2',
  },
  {
    name: 'a port as text',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'port: 31200', 'port: "31200"'),
    code: 'verify/endpoint',
    file: 'rome/peers/hub/hub.yaml',
    text: '"31200"',
  },
  {
    name: 'TCP',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'protocol: UDP', 'protocol: TCP'),
    code: 'verify/endpoint',
    file: 'rome/peers/hub/hub.yaml',
    text: 'TCP',
  },
  {
    name: 'an MTU changed on one end',
    golden: 'links-with-options',
    edit: change('rome/peers/milan/milan.yaml', 'mtu: 9000', 'mtu: 1500'),
    code: 'verify/mtu',
    file: 'rome/peers/milan/milan.yaml',
    text: '1500',
  },
  {
    name: 'an MTU that is missing',
    golden: KEYS,
    edit: change('rome/peers/milan/milan.yaml', '  mtu: 1340\n', ''),
    code: 'verify/mtu',
    file: 'rome/peers/milan/milan.yaml',
    text: 'spec',
  },
  {
    name: 'the role swapped on one end',
    golden: KEYS,
    edit: both(
      change('rome/peers/hub/hub.yaml', 'kind: GatewayClient', 'kind: GatewayServer'),
      change('rome/peers/hub/hub.yaml', 'clientTemplateRef', 'serverTemplateRef'),
    ),
    code: 'verify/role',
    file: 'rome/peers/hub/hub.yaml',
    text: 'GatewayServer',
  },
  {
    name: 'another key Secret',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'name: wireguard-pair', 'name: gw-keys'),
    code: 'verify/template',
    file: 'rome/peers/hub/hub.yaml',
    text: 'gw-keys',
  },
  {
    name: 'another template',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'name: wireguard-client', 'name: wireguard-custom'),
    code: 'verify/template',
    file: 'rome/peers/hub/hub.yaml',
    text: 'wireguard-custom',
  },
  {
    name: "the chart's template instead of ours",
    golden: CUSTOM,
    edit: change('edge/peers/hub/hub.yaml', 'name: weft-wireguard-client', 'name: wireguard-client'),
    code: 'verify/template',
    file: 'edge/peers/hub/hub.yaml',
    text: 'wireguard-client',
  },
  {
    name: 'a template of ours that is missing',
    golden: CUSTOM,
    edit: remove('edge/gateway-templates/weft-wireguard-client.yaml'),
    code: 'verify/missing-file',
    file: 'edge/gateway-templates/weft-wireguard-client.yaml',
    text: '',
    also: ['verify/kustomization edge/gateway-templates/kustomization.yaml'],
  },
  // Gateway templates.
  {
    name: 'one replica instead of two',
    golden: CUSTOM,
    edit: change(SERVER_TEMPLATE, 'replicas: 2', 'replicas: 1'),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: '1',
  },
  {
    name: 'a Service with another target port than the one that the gateway listens on',
    golden: CUSTOM,
    edit: change(SERVER_TEMPLATE, 'targetPort: 51820', 'targetPort: 51821'),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: 'ports',
  },
  {
    name: 'a gateway that listens on another port',
    golden: CUSTOM,
    edit: change(SERVER_TEMPLATE, '--listen-port=51820', '--listen-port=51821'),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: '"--listen-port=51821"',
  },
  {
    name: 'a node selector for other nodes',
    golden: CUSTOM,
    edit: change(SERVER_TEMPLATE, '"pool": "on"', '"pool": "off"'),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: 'nodeSelector',
  },
  {
    name: 'an image of another container',
    golden: CUSTOM,
    edit: change(SERVER_TEMPLATE, '/gateway/wireguard:', '/gateway/geneve:'),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: '"registry.example.com/liqo/gateway/geneve:v1.2.0"',
  },
  {
    name: 'a Deployment that selects other pods',
    golden: CUSTOM,
    edit: change(
      SERVER_TEMPLATE,
      '            matchLabels:\n              app.kubernetes.io/name: "{{ .Name }}"',
      '            matchLabels:\n              app.kubernetes.io/name: "other"',
    ),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: 'app.kubernetes.io/name',
  },
  {
    name: 'a ping that was switched on',
    golden: CUSTOM,
    edit: change('quiet/gateway-templates/weft-wireguard-server.yaml', '--ping-enabled=false', '--ping-enabled=true'),
    code: 'verify/template',
    file: 'quiet/gateway-templates/weft-wireguard-server.yaml',
    text: '"--ping-enabled=true"',
  },
  {
    name: 'annotations of the Service that are missing',
    golden: CUSTOM,
    edit: change('hub/peers/edge/edge.yaml', 'example.com/class', 'example.com/klass'),
    code: 'verify/endpoint',
    file: 'hub/peers/edge/edge.yaml',
    text: 'serviceAnnotations',
  },
  {
    name: 'annotations of another link',
    golden: CLOUD,
    edit: change('europe/peers/rome/rome.yaml', 'hostname: rome.gw', 'hostname: milan.gw'),
    code: 'verify/endpoint',
    file: 'europe/peers/rome/rome.yaml',
    text: 'serviceAnnotations',
  },
  {
    name: 'annotations of another link in the template of one',
    golden: OLD_CLOUD,
    edit: change(ROME_TEMPLATE, '"rome.gw.europe', '"milan.gw.europe'),
    code: 'verify/template',
    file: ROME_TEMPLATE,
    text: 'annotations',
  },
  {
    name: 'the template that all links share instead of the one of a link',
    golden: OLD_CLOUD,
    edit: change('europe/peers/rome/rome.yaml', 'weft-wireguard-server-rome', 'weft-wireguard-server'),
    code: 'verify/template',
    file: 'europe/peers/rome/rome.yaml',
    text: 'weft-wireguard-server',
  },
  {
    name: 'the template of a link that is missing',
    golden: OLD_CLOUD,
    edit: remove(ROME_TEMPLATE),
    code: 'verify/missing-file',
    file: ROME_TEMPLATE,
    text: '',
    also: ['verify/kustomization europe/gateway-templates/kustomization.yaml'],
  },
  ...(
    [
      ['another class of the load balancer', 'service.k8s.aws/nlb', 'service.k8s.aws/elb', '"service.k8s.aws/elb"'],
      ['another traffic policy', 'Policy: Local', 'Policy: Cluster', 'Cluster'],
      ['node ports that the load balancer does not need', 'NodePorts: false', 'NodePorts: true', 'true'],
    ] as const
  ).map(([name, from, to, text]): Corruption => {
    const file = 'europe/gateway-templates/weft-wireguard-server.yaml';
    return { name, golden: CLOUD, edit: change(file, from, to), code: 'verify/template', file, text };
  }),
  // Alerts.
  ...(
    [
      [
        'an alert on another tunnel',
        'connected{cluster_id="milan',
        'connected{cluster_id="oslo',
        `'max by (cluster_id) (liqo_peer_is_connected{cluster_id="oslo"}) == 0'`,
      ],
      ['an alert that waits longer', '"1h30m"', '"3h"', '"3h"'],
      ['a missing alert', 'LiqoTunnelDown', 'LiqoTunnelUp', 'LiqoTunnelUp'],
      [
        'another threshold',
        '> 0.15',
        '> 0.5',
        `'max by (cluster_id) (liqo_peer_latency_us{cluster_id="milan"}) / 1000000 > 0.5'`,
      ],
      ['alerts that no Prometheus selects', 'release: prometheus', 'release: grafana', 'labels'],
      ['alerts in another namespace', 'namespace: monitoring', 'namespace: default', 'default'],
    ] as const
  ).map(
    ([name, from, to, text]): Corruption => ({
      name,
      golden: ALERTS,
      edit: change(MILANS, from, to),
      code: 'verify/alert',
      file: MILANS,
      text,
    }),
  ),
  {
    name: 'alerts on a tunnel that are missing',
    golden: ALERTS,
    edit: remove(MILANS),
    code: 'verify/missing-file',
    file: MILANS,
    text: '',
    also: ['verify/kustomization rome/monitoring/kustomization.yaml'],
  },
  ...(
    [
      ['a prober with another image', 'agnhost:2.59', 'agnhost:2.58', '"registry.k8s.io/e2e-test-images/agnhost:2.58"'],
      ['a prober whose server runs commands', '--http-override=/hostname', '--http-override=/shell', undefined],
      ['a privileged prober', 'allowPrivilegeEscalation: false', 'privileged: true', 'privileged'],
      ['a prober in the network of its node', 'enableServiceLinks: false', 'hostNetwork: true', 'hostNetwork'],
      [
        'a prober with a token',
        'automountServiceAccountToken: false\n---',
        'automountServiceAccountToken: true\n---',
        'true',
      ],
      ['a prober on a virtual node', 'operator: NotIn', 'operator: In', 'In'],
      [
        'a prober that may dial anything',
        '  egress:\n    - ports:\n        - protocol: TCP\n          port: 8080\n        - protocol: UDP\n          port: 8081\n',
        '  egress:\n    - {}\n',
        '{}',
      ],
      [
        'a prober with a port more',
        '  ingress:\n    - ports:\n',
        '  ingress:\n    - ports:\n        - { protocol: TCP, port: 22 }\n',
        'ports',
      ],
      [
        'a prober that tools keep',
        'sync-wave: "1000000"\n',
        'sync-wave: "1000000"\n    argocd.argoproj.io/sync-options: Prune=false\n',
        'argocd.argoproj.io/sync-options',
      ],
      ['a prober that delays the network', 'sync-wave: "1000000"', 'sync-wave: "-10"', '"-10"'],
    ] as const
  ).map(
    ([name, from, to, text]): Corruption => ({
      name,
      golden: PROBED,
      edit: change(PROBER, from, to),
      code: 'verify/prober',
      file: PROBER,
      text: text ?? `"${to}"`,
      ...(name === 'a privileged prober' || name === 'a prober in the network of its node'
        ? { also: [`verify/prober ${PROBER}`] }
        : {}),
    }),
  ),
  ...(
    [
      ['lets in every address', '              - 10.200.0.0/16\n', '', 'except'],
      [
        'lets in another network',
        '        - ipBlock:\n            cidr: 10.81.0.0/16',
        '        - ipBlock:\n            cidr: 10.81.0.0/15',
        '10.81.0.0/15',
      ],
      ['opens another port', 'port: 5432', 'port: 22', '22'],
      ['limits a part of the pods', 'podSelector: {}', 'podSelector:\n    matchLabels: { app: web }', 'matchLabels'],
      ['cuts the traffic inside the cluster', '        - namespaceSelector: {}\n', '', 'from'],
      ['limits what pods send, too', '    - Ingress\n', '    - Ingress\n    - Egress\n', 'policyTypes'],
      [
        'is kept',
        'sync-wave: "1000000"\n',
        'sync-wave: "1000000"\n    argocd.argoproj.io/sync-options: Prune=false\n',
        'argocd.argoproj.io/sync-options',
      ],
    ] as const
  ).map(
    ([what, from, to, text]): Corruption => ({
      name: `a policy that ${what}`,
      golden: CLOSED,
      edit: change(POLICY, from, to),
      code: 'verify/boundary',
      file: POLICY,
      text,
    }),
  ),
  ...(
    [
      ['lets in another port', 'value: "5432"', 'value: "22"', '"22"'],
      ['lets in another network', 'value: 10.202.3.0/24', 'value: 10.202.0.0/16', '10.202.0.0/16'],
      ['has a network that matches nothing', 'value: 10.202.3.0/24', 'value: 10.202.3.1/24', '10.202.3.1/24'],
      ['refuses nothing', 'to: 127.0.0.1', 'to: 10.202.0.10', '10.202.0.10'],
      ['refuses too late', 'priority: -110', 'priority: -90', '-90'],
      ['lets in whatever comes first', 'name: deny', 'name: allow', 'allow'],
      [
        'is loaded from another table',
        'IPV4\n    name: weft-fence-rome',
        'IPV4\n    name: remap-podcidr',
        'remap-podcidr',
      ],
    ] as const
  ).map(
    ([what, from, to, text]): Corruption => ({
      name: `a fence that ${what}`,
      golden: CLOSED,
      edit: change(FENCED, from, to),
      code: 'verify/boundary',
      file: FENCED,
      text,
    }),
  ),
  {
    name: 'a prober that is missing in one bundle',
    golden: PROBED,
    edit: remove(PROBER),
    code: 'verify/missing-file',
    file: PROBER,
    text: '',
    also: ['verify/kustomization oslo/conformance/kustomization.yaml'],
  },
  {
    name: 'a prober that its policy no longer limits',
    golden: PROBED,
    edit: changeMatch(PROBER, /---\napiVersion: networking[\s\S]*?(?=---\napiVersion: v1)/, ''),
    code: 'verify/missing-object',
    file: PROBER,
    text: 'Namespace',
  },
  {
    name: 'a prober without the key',
    golden: GITOPS,
    edit: add(
      'cairo/conformance/prober.yaml',
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: weft-conformance }\n',
    ),
    code: 'verify/foreign-file',
    file: 'cairo/conformance/prober.yaml',
    text: '',
    also: ['verify/apply-order _flux/clusters/cairo/cairo.yaml', 'verify/kustomization cairo/kustomization.yaml'],
  },
  {
    name: 'a chart that reports no metrics',
    golden: ALERTS,
    edit: change('rome/helm-values.yaml', '  enabled: true', '  enabled: false'),
    code: 'verify/alert',
    file: 'rome/helm-values.yaml',
    text: 'false',
  },
  {
    name: 'a gateway that reports no metrics',
    golden: ALERTS,
    edit: change(
      'milan/gateway-templates/weft-wireguard-client.yaml',
      '--metrics-address=:8084',
      '--metrics-address=:0',
    ),
    code: 'verify/template',
    file: 'milan/gateway-templates/weft-wireguard-client.yaml',
    text: '"--metrics-address=:0"',
  },
  {
    name: 'a port for metrics that no PodMonitor finds',
    golden: ALERTS,
    edit: change('milan/gateway-templates/weft-wireguard-client.yaml', 'name: wg-metrics', 'name: metrics'),
    code: 'verify/template',
    file: 'milan/gateway-templates/weft-wireguard-client.yaml',
    text: 'ports',
  },
  // Names and labels.
  {
    name: 'a label that is missing',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', '    networking.liqo.io/gateway-resource: "true"\n', ''),
    code: 'verify/identity',
    file: 'rome/peers/hub/hub.yaml',
    text: 'labels',
  },
  {
    name: 'a wrong remote-cluster-id',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'remote-cluster-id: hub', 'remote-cluster-id: hup', 3),
    code: 'verify/identity',
    file: 'rome/peers/hub/hub.yaml',
    text: 'hup',
  },
  {
    name: 'an object in another namespace',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'namespace: liqo-tenant-hub', 'namespace: default', 2),
    code: 'verify/identity',
    file: 'rome/peers/hub/hub.yaml',
    text: 'default',
  },
  {
    name: 'a namespace that tools may delete',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'Prune=false,Delete=false', 'Prune=false'),
    code: 'verify/identity',
    file: 'rome/peers/hub/hub.yaml',
    text: '"Prune=false"',
  },
  {
    name: 'a label of Argo CD',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', '  labels:\n', '  labels:\n    app.kubernetes.io/instance: weft\n'),
    code: 'verify/identity',
    file: 'rome/peers/hub/hub.yaml',
    text: 'app.kubernetes.io/instance',
  },
  {
    name: 'a second Configuration',
    golden: KEYS,
    edit: change(
      'rome/peers/hub/hub.yaml',
      '---\napiVersion: networking.liqo.io/v1beta1\nkind: GatewayClient',
      '---\napiVersion: networking.liqo.io/v1beta1\nkind: Configuration\nmetadata:\n  name: hub\n---\napiVersion: networking.liqo.io/v1beta1\nkind: GatewayClient',
    ),
    code: 'verify/extra-object',
    file: 'rome/peers/hub/hub.yaml',
    text: 'Configuration',
    also: ['verify/identity rome/peers/hub/hub.yaml'],
  },
  {
    name: 'a gateway that is missing',
    golden: KEYS,
    edit: (files) => {
      const path = 'rome/peers/hub/hub.yaml';
      const text = files.get(path) ?? '';
      return new Map([...files, [path, text.slice(0, text.lastIndexOf('---\n'))]]);
    },
    code: 'verify/missing-object',
    file: 'rome/peers/hub/hub.yaml',
    text: 'Namespace',
  },
  {
    name: 'a Secret in a manifest',
    golden: KEYS,
    edit: change(
      'rome/peers/hub/hub.yaml',
      '---\n',
      '---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: wireguard-pair\ndata:\n  privateKey: AAAA\n---\n',
    ),
    code: 'verify/secret',
    file: 'rome/peers/hub/hub.yaml',
    text: 'Secret',
  },
  {
    name: 'a private key in a PublicKey',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'spec:\n  publicKey', 'spec:\n  privateKey: AAAA\n  publicKey'),
    code: 'verify/secret',
    file: 'rome/peers/hub/hub.yaml',
    text: 'privateKey',
  },
  {
    name: 'a manifest that is no YAML',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', 'metadata:\n  name: hub', 'metadata: {\n  name: hub'),
    code: 'verify/unreadable',
    file: 'rome/peers/hub/hub.yaml',
    text: 'hub',
  },
  // Files and kustomizations.
  {
    name: 'a peer folder for two that are not linked',
    golden: GITOPS,
    edit: both(
      copy('athens/peers/hub/hub.yaml', 'athens/peers/berlin/berlin.yaml', { hub: 'berlin' }),
      copy('athens/peers/hub/kustomization.yaml', 'athens/peers/berlin/kustomization.yaml', { hub: 'berlin' }),
      change('athens/kustomization.yaml', '  - peers/hub\n', '  - peers/berlin\n  - peers/hub\n'),
    ),
    code: 'verify/unasked-path',
    file: 'athens/peers/berlin/berlin.yaml',
    text: '',
    also: ['verify/differs athens/peers/berlin/kustomization.yaml', 'verify/kustomization athens/kustomization.yaml'],
  },
  {
    name: 'a bundle of a cluster that does not exist',
    golden: KEYS,
    edit: add(
      'paris/kustomization.yaml',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n',
    ),
    code: 'verify/unasked-path',
    file: 'paris/kustomization.yaml',
    text: '',
  },
  {
    name: 'a bundle of a retired cluster with objects',
    golden: 'a-retired-cluster-leaves',
    edit: (files) => {
      const retired = [...files.keys()].find((it) => /resources: \[\]/.test(files.get(it) ?? ''))?.split('/')[0] ?? '';
      return add(
        `${retired}/peers/hub/hub.yaml`,
        'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: liqo-tenant-hub\n',
      )(files);
    },
    code: 'verify/unasked-path',
    file: 'hub/peers/hub/hub.yaml',
    text: '',
  },
  {
    name: 'a file deleted',
    golden: KEYS,
    edit: remove('rome/nftables/milan.nft'),
    code: 'verify/missing-file',
    file: 'rome/nftables/milan.nft',
    text: '',
  },
  {
    name: 'a foreign file added',
    golden: KEYS,
    edit: add('rome/peers/hub/extra.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n'),
    code: 'verify/foreign-file',
    file: 'rome/peers/hub/extra.yaml',
    text: '',
    also: ['verify/kustomization rome/peers/hub/kustomization.yaml'],
  },
  {
    name: 'a kustomization without a peer',
    golden: KEYS,
    edit: change('rome/kustomization.yaml', '  - peers/milan\n', ''),
    code: 'verify/kustomization',
    file: 'rome/kustomization.yaml',
    text: 'resources',
  },
  {
    name: 'a kustomization with a file that is missing',
    golden: KEYS,
    edit: change('rome/peers/hub/kustomization.yaml', '  - hub.yaml\n', '  - hub.yaml\n  - more.yaml\n'),
    code: 'verify/kustomization',
    file: 'rome/peers/hub/kustomization.yaml',
    text: 'more.yaml',
  },
  {
    name: 'a kustomization that patches',
    golden: KEYS,
    edit: change('rome/kustomization.yaml', 'resources:', 'namePrefix: x-\nresources:'),
    code: 'verify/kustomization',
    file: 'rome/kustomization.yaml',
    text: 'namePrefix',
  },
  // The order.
  {
    name: 'a wave removed',
    golden: KEYS,
    edit: change('rome/peers/hub/hub.yaml', '  annotations:\n    argocd.argoproj.io/sync-wave: "1000000"\n', ''),
    code: 'verify/apply-order',
    file: 'rome/peers/hub/hub.yaml',
    text: 'metadata',
  },
  {
    name: 'a link that is applied too early',
    golden: DECK,
    edit: change('cluster2/peers/cluster3/cluster3.yaml', 'sync-wave: "3"', 'sync-wave: "1"'),
    code: 'verify/apply-order',
    file: 'cluster2/peers/cluster3/cluster3.yaml',
    text: '"1"',
  },
  {
    name: 'a link in a wave that is not its number',
    golden: DECK,
    edit: change('cluster2/peers/cluster3/cluster3.yaml', 'sync-wave: "3"', 'sync-wave: "4"'),
    code: 'verify/apply-order',
    file: 'cluster2/peers/cluster3/cluster3.yaml',
    text: '"4"',
  },
  {
    name: 'a gateway in an early wave',
    golden: DECK,
    edit: change('cluster2/peers/hub/hub.yaml', '"1000000"', '"0"'),
    code: 'verify/apply-order',
    file: 'cluster2/peers/hub/hub.yaml',
    text: '"0"',
  },
  {
    name: 'a link of Flux that depends on another Kustomization',
    golden: GITOPS,
    edit: change('_flux/clusters/hub/hub.yaml', '    - name: weft-delivery.hub\n', '    - name: liqo\n'),
    code: 'verify/apply-order',
    file: '_flux/clusters/hub/hub.yaml',
    text: 'liqo',
  },
  {
    name: 'a link of Flux that waits for every commit of the one before',
    golden: GITOPS,
    edit: changeMatch('_flux/clusters/hub/hub.yaml', /^ {6}readyExpr: .*\n/m, ''),
    code: 'verify/apply-order',
    file: '_flux/clusters/hub/hub.yaml',
    text: 'name: weft-delivery.hub',
  },
  {
    name: 'a link of Flux that does not wait after an outage',
    golden: GITOPS,
    edit: changeMatch(
      '_flux/clusters/hub/hub.yaml',
      /readyExpr: .*/,
      'readyExpr: "has(dep.status.lastAppliedRevision)"',
    ),
    code: 'verify/apply-order',
    file: '_flux/clusters/hub/hub.yaml',
    text: '"has(dep.status.lastAppliedRevision)"',
  },
  {
    name: 'a link of Flux that does not wait for new links without an order',
    golden: GITOPS,
    edit: changeMatch(
      '_flux/clusters/hub/hub.yaml',
      /(name: weft-delivery\.hub\n {6}readyExpr: .*\n) {4}- name: weft-delivery\.hub\.\w+\n {6}readyExpr: .*\n/,
      '$1',
    ),
    code: 'verify/apply-order',
    file: '_flux/clusters/hub/hub.yaml',
    text: 'dependsOn',
  },
  {
    name: 'a Kustomization of Flux whose generation stays with a new link',
    golden: GITOPS,
    edit: changeMatch('_flux/clusters/hub/hub.yaml', /(^ {2}healthChecks:\n)(?: {4}.*\n){4}/m, '$1'),
    code: 'verify/entry-point',
    file: '_flux/clusters/hub/hub.yaml',
    text: 'healthChecks',
  },
  {
    name: 'a Kustomization of Flux that waits for a list, also for what is removed',
    golden: GITOPS,
    edit: change('_flux/clusters/hub/hub.yaml', '  wait: true\n', ''),
    code: 'verify/entry-point',
    file: '_flux/clusters/hub/hub.yaml',
    text: 'spec',
  },
  {
    name: 'ordered links that kustomize sorts by name',
    golden: GITOPS,
    edit: change('hub/kustomization.yaml', 'order: fifo', 'order: legacy'),
    code: 'verify/apply-order',
    file: 'hub/kustomization.yaml',
    text: 'legacy',
  },
  {
    name: 'a sync that goes on after a wrong address',
    golden: GITOPS,
    edit: change(
      SET,
      '- "FailOnSharedResource=true"',
      '- "FailOnSharedResource=true"\n          - "ApplyOutOfSyncOnly=true"',
    ),
    code: 'verify/entry-point',
    file: SET,
    text: 'syncOptions',
  },
  {
    name: 'a cluster ID that the chart would make up',
    golden: KEYS,
    edit: change('rome/helm-values.yaml', 'clusterID: rome', 'clusterID: milan'),
    code: 'verify/own-addresses',
    file: 'rome/helm-values.yaml',
    text: 'milan',
  },
  {
    name: 'an ordered link among the free ones of Flux',
    golden: GITOPS,
    edit: change('hub/unordered/kustomization.yaml', 'resources:\n', 'resources:\n  - ../peers/berlin\n'),
    code: 'verify/kustomization',
    file: 'hub/unordered/kustomization.yaml',
    text: '../peers/berlin',
  },
  // Expected objects.
  {
    name: 'a Connection of the other role',
    golden: KEYS,
    edit: change('rome/expected/connections.yaml', 'type: Client', 'type: Server'),
    code: 'verify/expected',
    file: 'rome/expected/connections.yaml',
    text: 'Server',
  },
  {
    name: 'a Connection of no peer',
    golden: KEYS,
    edit: change('rome/expected/connections.yaml', 'name: gw-hub', 'name: gw-hup'),
    code: 'verify/unasked-path',
    file: 'rome/expected/connections.yaml',
    text: 'Connection',
    also: ['verify/missing-object rome/expected/connections.yaml'],
  },
  {
    name: 'a shortcut whose ends are exchanged',
    golden: STAR,
    edit: both(
      change('left/shortcuts/east--centre.yaml', 'foreignClusterA: east', 'foreignClusterA: centre'),
      change('left/shortcuts/east--centre.yaml', 'foreignClusterB: centre', 'foreignClusterB: east'),
    ),
    code: 'verify/shortcut',
    file: 'left/shortcuts/east--centre.yaml',
    text: 'centre',
    also: ['verify/shortcut left/shortcuts/east--centre.yaml'],
  },
  {
    name: 'a shortcut for which the operator does not wait',
    golden: STAR,
    edit: change('left/shortcuts/east--centre.yaml', 'wait: true', 'wait: false'),
    code: 'verify/shortcut',
    file: 'left/shortcuts/east--centre.yaml',
    text: 'false',
  },
  {
    name: 'a shortcut with gateways of another kind',
    golden: STAR,
    edit: change('left/shortcuts/east--centre.yaml', 'wggatewayclienttemplates', 'wggatewayservertemplates'),
    code: 'verify/shortcut',
    file: 'left/shortcuts/east--centre.yaml',
    text: 'networking.liqo.io/v1beta1/wggatewayservertemplates',
  },
  {
    name: 'an expected shortcut with another MTU than the applied one',
    golden: STAR,
    edit: changeMatch('left/expected/foreignclusterconnections.yaml', /mtu: \d+/, 'mtu: 1300'),
    code: 'verify/shortcut',
    file: 'left/expected/foreignclusterconnections.yaml',
    text: '1300',
  },
  {
    name: 'an expected shortcut that never connects',
    golden: STAR,
    edit: change('left/expected/foreignclusterconnections.yaml', 'isConnected: true', 'isConnected: false'),
    code: 'verify/shortcut',
    file: 'left/expected/foreignclusterconnections.yaml',
    text: 'false',
  },
  {
    name: 'a shortcut with a view that no cluster has',
    golden: DECK,
    edit: change('hub/expected/foreignclusterconnections.yaml', 'podCIDR: 10.63.0.0/16', 'podCIDR: 10.200.0.0/16'),
    code: 'verify/shortcut',
    file: 'hub/expected/foreignclusterconnections.yaml',
    text: '10.200.0.0/16',
  },
  {
    name: 'a shortcut of two clusters that have none',
    golden: STAR,
    edit: change('left/shortcuts/east--centre.yaml', 'foreignClusterB: centre', 'foreignClusterB: west'),
    code: 'verify/unasked-path',
    file: 'left/shortcuts/east--centre.yaml',
    text: 'ForeignClusterConnection',
    also: ['verify/missing-object left/shortcuts/kustomization.yaml'],
  },
  {
    name: 'a shortcut whose name comes after the one that hides it',
    golden: 'shortcuts-in-a-chain-with-operator',
    edit: (files) => {
      const rename = (text: string): string => text.replaceAll('s96-d--c', 's99-d--c');
      return new Map([...files].map(([path, text]) => [rename(path), rename(text)]));
    },
    code: 'verify/shortcut',
    file: 'hub/shortcuts/s99-d--c.yaml',
    text: 'ForeignClusterConnection',
    also: [
      'verify/differs hub/expected/foreignclusterconnections.yaml',
      'verify/differs hub/shortcuts/kustomization.yaml',
      'verify/shortcut hub/shortcuts/s99-d--c.yaml',
    ],
  },
  {
    name: 'a shortcut with another rank in the same order',
    golden: 'shortcuts-in-a-chain-with-operator',
    edit: (files) => {
      const rename = (text: string): string => text.replaceAll('s96-d--c', 's95-d--c');
      return new Map([...files].map(([path, text]) => [rename(path), rename(text)]));
    },
    code: 'verify/shortcut',
    file: 'hub/shortcuts/s95-d--c.yaml',
    text: 's95-d--c',
    also: [
      'verify/differs hub/expected/foreignclusterconnections.yaml',
      'verify/differs hub/shortcuts/kustomization.yaml',
    ],
  },
  {
    name: 'a shortcut that is named the other way',
    golden: STAR,
    edit: (files) => {
      const rename = (text: string): string => text.replaceAll('east--centre', 'centre--east');
      return new Map([...files].map(([path, text]) => [rename(path), rename(text)]));
    },
    code: 'verify/shortcut',
    file: 'left/shortcuts/centre--east.yaml',
    text: 'centre--east',
    also: [
      'verify/differs left/expected/foreignclusterconnections.yaml',
      'verify/differs left/shortcuts/kustomization.yaml',
      'verify/differs right/expected/foreignclusterconnections.yaml',
      'verify/differs right/shortcuts/kustomization.yaml',
      'verify/shortcut right/shortcuts/centre--east.yaml',
    ],
  },
  {
    name: 'a Connection that Flux would overwrite',
    golden: 'connections-among-the-resources',
    edit: change('rome/peers/hub/hub.yaml', 'ssa: IfNotPresent', 'ssa: Merge'),
    code: 'verify/identity',
    file: 'rome/peers/hub/hub.yaml',
    text: 'Merge',
  },
  // Entry points of Argo CD and Flux.
  {
    name: 'the empty fence of an open link without its list',
    golden: 'assertions-about-closed-links',
    edit: change('turin/peers/europe/europe.yaml', '    chains: []\n', ''),
    code: 'verify/boundary',
    file: 'turin/peers/europe/europe.yaml',
    text: 'table',
  },
  {
    name: 'Argo CD that gives up after some retries',
    golden: GITOPS,
    edit: change('_argocd/application.yaml', 'limit: -1', 'limit: 5'),
    code: 'verify/entry-point',
    file: '_argocd/application.yaml',
    text: 'syncPolicy',
  },
  {
    name: 'Argo CD that retries an old commit',
    golden: GITOPS,
    edit: change(SET, 'refresh: true', 'refresh: false'),
    code: 'verify/entry-point',
    file: SET,
    text: 'retry',
  },
  {
    name: 'Applications under the name of another fleet',
    golden: GITOPS,
    edit: change(SET, 'weft-delivery.{{', 'weft-transport.{{'),
    code: 'verify/entry-point',
    file: SET,
    text: '"weft-transport.{{.path.basename}}"',
  },
  {
    name: 'an Application for a folder that is missing',
    golden: GITOPS,
    edit: change(SET, 'missingkey=error', 'missingkey=zero'),
    code: 'verify/entry-point',
    file: SET,
    text: 'goTemplateOptions',
  },
  {
    name: 'an ApplicationSet of another fleet',
    golden: GITOPS,
    edit: change(SET, 'name: weft-delivery\n', 'name: weft-transport\n'),
    code: 'verify/entry-point',
    file: SET,
    text: 'weft-transport',
  },
  {
    name: 'a comparison without the defaults of the API server',
    golden: GITOPS,
    edit: change(SET, 'ServerSideDiff=true', 'ServerSideDiff=false'),
    code: 'verify/entry-point',
    file: SET,
    text: 'annotations',
  },
  {
    name: 'a project of another version of the API',
    golden: GITOPS,
    edit: change('_argocd/appproject.yaml', 'argoproj.io/v1alpha1', 'argoproj.io/v1'),
    code: 'verify/entry-point',
    file: '_argocd/appproject.yaml',
    text: 'argoproj.io/v1',
  },
  {
    name: 'health checks in an object of another kind',
    golden: GITOPS,
    edit: change('_argocd/argocd-cm-patch.yaml', 'kind: ConfigMap', 'kind: Config'),
    code: 'verify/entry-point',
    file: '_argocd/argocd-cm-patch.yaml',
    text: 'Config',
  },
  {
    name: 'Argo CD that does not prune',
    golden: GITOPS,
    edit: change(SET, 'prune: true', 'prune: false'),
    code: 'verify/entry-point',
    file: SET,
    text: 'automated',
  },
  {
    name: 'Argo CD that reads another revision',
    golden: GITOPS,
    edit: change(SET, 'targetRevision: v1.4.0', 'targetRevision: main'),
    code: 'verify/entry-point',
    file: SET,
    text: 'source',
  },
  {
    name: 'a listed cluster that is also found by its folder',
    golden: GITOPS,
    edit: change(SET, '          - path: fleets/delivery/athens\n            exclude: true\n', ''),
    code: 'verify/entry-point',
    file: SET,
    text: 'ApplicationSet',
  },
  {
    name: 'folders of another repository',
    golden: GITOPS,
    edit: change(SET, 'repoURL: "git@git.example.com:network/fleet.git"', 'repoURL: "git@git.example.com:x/y.git"'),
    code: 'verify/entry-point',
    file: SET,
    text: 'ApplicationSet',
  },
  {
    name: 'a cluster whose Application is applied to another one',
    golden: GITOPS,
    edit: change(SET, 'https://berlin.example.com:6443', 'https://cairo.example.com:6443'),
    code: 'verify/entry-point',
    file: SET,
    text: 'server',
  },
  {
    name: 'an Application that may become empty',
    golden: GITOPS,
    edit: change(SET, 'allowEmpty: "false"', 'allowEmpty: "true"', 3),
    code: 'verify/entry-point',
    file: SET,
    text: 'allowEmpty',
  },
  {
    name: 'a sync that does not ignore the fields that Liqo changes',
    golden: SHARED,
    edit: change(SET, '          - "RespectIgnoreDifferences=true"\n', ''),
    code: 'verify/entry-point',
    file: SET,
    text: 'syncOptions',
  },
  {
    name: 'a sync that copies what Liqo adds to a Configuration',
    golden: GITOPS,
    edit: change(
      SET,
      '      syncPolicy:\n        automated:\n',
      '      ignoreDifferences:\n        - group: networking.liqo.io\n          kind: Configuration\n          jsonPointers:\n            - "/spec/local"\n      syncPolicy:\n        automated:\n',
    ),
    code: 'verify/entry-point',
    file: SET,
    text: 'ignoreDifferences',
  },
  {
    name: 'a project that does not allow what is applied',
    golden: GITOPS,
    edit: change('_argocd/appproject.yaml', '    - group: networking.liqo.io\n      kind: PublicKey\n', ''),
    code: 'verify/entry-point',
    file: '_argocd/appproject.yaml',
    text: 'namespaceResourceWhitelist',
  },
  {
    name: 'a project for another cluster',
    golden: GITOPS,
    edit: change('_argocd/appproject.yaml', 'name: dublin', 'name: lisbon'),
    code: 'verify/entry-point',
    file: '_argocd/appproject.yaml',
    text: 'destinations',
  },
  {
    name: 'a kind without a health check in Argo CD',
    golden: GITOPS,
    edit: change('_argocd/argocd-cm-patch.yaml', 'networking.liqo.io_Configuration', 'networking.liqo.io_Config'),
    code: 'verify/entry-point',
    file: '_argocd/argocd-cm-patch.yaml',
    text: 'data',
  },
  {
    name: 'Flux that retries after ten minutes only',
    golden: GITOPS,
    edit: change(ATHENS, 'retryInterval: "1m"', 'retryInterval: "10m"'),
    code: 'verify/entry-point',
    file: ATHENS,
    text: '"10m"',
  },
  {
    name: 'the Kustomization of a cluster under the name of another one',
    golden: GITOPS,
    edit: change('_flux/clusters/athens.yaml', 'weft-delivery.athens.folder', 'weft-delivery.berlin.folder'),
    code: 'verify/entry-point',
    file: '_flux/clusters/athens.yaml',
    text: 'weft-delivery.berlin.folder.entry-points',
  },
  {
    name: 'a repository that Flux reads once an hour',
    golden: GITOPS,
    edit: change('_flux/source/gitrepository.yaml', 'interval: "1m"', 'interval: "1h"'),
    code: 'verify/entry-point',
    file: '_flux/source/gitrepository.yaml',
    text: '"1h"',
  },
  {
    name: 'a health check of another API',
    golden: GITOPS,
    edit: change(ATHENS, 'apiVersion: networking.liqo.io/v1beta1', 'apiVersion: networking.liqo.io/v1alpha1'),
    code: 'verify/entry-point',
    file: ATHENS,
    text: 'networking.liqo.io/v1alpha1',
  },
  {
    name: 'Flux that does not prune',
    golden: GITOPS,
    edit: change(ATHENS, 'prune: true', 'prune: false'),
    code: 'verify/entry-point',
    file: ATHENS,
    text: 'false',
  },
  {
    name: 'Flux that applies the bundle of another cluster',
    golden: GITOPS,
    edit: change(ATHENS, 'fleets/delivery/athens', 'fleets/other/athens'),
    code: 'verify/entry-point',
    file: ATHENS,
    text: '"./fleets/other/athens/unordered"',
  },
  {
    name: 'Flux without a dependency of the topology',
    golden: GITOPS,
    edit: change(ATHENS, '    - name: sealed-secrets\n', ''),
    code: 'verify/entry-point',
    file: ATHENS,
    text: 'dependsOn',
  },
  {
    name: 'Flux with an incomplete health check of a Configuration',
    golden: GITOPS,
    edit: change(ATHENS, ".pod.all(it, it != '')", '.pod.all(it, true)', 2),
    code: 'verify/entry-point',
    file: ATHENS,
    text: WITHOUT_PODS,
  },
  {
    name: 'Flux that goes on after a wrong address',
    golden: GITOPS,
    edit: changeMatch(ATHENS, /failed: .*/, 'failed: "false"'),
    code: 'verify/entry-point',
    file: ATHENS,
    text: '"false"',
  },
  {
    name: 'a Configuration whose wrong view tools would take for the right one',
    golden: KEYS,
    edit: changeMatch('rome/peers/hub/hub.yaml', /pod-views: .*/, 'pod-views: 10.99.0.0/16'),
    code: 'verify/view',
    file: 'rome/peers/hub/hub.yaml',
    text: '10.99.0.0/16',
  },
  {
    name: 'a Configuration whose views tools would not compare',
    golden: KEYS,
    edit: changeMatch('rome/peers/hub/hub.yaml', /^ {4}liqo-weft\/external-views: .*\n/m, ''),
    code: 'verify/view',
    file: 'rome/peers/hub/hub.yaml',
    text: 'annotations',
  },
  {
    name: 'a cluster whose tunnels are removed with its Kustomization',
    golden: GITOPS,
    edit: change(ATHENS, '  deletionPolicy: Orphan\n', ''),
    code: 'verify/entry-point',
    file: ATHENS,
    text: 'spec',
  },
  {
    name: "another cluster's kubeconfig",
    golden: GITOPS,
    edit: change('_flux/clusters/berlin/berlin.yaml', 'berlin-kubeconfig', 'cairo-kubeconfig', 2),
    code: 'verify/entry-point',
    file: '_flux/clusters/berlin/berlin.yaml',
    text: 'kubeConfig',
  },
  {
    name: 'a source at another revision',
    golden: GITOPS,
    edit: change('_flux/source/gitrepository.yaml', 'tag: v1.4.0', 'branch: v1.4.0'),
    code: 'verify/entry-point',
    file: '_flux/source/gitrepository.yaml',
    text: 'ref',
  },
  // Sharing.
  {
    name: 'a slice of more resources than the topology has',
    golden: SHARING,
    edit: change('rome/sharing/milan.yaml', 'memory: "8Gi"', 'memory: "80Gi"'),
    code: 'verify/sharing',
    file: 'rome/sharing/milan.yaml',
    text: '"80Gi"',
  },
  {
    name: 'resources as a number, which Liqo writes back as a text',
    golden: SHARING,
    edit: change('rome/sharing/turin.yaml', 'pods: "110"', 'pods: 110'),
    code: 'verify/sharing',
    file: 'rome/sharing/turin.yaml',
    text: '110',
  },
  {
    name: 'a slice without the label by which it is copied',
    golden: SHARING,
    edit: change('rome/sharing/milan.yaml', '    liqo.io/replication: "true"\n', ''),
    code: 'verify/identity',
    file: 'rome/sharing/milan.yaml',
    text: 'labels',
  },
  {
    name: 'a Tenant that needs no handshake',
    golden: SHARING,
    edit: change('milan/sharing/rome.yaml', 'authzPolicy: KeysExchange', 'authzPolicy: TolerateNoHandshake'),
    code: 'verify/sharing',
    file: 'milan/sharing/rome.yaml',
    text: 'TolerateNoHandshake',
  },
  {
    name: 'a Tenant with another key',
    golden: SHARING,
    edit: change('milan/sharing/rome.yaml', 'AGL797lbf23', 'BGL797lbf23'),
    code: 'verify/key',
    file: 'milan/sharing/rome.yaml',
    text: '"BGL797lbf23XT3i3ocHTS2x1Y8MvuEudyzMYeFBXejM="',
  },
  {
    name: 'another nonce',
    golden: SHARING,
    edit: change('turin/sharing/rome.yaml', 'nonce: "VWtNSGxR', 'nonce: "VWtNSGxS'),
    code: 'verify/key',
    file: 'turin/sharing/rome.yaml',
    text: '"VWtNSGxSQ01sQVN3bEJGTnltVkZpTjhWTytHTTBiMUcyZFlSVWFqNUovRHB1Z0o4ei8yVk9xakhFKzYrMGxQQldmWi84RndiS2YwbmV6NlpaRHcxSWc9PQ=="',
  },
  {
    name: 'an Identity for another API server',
    golden: SHARING,
    edit: change('rome/sharing/milan.yaml', 'https://milan.example:6443', 'https://elsewhere.example:6443'),
    code: 'verify/sharing',
    file: 'rome/sharing/milan.yaml',
    text: '"https://elsewhere.example:6443"',
  },
  {
    name: 'pods that may run in one more cluster',
    golden: SHARING,
    edit: change(
      'rome/offloading/batch.yaml',
      '              - turin\n',
      '              - turin\n              - milan\n',
    ),
    code: 'verify/sharing',
    file: 'rome/offloading/batch.yaml',
    text: 'values',
  },
  {
    name: 'an account with more rights',
    golden: SHARING,
    edit: change(
      'milan/sharing/rome.yaml',
      '---\napiVersion: authentication',
      '---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: { name: rome }\n---\napiVersion: authentication',
    ),
    code: 'verify/extra-object',
    file: 'milan/sharing/rome.yaml',
    text: 'ClusterRoleBinding',
  },
  {
    name: 'a slice that is applied before a Configuration',
    golden: SHARING,
    edit: change(
      'rome/sharing/milan.yaml',
      'sync-wave: "1000000"\n    liqo.io/create',
      'sync-wave: "-10"\n    liqo.io/create',
    ),
    code: 'verify/apply-order',
    file: 'rome/sharing/milan.yaml',
    text: '"-10"',
  },
  {
    name: 'a slice that waits for every gateway',
    golden: SHARING,
    edit: change(
      'rome/sharing/milan.yaml',
      'sync-wave: "1000000"\n    liqo.io/create',
      'sync-wave: "5"\n    liqo.io/create',
    ),
    code: 'verify/apply-order',
    file: 'rome/sharing/milan.yaml',
    text: '"5"',
  },
  {
    name: 'a Tenant that a tool would prune before the consumer is done',
    golden: SHARING,
    edit: change('milan/sharing/rome.yaml', '    kustomize.toolkit.fluxcd.io/prune: disabled\n', '', 2),
    code: 'verify/sharing',
    file: 'milan/sharing/rome.yaml',
    text: 'annotations',
  },
  {
    name: 'a certificate that Flux would take back after Liqo has renewed it',
    golden: SHARING,
    edit: change('rome/sharing/milan.yaml', '    kustomize.toolkit.fluxcd.io/ssa: IfNotPresent\n', ''),
    code: 'verify/sharing',
    file: 'rome/sharing/milan.yaml',
    text: 'annotations',
  },
  {
    name: 'a certificate that nobody renews',
    golden: SHARED,
    edit: change(
      'rome/sharing/turin.yaml',
      '    argocd.argoproj.io/sync-wave: "1000000"\nspec:\n  authParams',
      '    argocd.argoproj.io/sync-wave: "1000000"\n    kustomize.toolkit.fluxcd.io/ssa: IfNotPresent\nspec:\n  authParams',
    ),
    code: 'verify/sharing',
    file: 'rome/sharing/turin.yaml',
    text: 'IfNotPresent',
  },
  {
    name: 'Argo CD that ignores a certificate that nobody renews',
    golden: SHARED,
    edit: change(SET, 'clusterID == "milan"', 'clusterID == "turin"'),
    code: 'verify/entry-point',
    file: SET,
    text: 'ignoreDifferences',
  },
  {
    name: 'a project that refuses Tenants',
    golden: SHARED,
    edit: change('_argocd/appproject.yaml', '    - group: authentication.liqo.io\n      kind: Tenant\n', ''),
    code: 'verify/entry-point',
    file: '_argocd/appproject.yaml',
    text: 'namespaceResourceWhitelist',
  },
  {
    name: 'a project that refuses an offloaded namespace',
    golden: SHARED,
    edit: change('_argocd/appproject.yaml', '    namespace: demo\n', '    namespace: other\n'),
    code: 'verify/entry-point',
    file: '_argocd/appproject.yaml',
    text: 'destinations',
  },
  {
    name: 'sharing in Flux that does not wait for the last link with a partner',
    golden: SHARED,
    edit: change(ROME, '    - name: weft-europe.rome.milan\n', '    - name: weft-europe.rome\n'),
    code: 'verify/apply-order',
    file: ROME,
    text: 'weft-europe.rome',
  },
  {
    name: 'sharing in Flux without a health check of slices',
    golden: SHARED,
    edit: change(ROME, '    kind: ResourceSlice\n', '    kind: Renew\n'),
    code: 'verify/entry-point',
    file: ROME,
    text: 'healthCheckExprs',
  },
  {
    name: 'sharing among the links of Flux',
    golden: SHARED,
    edit: change('rome/unordered/kustomization.yaml', 'resources:\n', 'resources:\n  - ../sharing\n'),
    code: 'verify/kustomization',
    file: 'rome/unordered/kustomization.yaml',
    text: '../sharing',
  },
  {
    name: 'a Tenant without its Secret',
    golden: SHARING,
    edit: (files) => {
      const [, tenant = ''] = (files.get('milan/sharing/rome.yaml') ?? '').split('---\n');
      return new Map([...files, ['milan/sharing/rome.yaml', tenant]]);
    },
    code: 'verify/missing-object',
    file: 'milan/sharing/rome.yaml',
    text: 'Tenant',
  },
  {
    name: 'a cluster to which nothing is lent',
    golden: SHARING,
    edit: copy('milan/sharing/rome.yaml', 'milan/sharing/turin.yaml', { rome: 'turin' }),
    code: 'verify/foreign-file',
    file: 'milan/sharing/turin.yaml',
    text: '',
    also: ['verify/kustomization milan/sharing/kustomization.yaml', 'verify/secret milan/sharing/turin.yaml'],
  },
  // Names and Services of single links.
  {
    name: 'the usual name for a Configuration with one of its own',
    golden: BY_HAND,
    edit: change(OF_MILAN, 'name: milan-networks', 'name: milan'),
    code: 'verify/identity',
    file: OF_MILAN,
    text: 'milan',
  },
  {
    name: 'a gateway with the name of the other end',
    golden: BY_HAND,
    edit: change('milan/peers/rome/rome.yaml', 'name: to-rome', 'name: gateway'),
    code: 'verify/identity',
    file: 'milan/peers/rome/rome.yaml',
    text: 'gateway',
  },
  {
    name: 'the key Secret of another peer',
    golden: BY_HAND,
    edit: change(OF_MILAN, 'name: pair-of-milan', 'name: wireguard-milan'),
    code: 'verify/template',
    file: OF_MILAN,
    text: 'wireguard-milan',
  },
  {
    name: 'a PublicKey in the usual namespace',
    golden: BY_HAND,
    edit: change(OF_MILAN, 'namespace: peer-milan', 'namespace: liqo-tenant-milan'),
    code: 'verify/identity',
    file: OF_MILAN,
    text: 'liqo-tenant-milan',
  },
  {
    name: 'a tenant namespace with the usual name',
    golden: BY_HAND,
    edit: change(OF_MILAN, 'name: peer-milan', 'name: liqo-tenant-milan'),
    code: 'verify/identity',
    file: OF_MILAN,
    text: 'liqo-tenant-milan',
  },
  {
    name: 'a Connection to a gateway of the usual name',
    golden: BY_HAND,
    edit: change(OF_MILAN, 'name: gateway', 'name: milan', 2),
    code: 'verify/expected',
    file: OF_MILAN,
    text: 'milan',
  },
  {
    name: 'an expected Network called after the peer',
    golden: BY_HAND,
    edit: change('rome/expected/networks.yaml', 'name: milan-networks-pod', 'name: milan-pod'),
    code: 'verify/view',
    file: 'rome/expected/networks.yaml',
    text: 'Network',
    also: ['verify/view rome/expected/networks.yaml'],
  },
  {
    name: 'rules of a Configuration with another name',
    golden: BY_HAND,
    edit: change('rome/nftables/nodes/milan.nft', 'table ip milan-networks-', 'table ip milan-'),
    code: 'verify/nat',
    file: 'rome/nftables/nodes/milan.nft',
    text: 'pre-postrouting',
    also: ['verify/nat rome/nftables/nodes/milan.nft'],
  },
  {
    name: 'a health check of a Configuration that is not there',
    golden: BY_HAND,
    edit: change('_flux/clusters/milan/milan.yaml', 'name: "2nd.config"', 'name: rome'),
    code: 'verify/entry-point',
    file: '_flux/clusters/milan/milan.yaml',
    text: 'healthChecks',
  },
  {
    name: 'a project that does not allow a tenant namespace',
    golden: BY_HAND,
    edit: change('_argocd/appproject.yaml', 'namespace: peer-milan', 'namespace: peer-turin'),
    code: 'verify/entry-point',
    file: '_argocd/appproject.yaml',
    text: 'destinations',
  },
  {
    name: 'an Identity for another namespace in the provider',
    golden: BY_HAND,
    edit: change('rome/sharing/milan.yaml', 'namespace: peer-rome', 'namespace: liqo-tenant-rome'),
    code: 'verify/sharing',
    file: 'rome/sharing/milan.yaml',
    text: 'liqo-tenant-rome',
  },
  {
    name: 'a Tenant in the usual namespace',
    golden: BY_HAND,
    edit: change('milan/sharing/rome.yaml', 'namespace: peer-rome', 'namespace: liqo-tenant-rome', 2),
    code: 'verify/identity',
    file: 'milan/sharing/rome.yaml',
    text: 'liqo-tenant-rome',
  },
  {
    name: 'a namespace map that is said to be elsewhere',
    golden: BY_HAND,
    edit: change('milan/expected/namespaces.yaml', 'peer-rome/milan', 'liqo-tenant-rome/milan'),
    code: 'verify/identity',
    file: 'milan/expected/namespaces.yaml',
    text: 'liqo-tenant-rome/milan',
  },
  {
    name: 'the type of Service of the cluster for a link with its own',
    golden: SERVICES,
    edit: change('hub/peers/rome/rome.yaml', 'serviceType: LoadBalancer', 'serviceType: NodePort'),
    code: 'verify/endpoint',
    file: 'hub/peers/rome/rome.yaml',
    text: 'NodePort',
  },
  {
    name: 'the address of the load balancer of another link',
    golden: SERVICES,
    edit: change('hub/peers/rome/rome.yaml', 'loadBalancerIP: 203.0.113.50', 'loadBalancerIP: 203.0.113.51'),
    code: 'verify/endpoint',
    file: 'hub/peers/rome/rome.yaml',
    text: '203.0.113.51',
  },
  {
    name: 'another port of a Service than that of its link',
    golden: SERVICES,
    edit: change('hub/peers/milan/milan.yaml', 'port: 51845', 'port: 51840'),
    code: 'verify/endpoint',
    file: 'hub/peers/milan/milan.yaml',
    text: '51840',
  },
  {
    name: 'the template of another type of Service',
    golden: SERVICES,
    edit: change('hub/peers/rome/rome.yaml', 'name: weft-wireguard-server-rome', 'name: weft-wireguard-server'),
    code: 'verify/template',
    file: 'hub/peers/rome/rome.yaml',
    text: 'weft-wireguard-server',
  },
  {
    name: 'a flag of a later release',
    golden: 'gateways-customised-on-1.0',
    edit: change(
      SERVER_TEMPLATE,
      '                    - "--ping-enabled',
      '                    - "--enable-nft-monitor=true"\n                    - "--ping-enabled',
    ),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: '"--enable-nft-monitor=true"',
  },
  {
    name: 'a template under another name than its file',
    golden: 'gateways-customised-on-1.0',
    edit: change(SERVER_TEMPLATE, 'name: "weft-wireguard-server"', 'name: "wireguard-server"'),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: '"wireguard-server"',
  },
  {
    name: 'a template whose tunnel cannot read its keys',
    golden: 'gateways-customised-on-1.0',
    edit: change(SERVER_TEMPLATE, '/etc/wireguard/keys', '/etc/wireguard'),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: '/etc/wireguard',
  },
  {
    name: 'a template whose gateway may not change routes',
    golden: 'gateways-customised-on-1.0',
    edit: change(SERVER_TEMPLATE, '                        - NET_ADMIN\n', ''),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: 'add',
  },
  {
    name: 'a template whose Service selects by fewer labels than that of the chart',
    golden: 'gateways-customised-on-1.2',
    edit: change(SERVER_TEMPLATE, '            app.kubernetes.io/managed-by: "Helm"\n', '', 2),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: 'selector',
  },
  {
    name: 'a flag that appears twice',
    golden: 'gateways-customised-on-1.0',
    edit: change(
      SERVER_TEMPLATE,
      '                    - "--ping-enabled=',
      '                    - "--mode=server"\n                    - "--ping-enabled=',
    ),
    code: 'verify/template',
    file: SERVER_TEMPLATE,
    text: '"--mode=server"',
  },
  {
    name: 'a class in the template of node ports',
    golden: SERVICES,
    edit: change(
      'hub/gateway-templates/weft-wireguard-server.yaml',
      '          ports:',
      '          loadBalancerClass: metallb.io/metallb\n          ports:',
    ),
    code: 'verify/template',
    file: 'hub/gateway-templates/weft-wireguard-server.yaml',
    text: 'metallb.io/metallb',
  },
  {
    name: 'an alert that pages nobody',
    golden: ALERTS,
    edit: change(MILANS, 'severity: critical', 'severity: info'),
    code: 'verify/alert',
    file: MILANS,
    text: 'labels',
  },
  {
    name: 'an alert that does not say which tunnel',
    golden: ALERTS,
    edit: changeMatch(MILANS, /summary: .*/, 'summary: a tunnel is down'),
    code: 'verify/alert',
    file: MILANS,
    text: 'a tunnel is down',
  },
  {
    name: 'alerts that Argo CD refuses without their operator',
    golden: ALERTS,
    edit: change(MILANS, 'SkipDryRunOnMissingResource=true', 'SkipDryRunOnMissingResource=false'),
    code: 'verify/alert',
    file: MILANS,
    text: '"SkipDryRunOnMissingResource=false"',
  },
  {
    name: 'a kustomization without a list',
    golden: GITOPS,
    edit: change('berlin/unordered/kustomization.yaml', 'resources: []\n', ''),
    code: 'verify/kustomization',
    file: 'berlin/unordered/kustomization.yaml',
    text: 'Kustomization',
  },
  // Everything else.
  {
    name: 'a comment',
    golden: KEYS,
    edit: change('rome/helm-values.yaml', HEADER, `${HEADER} Edited.`),
    code: 'verify/differs',
    file: 'rome/helm-values.yaml',
    text: `${HEADER} Edited.`,
  },
];

/** Edits of one line of the lock that was written with the files of `KEYS`, and the text at the place of the error. */
const OF_LOCK: readonly (readonly [name: string, from: RegExp, to: string, text: string])[] = [
  ['another port', /31200/, '31201', '31201'],
  ['the port of the Service for the node port', /31200/, '51840', '51840'],
  ['the port of another link', /32754/, '31200', '31200'],
  ['another place in the order', /(rome.hub.join): 2/, '$1: 7', '7'],
  ['another view', /(view.hub.pod.\S+): \S+/, '$1: 10.99.0.0/16', '10.99.0.0/16'],
  ['a block of a cluster without one', /(decisions:)/, '$1\n  hub/internal: 10.99.0.0/16', '10.99.0.0/16'],
  ['a link in the opposite direction', /rome.hub.join/, 'hub/rome/join', '2'],
  ['a port that is missing', / +rome.hub.port.*\n/, '', ''],
];

describe('verify catches in the lock', () => {
  it.each(OF_LOCK)('%s', (_, from, to, text) => {
    const { lock } = compiledGolden(KEYS);
    expect(lock).toMatch(from);
    const found = verifyGolden(KEYS, bundleFiles(KEYS), lock.replace(from, to));
    expect(new Set(found.map((it) => it.code))).toEqual(new Set(['verify/lock']));
    expect(found.map(({ span }) => span.source.text.slice(span.start, span.end))).toContain(text);
  });
});

describe('verify catches', () => {
  it.each(CORRUPTIONS)('$name', ({ golden, edit, code, file, text, also = [] }) => {
    const found = verifyGolden(golden, edit(bundleFiles(golden)));
    const rows = found.map(({ code, span }) => `${code} ${span.source.path.slice('out/'.length)}`);
    expect([...rows].sort()).toEqual([`${code} ${file}`, ...also].sort());
    const ours = found.filter((it) => it.code === code && it.span.source.path === `out/${file}`);
    expect(ours.map(({ span }) => span.source.text.slice(span.start, span.end))).toContain(text);
    for (const it of found) {
      expect(it.message).not.toMatch(/undefined|\[object|\n|\.$|^[A-Z][a-z]/);
      const place = placeAt(it.span.source, it.span.start);
      expect(it.span.end).toBeLessThanOrEqual(it.span.source.text.length);
      expect(place.line).toBeGreaterThan(0);
    }
  });

  it('every kind of fault that it has a code for', () => {
    const caught = new Set<string>([...CORRUPTIONS.map((it) => it.code), 'verify/lock']);
    const codes = Object.keys(CODES).filter((it) => it.startsWith('verify/'));
    expect(codes.filter((it) => !caught.has(it))).toEqual([]);
  });
});
