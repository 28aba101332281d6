export interface Mistake {
  /** The mistake of the user. */
  readonly mistake: string;
  /** Texts of the topology that the person typed in another way. */
  readonly typed?: readonly (readonly [instead: string, typed: string])[];
  /** Other files that are there; `null` for one that is not. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** The command line after `weft`, where it is not `validate`. */
  readonly run?: string;
  /** The working folder, if it is not that of the fleet. */
  readonly from?: string;
  readonly grade: Grade;
  /** Why this grade. */
  readonly why: string;
}

/**
 * A: names the mistake in the person's words, with the place and the line to write. B: the right place and a hint that
 * helps. C: true, but indirect. D: misleading or silent.
 */
export type Grade = 'A' | 'B' | 'C' | 'D';

/** The fleet in which the mistakes are made. */
export const FLEET = `version: 1
name: europe
hub: europe
gitops: { repository: https://example.com/fleet.git }
liqo:
  version: "1.2"
defaults:
  serviceCIDR: 10.96.0.0/12
  externalCIDR: auto
  reserved: [192.168.10.0/24]
clusters:
  europe:
    podCIDR: 10.200.0.0/16
    gateway: 203.0.113.10
  rome:
    podCIDR: 10.202.0.0/16
    labels: { region: south }
  milan:
    podCIDR: 10.203.0.0/16
    gateway:
      addresses: [203.0.113.30]
      ports: 51840-51850
      mtu: 1340
shortcuts:
  - [rome, milan]
`;

/** The mistakes of thirteen kinds of tired users. */
export const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  'writes YAML late at night': [
    {
      mistake: 'a tab in front of a key',
      typed: [['    labels:', '\tlabels:']],
      grade: 'A',
      why: 'says tab, shows it, says spaces',
    },
    {
      mistake: 'a key one column too far to the right',
      typed: [['    labels:', '     labels:']],
      grade: 'A',
      why: 'names both keys and their columns',
    },
    {
      mistake: 'a key one column too far to the left',
      typed: [['    labels:', '   labels:']],
      grade: 'A',
      why: 'names the two columns that may be meant, each with a line',
    },
    {
      mistake: 'a key of a cluster indented like the cluster',
      typed: [['    podCIDR: 10.202', '  podCIDR: 10.202']],
      grade: 'B',
      why: 'names both keys; which of the two is wrong, only the person knows',
    },
    {
      mistake: 'the colon after a cluster forgotten',
      typed: [['  rome:', '  rome']],
      grade: 'A',
      why: 'writes the line',
    },
    {
      mistake: 'the space after a colon forgotten',
      typed: [['podCIDR: 10.202', 'podCIDR:10.202']],
      grade: 'A',
      why: 'writes the line',
    },
    {
      mistake: 'a quote not closed',
      typed: [['version: "1.2"', 'version: "1.2']],
      grade: 'A',
      why: 'points at the quote and writes the value',
    },
    {
      mistake: 'a bracket not closed',
      typed: [['[rome, milan]', '[rome, milan']],
      grade: 'A',
      why: 'points at the bracket and writes the list',
    },
    {
      mistake: 'a cluster copied and not renamed',
      typed: [['  milan:\n', '  rome:\n']],
      grade: 'A',
      why: 'shows both',
    },
    {
      mistake: 'a dash without a space',
      typed: [['  - [rome', '  -[rome']],
      grade: 'A',
      why: 'says what to type, and where',
    },
    { mistake: 'a comma forgotten', typed: [['[rome, milan]', '[rome milan]']], grade: 'A', why: 'writes the list' },
    {
      mistake: 'an equals sign for the colon',
      typed: [['podCIDR: 10.202', 'podCIDR = 10.202']],
      grade: 'A',
      why: 'writes the line',
    },
    {
      mistake: 'a value that is forgotten',
      typed: [['podCIDR: 10.202.0.0/16', 'podCIDR:']],
      grade: 'A',
      why: 'names the key and writes an example of its line',
    },
    {
      mistake: 'one cluster as an entry of a list',
      typed: [['  rome:\n    podCIDR: 10.202', '  - name: rome\n    podCIDR: 10.202']],
      grade: 'A',
      why: 'says what the names are, and writes the line',
    },
    {
      mistake: 'a comma forgotten between the keys in braces',
      typed: [
        [
          'gateway:\n      addresses: [203.0.113.30]\n      ports: 51840-51850\n      mtu: 1340',
          'gateway: { addresses: [203.0.113.30] mtu: 1340 }',
        ],
      ],
      grade: 'A',
      why: 'names the key before which it is missing',
    },
    {
      mistake: 'a comma at the end of an entry',
      typed: [['  - [rome, milan]', '  - [rome, milan],']],
      grade: 'A',
      why: 'points at the comma and says to remove it',
    },
    {
      mistake: 'a brace too many',
      typed: [['    labels: { region: south }', '    labels: { region: south }}']],
      grade: 'A',
      why: 'points at the brace, once, and says to remove it',
    },
    {
      mistake: 'no space after a colon in braces',
      typed: [['    labels: { region: south }', '    labels: {region:south}']],
      grade: 'A',
      why: 'writes the key with its value',
    },
    {
      mistake: 'a comment with slashes',
      typed: [['    labels: { region: south }', '    // the south\n    labels: { region: south }']],
      grade: 'A',
      why: 'says how a comment begins',
    },
    {
      mistake: 'a colon in a value',
      typed: [['name: europe\n', 'name: europe: west\n']],
      grade: 'A',
      why: 'writes the line with quotes',
    },
  ],
  'copies from a web page or a chat': [
    {
      mistake: 'no-break spaces as indentation',
      typed: [['    labels:', '\u00a0\u00a0\u00a0\u00a0labels:']],
      grade: 'A',
      why: 'names the character on the line itself, although the parser stops at a later one',
    },
    {
      mistake: 'a no-break space after a colon',
      typed: [['podCIDR: 10.202', 'podCIDR:\u00a010.202']],
      grade: 'A',
      why: 'names the character and writes the line',
    },
    {
      mistake: 'a no-break space after a value',
      typed: [['10.202.0.0/16', '10.202.0.0/16\u00a0']],
      grade: 'A',
      why: 'names the character and writes the value',
    },
    {
      mistake: 'a zero-width space in a key',
      typed: [['    labels:', '    la\u200bbels:']],
      grade: 'A',
      why: 'names the character and writes the key; says it once',
    },
    {
      mistake: 'a zero-width joiner in the name of a cluster',
      typed: [['[rome, milan]', '[ro\u200dme, milan]']],
      grade: 'A',
      why: 'names the character and writes the name',
    },
    {
      mistake: 'a byte order mark in the middle of the file',
      typed: [['clusters:', '\ufeffclusters:']],
      grade: 'A',
      why: 'names the character and writes the key',
    },
    {
      mistake: 'typographic quotes around a version',
      typed: [['"1.2"', '“1.2”']],
      grade: 'A',
      why: 'names the character and writes the value',
    },
    {
      mistake: 'an en dash in a range of ports',
      typed: [['51840-51850', '51840–51850']],
      grade: 'A',
      why: 'names the character and writes the range',
    },
    {
      mistake: 'a minus sign in front of an entry',
      typed: [['  - [rome', '  − [rome']],
      grade: 'A',
      why: 'names the character and writes the line',
    },
    {
      mistake: 'an em dash in the name of a cluster',
      typed: [
        ['  rome:', '  rome—1:'],
        ['[rome,', '[rome—1,'],
      ],
      grade: 'A',
      why: 'names the character and writes the name',
    },
    {
      mistake: 'a full-width colon',
      typed: [['podCIDR: 10.202', 'podCIDR：10.202']],
      grade: 'A',
      why: 'names the character and writes the line',
    },
    {
      mistake: 'full-width digits in a network',
      typed: [['10.202.0.0/16', '１０.202.0.0/16']],
      grade: 'B',
      why: 'names the character and writes the network; "full-width" is no word of everybody',
    },
    {
      mistake: 'a list with bullets',
      typed: [['  rome:\n', '  * rome:\n']],
      grade: 'B',
      why: 'names the bullet, and how an entry of a list begins; here the bullet must go',
    },
    {
      mistake: 'backticks around a name',
      typed: [['hub: europe', 'hub: `europe`']],
      grade: 'A',
      why: 'names the character and says to remove it',
    },
    {
      mistake: 'a placeholder of the documentation',
      typed: [['gateway: 203.0.113.10', 'gateway: <PUBLIC_IP>']],
      grade: 'A',
      why: 'says that it is to be replaced',
    },
    {
      mistake: 'an arrow between two clusters',
      typed: [['  - [rome, milan]', '  - rome -> milan']],
      grade: 'A',
      why: 'writes the list',
    },
  ],
  'is used to other formats': [
    { mistake: 'a version without quotes', typed: [['"1.2"', '1.2']], grade: 'A', why: 'writes the value' },
    {
      mistake: 'a version that YAML shortens',
      typed: [['"1.2"', '1.10']],
      grade: 'A',
      why: 'writes the value with its zero',
    },
    {
      mistake: 'on for true',
      typed: [['    labels: { region: south }', '    retired: on']],
      grade: 'A',
      why: 'writes the value',
    },
    {
      mistake: 'Yes for true',
      typed: [['version: "1.2"', 'version: "1.2"\n  shortcutOperator: Yes']],
      grade: 'A',
      why: 'writes the value',
    },
    {
      mistake: 'a number with its unit',
      typed: [['mtu: 1340', 'mtu: 1340 bytes']],
      grade: 'A',
      why: 'writes the number',
    },
    {
      mistake: 'clusters as a list of maps',
      typed: [
        [
          FLEET.slice(FLEET.indexOf('  europe:'), FLEET.indexOf('shortcuts')),
          '  - name: europe\n    podCIDR: 10.200.0.0/16\n',
        ],
      ],
      grade: 'A',
      why: 'says that the names are keys, and writes the line',
    },
    {
      mistake: 'an address instead of a cluster',
      typed: [['  rome:\n    podCIDR: 10.202.0.0/16\n    labels: { region: south }', '  rome: 10.202.0.0/16']],
      grade: 'A',
      why: 'writes the line, with the address as its pod CIDR',
    },
    {
      mistake: 'labels as a list',
      typed: [['labels: { region: south }', 'labels: [south]']],
      grade: 'B',
      why: 'writes a map of labels, but an example',
    },
    {
      mistake: 'one reserved network without brackets',
      typed: [['reserved: [192.168.10.0/24]', 'reserved: 192.168.10.0/24']],
      grade: 'A',
      why: 'writes the list',
    },
    {
      mistake: 'one shortcut that is not in a list',
      typed: [['  - [rome, milan]', '  [rome, milan]']],
      grade: 'B',
      why: 'writes the line, but reports it for each of the two names',
    },
    {
      mistake: 'shortcuts as a map',
      typed: [['  - [rome, milan]', '  rome: milan']],
      grade: 'B',
      why: 'writes a list, but an example',
    },
    {
      mistake: 'a JSON file with a comma at the end',
      files: { 'topologies/topology.yaml': '{\n  "version": 1,\n  "name": "europe",\n  "clusters": {},,\n}\n' },
      grade: 'A',
      why: 'points at the comma',
    },
    {
      mistake: 'a variable of the shell',
      typed: [['10.202.0.0/16', '$ROME_POD_CIDR']],
      grade: 'A',
      why: 'says that weft fills in none, and names it',
    },
    {
      mistake: 'a template of Helm',
      typed: [['gateway: 203.0.113.10', 'gateway: {{ .Values.gateway }}']],
      grade: 'A',
      why: 'says that weft fills in none, and shows it',
    },
    {
      mistake: 'true for an assertion that holds',
      typed: [['shortcuts:', 'assertions:\n  - { from: rome, to: milan, expect: true }\nshortcuts:']],
      grade: 'A',
      why: 'writes the word',
    },
    {
      mistake: 'a file included with a tag',
      typed: [['    labels: { region: south }', '    labels: !include labels.yaml']],
      grade: 'A',
      why: 'says what includes files, and where',
    },
    {
      mistake: 'the version of the file as a text',
      typed: [['version: 1\n', 'version: v1\n']],
      grade: 'A',
      why: 'writes the number',
    },
    {
      mistake: 'from and to in a shortcut',
      typed: [['  - [rome, milan]', '  - { from: rome, to: milan }']],
      grade: 'A',
      why: 'writes the pair, once',
    },
  ],
  'knows Kubernetes': [
    {
      mistake: 'a name with capital letters',
      typed: [
        ['  rome:', '  Rome:'],
        ['[rome,', '[Rome,'],
      ],
      grade: 'A',
      why: 'writes the name',
    },
    {
      mistake: 'a name with an underscore',
      typed: [
        ['  rome:', '  rome_1:'],
        ['[rome,', '[rome_1,'],
      ],
      grade: 'A',
      why: 'writes the name',
    },
    {
      mistake: 'a manifest of Kubernetes as the topology',
      files: { 'topologies/topology.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: europe\n' },
      grade: 'A',
      why: 'says what the file is, once',
    },
    {
      mistake: 'several documents in one file',
      typed: [['shortcuts:', '---\nshortcuts:']],
      grade: 'A',
      why: 'points at the line and says what to do with it',
    },
    {
      mistake: 'podCidr as Kubernetes writes it',
      typed: [['podCIDR: 10.202', 'podCidr: 10.202']],
      grade: 'A',
      why: 'writes the key',
    },
    {
      mistake: 'cluster for clusters',
      typed: [['clusters:', 'cluster:']],
      grade: 'A',
      why: 'writes the key, and does not report that the right one is missing',
    },
    {
      mistake: 'clusterCIDR for podCIDR',
      typed: [['podCIDR: 10.202', 'clusterCIDR: 10.202']],
      grade: 'A',
      why: 'knows the word of the other tool',
    },
    { mistake: 'weft apply', run: 'apply', grade: 'A', why: 'says who applies, and what to run' },
    { mistake: 'weft get clusters', run: 'get clusters', grade: 'A', why: 'says what to run' },
    {
      mistake: 'weft compile -f FILE',
      run: 'compile -f topologies/topology.yaml',
      grade: 'A',
      why: 'writes the command',
    },
    { mistake: 'weft view rome -o yaml', run: 'view rome -o yaml', grade: 'A', why: 'says what to write' },
    {
      mistake: 'memory in GB',
      typed: [
        [
          'shortcuts:',
          'sharing:\n  - { consumer: rome, provider: milan, resources: { cpu: 4, memory: 8GB } }\nshortcuts:',
        ],
      ],
      grade: 'B',
      why: 'writes a quantity; that Gi is meant is a guess',
    },
    {
      mistake: 'a processor with its unit',
      typed: [
        ['shortcuts:', 'sharing:\n  - { consumer: rome, provider: milan, resources: { cpu: 4 cores } }\nshortcuts:'],
      ],
      grade: 'A',
      why: 'writes the number',
    },
    {
      mistake: 'a selector of labels as text',
      typed: [['shortcuts:', 'assertions:\n  - { from: region=south, to: milan, expect: reachable }\nshortcuts:']],
      grade: 'A',
      why: 'writes the map',
    },
    {
      mistake: 'a Service as a map',
      typed: [['      mtu: 1340', '      service: { type: LoadBalancer }']],
      grade: 'A',
      why: 'lists the values that the key has',
    },
    {
      mistake: 'the namespace of the system offloaded',
      typed: [
        [
          'shortcuts:',
          'sharing:\n  - { consumer: rome, provider: milan }\noffloading:\n  - { cluster: rome, namespace: kube-system, to: [milan] }\nshortcuts:',
        ],
      ],
      grade: 'A',
      why: 'says what would happen, and what to offload instead',
    },
  ],
  'plans networks': [
    {
      mistake: 'a network with host bits',
      typed: [['10.202.0.0/16', '10.202.3.0/16']],
      grade: 'A',
      why: 'writes the network',
    },
    {
      mistake: 'a prefix of 33 bits',
      typed: [['10.202.0.0/16', '10.202.0.0/33']],
      grade: 'B',
      why: 'names the range of lengths among other advice; what was meant is not known',
    },
    {
      mistake: 'an IPv6 network',
      typed: [['10.202.0.0/16', 'fd00::/64']],
      grade: 'A',
      why: 'says why not, and what to use',
    },
    {
      mistake: 'a range of addresses',
      typed: [['10.202.0.0/16', '10.202.0.0-10.202.255.255']],
      grade: 'A',
      why: 'writes the network',
    },
    {
      mistake: 'a network without its length',
      typed: [['10.202.0.0/16', '10.202.0.0']],
      grade: 'A',
      why: 'writes the line with a length to replace',
    },
    {
      mistake: 'a netmask',
      typed: [['10.202.0.0/16', '10.202.0.0/255.255.0.0']],
      grade: 'A',
      why: 'writes the network',
    },
    {
      mistake: 'an address of three numbers',
      typed: [['10.202.0.0/16', '10.202.0/16']],
      grade: 'A',
      why: 'writes the network',
    },
    {
      mistake: 'pods inside the Services',
      typed: [['10.202.0.0/16', '10.97.0.0/16']],
      grade: 'A',
      why: 'shows both networks',
    },
    {
      mistake: 'a letter O for a zero',
      typed: [['10.202.0.0/16', '10.2O2.0.0/16']],
      grade: 'A',
      why: 'names the letter, and writes the network',
    },
    {
      mistake: 'two networks in one text',
      typed: [['10.202.0.0/16', '10.202.0.0/16, 10.204.0.0/16']],
      grade: 'A',
      why: 'writes the list',
    },
    {
      mistake: 'a backslash',
      typed: [['10.202.0.0/16', '10.202.0.0\\16']],
      grade: 'A',
      why: 'writes the network',
    },
    {
      mistake: 'auto for the pods',
      typed: [['10.202.0.0/16', 'auto']],
      grade: 'A',
      why: 'says which keys can be auto, and what to write',
    },
    {
      mistake: 'Auto with a capital letter',
      typed: [['externalCIDR: auto', 'externalCIDR: Auto']],
      grade: 'A',
      why: 'writes the word',
    },
    {
      mistake: 'an address in an assertion',
      typed: [['shortcuts:', 'assertions:\n  - { from: rome, to: 10.203.0.5, expect: reachable }\nshortcuts:']],
      grade: 'A',
      why: 'names the cluster that has the address',
    },
    {
      mistake: 'pods and Services exchanged',
      typed: [['podCIDR: 10.202.0.0/16', 'podCIDR: 10.96.0.0/12\n    serviceCIDR: 10.202.0.0/16']],
      grade: 'A',
      why: 'says that they may be exchanged, and why',
    },
  ],
  'sets up gateways': [
    {
      mistake: 'a gateway without an address',
      typed: [['    gateway: 203.0.113.10\n', '    gateway:\n      mtu: 1340\n']],
      grade: 'B',
      why: 'says what is missing and names both clusters, at the clusters and not at the gateway',
    },
    {
      mistake: 'address for addresses',
      typed: [['addresses: [203.0.113.30]', 'address: 203.0.113.30']],
      grade: 'A',
      why: 'writes the key',
    },
    {
      mistake: 'an address with its port',
      typed: [['gateway: 203.0.113.10', 'gateway: 203.0.113.10:51840']],
      grade: 'A',
      why: 'writes the address, and says where the port goes',
    },
    {
      mistake: 'a URL as the gateway',
      typed: [['gateway: 203.0.113.10', 'gateway: https://gw.example.com']],
      grade: 'A',
      why: 'writes the name',
    },
    {
      mistake: 'a port above 65535',
      typed: [['51840-51850', '51840-518500']],
      grade: 'B',
      why: 'names the limit; the place is the whole range',
    },
    {
      mistake: 'a range of ports the wrong way round',
      typed: [['51840-51850', '51850-51840']],
      grade: 'A',
      why: 'writes the range',
    },
    {
      mistake: 'an MTU of 9000',
      typed: [['mtu: 1340', 'mtu: 9000']],
      grade: 'B',
      why: 'it may be meant: a note says at which MTU the links end up',
    },
    {
      mistake: 'nodeport for NodePort',
      typed: [['mtu: 1340', 'service: nodeport']],
      grade: 'A',
      why: 'writes the value',
    },
    {
      mistake: 'the MTU beside the gateway',
      typed: [['      mtu: 1340', '    mtu: 1340']],
      grade: 'A',
      why: 'writes the key with the map that it belongs to',
    },
    {
      mistake: 'a hub that must not serve',
      typed: [['    gateway: 203.0.113.10\n', '    gateway: { addresses: [203.0.113.10], server: never }\n']],
      grade: 'A',
      why: 'says what to remove',
    },
    {
      mistake: 'auto as the address of a gateway',
      typed: [['gateway: 203.0.113.10', 'gateway: auto']],
      grade: 'B',
      why: 'a warning, because it may be a name in DNS',
    },
    {
      mistake: 'an address with a length',
      typed: [['gateway: 203.0.113.10', 'gateway: 203.0.113.10/32']],
      grade: 'A',
      why: 'writes the address',
    },
    {
      mistake: 'ports with a colon',
      typed: [['51840-51850', '51840:51850']],
      grade: 'A',
      why: 'writes the range',
    },
    {
      mistake: 'an MTU without a tunnel in it',
      typed: [['      mtu: 1340', '      mtu: 100']],
      grade: 'A',
      why: 'names the limits and how to count',
    },
    {
      mistake: 'two clusters with one address',
      typed: [['gateway: 203.0.113.10', 'gateway: 203.0.113.30']],
      grade: 'A',
      why: 'shows both addresses, and what to do behind one NAT',
    },
  ],
  'draws the fleet': [
    {
      mistake: 'a shortcut with three clusters',
      typed: [['[rome, milan]', '[rome, milan, europe]']],
      grade: 'A',
      why: 'writes the pairs',
    },
    {
      mistake: 'a shortcut of a cluster with itself',
      typed: [['[rome, milan]', '[rome, rome]']],
      grade: 'A',
      why: 'shows both names',
    },
    {
      mistake: 'a shortcut to a misspelt cluster',
      typed: [['[rome, milan]', '[rome, millan]']],
      grade: 'A',
      why: 'writes the name',
    },
    {
      mistake: 'a shortcut twice',
      typed: [['  - [rome, milan]', '  - [rome, milan]\n  - [milan, rome]']],
      grade: 'A',
      why: 'shows both entries',
    },
    {
      mistake: 'a hub that is no cluster',
      typed: [['hub: europe', 'hub: america']],
      grade: 'A',
      why: 'lists the clusters',
    },
    { mistake: 'hubs for hub', typed: [['hub: europe', 'hubs: [europe]']], grade: 'A', why: 'writes the key' },
    {
      mistake: 'from and to in sharing',
      typed: [['shortcuts:', 'sharing:\n  - { from: milan, to: rome }\nshortcuts:']],
      grade: 'B',
      why: 'writes the keys; that `from` lends is a guess',
    },
    {
      mistake: 'a namespace offloaded without a loan',
      typed: [['shortcuts:', 'offloading:\n  - { cluster: rome, namespace: demo, to: [milan] }\nshortcuts:']],
      grade: 'A',
      why: 'names who borrows from whom, and writes the entry',
    },
    {
      mistake: 'a peering with three clusters',
      typed: [['shortcuts:', 'peerings:\n  - [rome, milan, europe]\nshortcuts:']],
      grade: 'A',
      why: 'writes the pairs',
    },
    {
      mistake: 'a shortcut by its direct path',
      typed: [['shortcuts:', 'assertions:\n  - { from: rome, to: milan, expect: reachable, via: direct }\nshortcuts:']],
      grade: 'A',
      why: 'writes the word',
    },
    {
      mistake: 'the pod network at the top of the clusters',
      typed: [['clusters:\n', 'clusters:\n  podCIDR: 10.202.0.0/16\n']],
      grade: 'A',
      why: 'says where it belongs',
    },
    {
      mistake: 'shortcuts below the clusters',
      typed: [['shortcuts:\n  - [rome, milan]', '  shortcuts:\n    - [rome, milan]']],
      grade: 'A',
      why: 'says where it belongs',
    },
    {
      mistake: 'a retired hub',
      typed: [['    gateway: 203.0.113.10\n', '    gateway: 203.0.113.10\n    retired: true\n']],
      grade: 'A',
      why: 'names the hub that is retired, and two ways on',
    },
    {
      mistake: 'a cluster deleted, and its shortcut kept',
      typed: [['  rome:\n    podCIDR: 10.202.0.0/16\n    labels: { region: south }\n', '']],
      grade: 'A',
      why: 'names the cluster, and the three ways',
    },
    {
      mistake: 'a loan to oneself',
      typed: [['shortcuts:', 'sharing:\n  - { consumer: rome, provider: rome }\nshortcuts:']],
      grade: 'A',
      why: 'names the cluster, and says that two are needed',
    },
  ],
  'works with git': [
    {
      mistake: 'a merge conflict in the topology',
      typed: [['hub: europe\n', '<<<<<<< HEAD\nhub: europe\n=======\nhub: rome\n>>>>>>> feature\n']],
      grade: 'A',
      why: 'shows both ends',
    },
    {
      mistake: 'a merge conflict in the keys file',
      files: { 'topologies/topology.keys.yaml': 'version: 1\n<<<<<<< HEAD\nkeys: {}\n=======\n>>>>>>> x\n' },
      grade: 'A',
      why: 'names the file and shows both ends',
    },
    {
      mistake: 'a lock cut off in the middle',
      files: { 'topologies/topology.lock.yaml': 'version: 1\nlock:\n  - {' },
      grade: 'A',
      why: 'says where to get it back, and what compile decides again',
    },
    {
      mistake: 'the lock named as the topology',
      run: 'validate topologies/topology.lock.yaml',
      grade: 'A',
      why: 'names the file that was meant',
    },
    {
      mistake: 'called in topologies/',
      from: 'topologies',
      grade: 'A',
      why: 'does what was meant, and says which fleet it uses',
    },
    {
      mistake: 'called in a folder of out/',
      from: 'out/rome',
      files: { '.git/HEAD': '', 'out/rome/keep': '' },
      grade: 'A',
      why: 'does what was meant, and says which fleet it uses',
    },
    { mistake: 'weft diff', run: 'diff', grade: 'A', why: 'says what to run' },
    { mistake: 'weft status', run: 'status', grade: 'A', why: 'says what to run for each of the two meanings' },
    {
      mistake: 'called where there is no fleet',
      files: { 'topologies/topology.yaml': null },
      from: '.',
      grade: 'A',
      why: 'says what is missing, and how to begin',
    },
  ],
  'comes from Helm or Terraform': [
    { mistake: 'weft lint', run: 'lint', grade: 'A', why: 'says what to run' },
    { mistake: 'weft fmt', run: 'fmt', grade: 'A', why: 'says that there is none, and what checks the file' },
    { mistake: 'weft template', run: 'template', grade: 'A', why: 'says what to run' },
    {
      mistake: 'weft compile --dry-run',
      run: 'compile --dry-run',
      grade: 'A',
      why: 'says what to run for each of the two meanings',
    },
    { mistake: 'weft plan --json', run: 'plan --json', grade: 'A', why: 'says what to write' },
    { mistake: 'weft compile rome', run: 'compile rome', grade: 'A', why: 'writes the command' },
    { mistake: 'weft view Rome', run: 'view Rome', grade: 'A', why: 'writes the name' },
    { mistake: 'weft view --cluster=rome', run: 'view --cluster=rome', grade: 'A', why: 'writes the command' },
    {
      mistake: 'weft validate --topology FILE',
      run: 'validate --topology topologies/topology.yaml',
      grade: 'A',
      why: 'writes the command',
    },
    {
      mistake: 'weft',
      run: '',
      grade: 'A',
      why: 'shows the state of the fleet and the next command',
    },
    {
      mistake: 'weft plan main',
      run: 'plan main',
      grade: 'A',
      why: 'writes the command',
    },
    {
      mistake: 'weft graph -o png',
      run: 'graph -o png',
      grade: 'A',
      why: 'names what it has, and how to get the other',
    },
    {
      mistake: 'weft view rome -o mermaid',
      run: 'view rome -o mermaid',
      grade: 'A',
      why: 'names the command that draws',
    },
  ],
  'writes the pipeline': [
    {
      mistake: 'an empty topology',
      files: { 'topologies/topology.yaml': '' },
      grade: 'A',
      why: 'says so, and how to get it back',
    },
    {
      mistake: 'two topologies and none named',
      files: { 'topologies/topology.yaml': null, 'topologies/a.yaml': FLEET, 'topologies/b.yaml': FLEET },
      grade: 'A',
      why: 'names both, and three ways on',
    },
    {
      mistake: 'a file where out/ should be',
      files: { out: 'x' },
      run: 'compile',
      grade: 'A',
      why: 'says what is there, and what to do',
    },
    { mistake: 'verify before the first compile', run: 'verify', grade: 'A', why: 'says what to run' },
    {
      mistake: 'plan --base where there is no git',
      run: 'plan --base origin/main',
      grade: 'A',
      why: 'says what is missing, and the other way',
    },
    {
      mistake: 'an option without its value',
      run: 'compile --out',
      grade: 'B',
      why: 'names the option and its value; the help has an example',
    },
    {
      mistake: 'the folder of the bundles after -o',
      run: 'compile -o build/out',
      grade: 'A',
      why: 'names the option that was meant',
    },
    {
      mistake: 'trace with one cluster',
      run: 'trace rome',
      grade: 'A',
      why: 'names what is missing and writes the command',
    },
  ],
  'knows liqoctl': [
    {
      mistake: 'weft peer rome milan',
      run: 'peer rome milan',
      grade: 'A',
      why: 'says what to add, and what to run',
    },
    {
      mistake: 'weft unpeer rome',
      run: 'unpeer rome',
      grade: 'A',
      why: 'says what to set, and what to run',
    },
    {
      mistake: 'weft offload namespace demo',
      run: 'offload namespace demo',
      grade: 'A',
      why: 'says what to add, and what to run',
    },
    {
      mistake: 'weft network connect',
      run: 'network connect',
      grade: 'A',
      why: 'says what to add, and what to run',
    },
    {
      mistake: 'local and remote in a peering',
      typed: [['shortcuts:', 'peerings:\n  - { local: rome, remote: milan }\nshortcuts:']],
      grade: 'A',
      why: 'writes the pair',
    },
    {
      mistake: 'reservedSubnets of the chart',
      typed: [['    labels: { region: south }', '    reservedSubnets: [10.1.0.0/24]']],
      grade: 'A',
      why: 'writes the key',
    },
    {
      mistake: 'ipam with the networks of the chart',
      typed: [['    labels: { region: south }', '    ipam: { podCIDR: 10.202.0.0/16 }']],
      grade: 'A',
      why: 'says at which level the key is',
    },
    {
      mistake: 'podOffloadingStrategy',
      typed: [
        [
          'shortcuts:',
          'sharing:\n  - { consumer: rome, provider: milan }\noffloading:\n  - { cluster: rome, namespace: demo, podOffloadingStrategy: Local }\nshortcuts:',
        ],
      ],
      grade: 'A',
      why: 'writes the key',
    },
    {
      mistake: 'a release with a v',
      typed: [['"1.2"', 'v1.2.0']],
      grade: 'A',
      why: 'writes the release',
    },
  ],
  'keeps the keys': [
    {
      mistake: 'weft keys',
      run: 'keys',
      grade: 'A',
      why: 'writes the command',
    },
    {
      mistake: 'weft keys rotate',
      run: 'keys rotate',
      grade: 'A',
      why: 'writes the options that name links',
    },
    {
      mistake: 'a key that is cut off',
      files: { 'topologies/topology.keys.yaml': 'version: 1\nkeys:\n  rome:\n    europe: YWJj\n' },
      grade: 'A',
      why: 'says how long a key is, and where it comes from',
    },
    {
      mistake: 'a key for a cluster that is gone',
      files: {
        'topologies/topology.keys.yaml':
          'version: 1\nkeys:\n  paris:\n    europe: BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n',
      },
      grade: 'A',
      why: 'names the cluster, and what to do',
    },
    {
      mistake: 'one key for two gateways',
      files: {
        'topologies/topology.keys.yaml':
          'version: 1\nkeys:\n  rome:\n    europe: BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n  milan:\n    europe: BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n',
      },
      grade: 'A',
      why: 'shows both, and what to do',
    },
    {
      mistake: 'weft compile --relock rome/rome',
      run: 'compile --relock rome/rome',
      grade: 'A',
      why: 'says what a link is, and where its ends are listed',
    },
  ],
  'is in the first hour with weft': [
    {
      mistake: 'weft graph -o fleet.svg',
      run: 'graph -o fleet.svg',
      grade: 'A',
      why: 'writes the command',
    },
    {
      mistake: 'weft graph -o svg --out fleet.svg',
      run: 'graph -o svg --out fleet.svg',
      grade: 'A',
      why: 'says what --out is, and writes the command',
    },
    {
      mistake: 'weft graph fleet.svg',
      run: 'graph fleet.svg',
      grade: 'A',
      why: 'writes the command',
    },
    {
      mistake: 'weft report fleet.html',
      run: 'report fleet.html',
      grade: 'A',
      why: 'writes the command',
    },
    {
      mistake: 'weft report -o html',
      run: 'report -o html',
      grade: 'A',
      why: 'says what -o names, and writes no file html',
    },
    {
      mistake: 'the pod of another cluster as the sender',
      run: 'trace rome/10.203.0.7 milan',
      grade: 'A',
      why: 'names the cluster that has this pod',
    },
    {
      mistake: 'an address without its cluster as the sender',
      run: 'trace 10.202.0.5 milan',
      grade: 'A',
      why: 'writes the end, and says who knows the cluster',
    },
    {
      mistake: 'dumps without --live',
      run: 'drift dumps/',
      files: { 'dumps/rome.json': '{}' },
      grade: 'A',
      why: 'writes the command',
    },
    {
      mistake: 'private keys beside the topology, before git init',
      run: 'keys generate --secrets-dir secrets',
      grade: 'A',
      why: 'says what would happen to them, and names a folder',
    },
  ],
};
