import { FORMATS } from '../../answers/report/answer.ts';

/** A command as the user sees it. The program, its help and the completion scripts are generated from this table. */
export interface CommandSpec {
  /** `keys generate`. */
  readonly name: string;
  /** The heading above it in the list of all commands. */
  readonly group: string;
  /** At most 58 characters, so that a terminal of 80 columns shows one line for each command. */
  readonly summary: string;
  /** Names that a user may try instead; a hint then names the command. */
  readonly otherNames?: readonly string[];
  /** The text below the summary in the command's help. */
  readonly details?: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
}

export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  /** The last argument may be repeated. */
  readonly variadic?: boolean;
  readonly description: string;
  readonly values: Values;
}

export interface OptionSpec {
  /** Without the dashes. */
  readonly long: string;
  readonly short?: string;
  /** The name of the value in the help; an option without a value is a switch. */
  readonly value?: string;
  readonly values?: Values;
  readonly repeatable?: boolean;
  readonly description: string;
  /** An earlier name, which scripts still use; no help and no completion shows it. */
  readonly formerly?: string;
}

/** The names of an option on the command line, with its earlier one. */
export const namesOf = ({ long, short, formerly }: OptionSpec): readonly string[] => [
  ...(short === undefined ? [] : [`-${short}`]),
  `--${long}`,
  ...(formerly === undefined ? [] : [`--${formerly}`]),
];

/** Values that a shell completes. A `link` is `X` or `X/Y`, or `all`. */
export type Values = 'file' | 'folder' | 'code' | 'cluster' | 'link' | 'context' | 'anything' | readonly string[];

const TOPOLOGY = {
  name: 'topology',
  required: false,
  description: 'the topology file (default: topology.yaml, else topologies/topology.yaml, or the only one there)',
  values: 'file',
} as const satisfies ArgumentSpec;

/** Equal to `FORGE_KINDS` of front/, which this table does not load. */
const FORGES = ['github', 'gitlab', 'gitea', 'forgejo'] as const;

const LOCK = {
  long: 'lock',
  value: 'FILE',
  values: 'file',
  description: 'the lock file (default: beside the topology, <stem>.lock.yaml)',
} as const satisfies OptionSpec;

const CLUSTERS = (description: string) =>
  ({ long: 'cluster', value: 'NAME', values: 'cluster', repeatable: true, description }) as const satisfies OptionSpec;

/** The sources of live clusters, the same for every command that reads them. */
const LIVE = [
  {
    long: 'live',
    value: '[CLUSTER=]DUMP',
    values: 'file',
    repeatable: true,
    description: 'read a live cluster from this dump: a file, a folder, or - for stdin; may be repeated',
  },
  {
    long: 'context',
    value: '[CLUSTER=]NAME',
    values: 'context',
    repeatable: true,
    description: 'read a live cluster with kubectl, in this context of your kubeconfig; may be repeated',
  },
] as const satisfies readonly OptionSpec[];

/** Those of commands whose --live was called --from. */
const LIVE_ONCE_FROM = [{ ...LIVE[0], formerly: 'from' }, LIVE[1]] as const satisfies readonly OptionSpec[];

const WITHOUT = (description: string) =>
  ({ long: 'without', value: 'PART', values: 'link', repeatable: true, description }) as const satisfies OptionSpec;

/** The destination of private keys. */
const SECRETS = [
  {
    long: 'secrets-dir',
    value: 'DIR',
    values: 'folder',
    description: 'write the Secrets to DIR/<cluster>.yaml, outside the repository, instead of stdout',
  },
  { long: 'show', description: 'print the Secrets even if stdout is a terminal' },
  { long: 'in-repository', description: 'write the Secrets even into a git repository' },
] as const satisfies readonly OptionSpec[];

const ALLOW_DESTROY = {
  long: 'allow-destroy',
  description: 'allow the removal of any number of clusters and links, and gateways to lose their keys',
} as const satisfies OptionSpec;

const MAX_REMOVED = {
  long: 'max-removed',
  value: 'SHARE',
  values: 'anything',
  description: 'share of the clusters, and of the links, that may be removed (default: 1/3)',
} as const satisfies OptionSpec;

const DIFF = {
  long: 'diff',
  value: 'DIR',
  values: 'folder',
  description: 'write the changed lines of the manifests to DIR/weft-diff.md and DIR/weft-diff.html',
} as const satisfies OptionSpec;

const output = <const Formats extends readonly string[]>(formats: Formats) =>
  ({
    long: 'output',
    short: 'o',
    value: 'FORMAT',
    values: formats,
    description: 'the format of the output',
  }) as const satisfies OptionSpec;

/** First words of several commands: what these are about. */
export const COMMAND_GROUPS = {
  keys: 'keys of gateways and consumers',
  identities: 'identities that providers give consumers',
} as const satisfies Readonly<Record<string, string>>;

/** Plain data, from which `options-of.ts` derives the types of the options. `run-weft.ts` has the functions. */
export const COMMANDS = [
  {
    name: 'init',
    group: 'Start',
    summary: 'write a starter topology, its schema and a CI workflow',
    details:
      'Also writes .gitattributes. An existing topology is kept, for instance one that weft import has written: then only the rest is written.',
    args: [{ name: 'dir', required: false, description: 'folder of the fleet (default: here)', values: 'folder' }],
    options: [
      {
        long: 'drift',
        description: 'add a workflow that runs weft drift every hour; in the folder of a fleet, write only that one',
      },
      {
        long: 'steps',
        description:
          'add a workflow that runs weft pr open --stage steps every hour; in the folder of a fleet, write only that one',
      },
      {
        long: 'forge',
        value: 'FORGE',
        values: FORGES,
        description: 'the forge whose CI runs the workflow (default: the one that origin points to, or github)',
      },
      { long: 'schema', description: 'in the folder of a fleet: write only the schema for editors' },
    ],
    examples: [
      ['weft init fleet', 'start a fleet in the folder fleet'],
      ['weft init --forge gitea', 'with a workflow for Gitea Actions'],
      ['weft init --drift', 'add the workflow that reports drift to the fleet in the working folder'],
      ['weft init --schema', 'after an update of weft: update the schema for editors'],
    ],
  },
  {
    name: 'import',
    group: 'Start',
    summary: 'write the topology, keys and lock of running clusters',
    details:
      'Reads dumps (what kubectl get -o json or -o yaml prints) or, with --context, the clusters themselves with your ' +
      'kubectl, which only gets and lists. Writes a topology that compiles to the live state: the same addresses, ports, names ' +
      'and keys. Existing files are not replaced. Faults, and settings that a topology cannot contain, are reported with ' +
      'cluster and object, and changes by applying the compiled bundles with their reason. Values of Secrets are never kept.\n\n' +
      'With --clusters it reads inventories instead: Clusters of Cluster API, cluster Secrets of Argo CD (never their credentials), ' +
      'outputs of Terraform (terraform output -json), or CSV with a header of keys (name,podCIDR,serviceCIDR,gateway,labels.site). ' +
      'Their clusters are written into inventory/<topology>.clusters.yaml, which the topology includes. Run it again at any time: it ' +
      'adds clusters and updates the keys that the inventory has, keeps what people added, and removes nothing.',
    args: [
      {
        name: 'dump',
        required: false,
        variadic: true,
        description:
          '[CLUSTER=]FILE, [CLUSTER=]FOLDER or - for stdin: the output of kubectl get -A -o json, or an inventory',
        values: 'file',
      },
    ],
    options: [
      ...LIVE_ONCE_FROM,
      { long: 'clusters', description: 'read inventories of clusters instead, into a file that the topology includes' },
      {
        long: 'topology',
        value: 'FILE',
        values: 'file',
        description: 'the topology to write (default: topologies/topology.yaml)',
      },
      {
        long: 'name',
        value: 'NAME',
        values: 'anything',
        description: 'name of a new fleet (default: that of the file, or of the working folder)',
      },
      {
        long: 'check',
        description:
          'write nothing; report what would be written and what would change. With --clusters: exit 1 for a change',
      },
      {
        long: 'print-commands',
        description: 'print a script that writes the dumps of the contexts, with the role that its user needs',
      },
      output(FORMATS.import),
    ],
    examples: [
      ['weft import dumps/', 'a folder with a file or a folder for each cluster'],
      ['weft import --context rome --context milan=admin@milan', 'two clusters, through kubectl'],
      ['weft import --print-commands > dump.sh', 'how to make the dumps of clusters that weft cannot reach'],
      ['weft import --clusters clusters.csv', 'the clusters of a table'],
      ['weft import --clusters outputs.json', 'those that terraform output -json has printed'],
      ['weft import --clusters --context management', 'those of Cluster API and Argo CD, through kubectl'],
    ],
  },
  {
    name: 'validate',
    group: 'Every day',
    summary: 'report every error, warning and note of a topology',
    details:
      'Answers whether the topology is right, and includes no other check. Every command that reads it begins with this one.',
    args: [TOPOLOGY],
    options: [LOCK, output(FORMATS.validate)],
    examples: [
      ['weft validate', 'check topologies/topology.yaml'],
      ['weft validate -o sarif > weft.sarif', 'for code scanning'],
      ['weft validate -o gitlab > gl-code-quality-report.json', 'for the code quality report of GitLab'],
    ],
  },
  {
    name: 'compile',
    group: 'Every day',
    summary: 'compile a topology into one bundle per cluster',
    details:
      'Writes only changed files, all or none, and the lock beside the topology. --check answers whether both are current; it includes weft validate and, where CI is set, weft verify. Commit both: the lock keeps ' +
      'every address that was decided. A compile that would remove more than --max-removed of the clusters or links ' +
      'writes nothing unless --allow-destroy is given.',
    args: [TOPOLOGY],
    options: [
      CLUSTERS('write the bundle of this cluster only; may be repeated'),
      { long: 'check', description: 'write nothing; report whether the lock and the bundles are up to date' },
      { long: 'frozen-lock', description: 'fail instead of changing the lock' },
      {
        long: 'relock',
        value: 'X[/Y]',
        values: 'link',
        repeatable: true,
        description:
          'remove the decisions about cluster X (or its link to Y; all: every cluster) from the lock and decide again; ' +
          'may be repeated',
      },
      {
        long: 'shard',
        value: 'K/N',
        values: 'anything',
        description: 'write or check part K of N of the clusters, in jobs that run side by side',
      },
      {
        long: 'all',
        description: 'compile every topology: topology.yaml and those in topologies/, each into its own folder',
      },
      { long: 'out', value: 'DIR', values: 'folder', description: 'folder of the bundles (default: out)' },
      LOCK,
      { long: 'allow-empty', description: 'allow an empty bundle to replace a full one' },
      ALLOW_DESTROY,
      MAX_REMOVED,
      { long: 'watch', description: 'compile again whenever the topology or its keys change' },
      {
        long: 'nudge',
        value: 'X[/Y]',
        values: 'link',
        repeatable: true,
        description:
          'make the client of the link of X to Y, or of every link of X, connect again at once; may be repeated',
      },
      {
        long: 'no-cache',
        description: 'read every file again, and keep nothing for the next run (as where CI is set)',
      },
      output(FORMATS.compile),
    ],
    examples: [
      ['weft compile', 'compile topologies/topology.yaml into out/'],
      ['weft compile --cluster rome', "write rome's bundle only"],
      ['weft compile --check', 'in CI: exit 1 when out/ is out of date'],
    ],
  },
  {
    name: 'plan',
    group: 'Every day',
    summary: 'show what changes, for whom, and which live flows break',
    details:
      'Compares out/ and the lock, or a commit, or a folder, with what the topology compiles to, and writes no manifest. Exit ' +
      '0 whether or not there is something to do; with --detailed-exitcode 0 nothing to do, 1 error, 2 something to do. ' +
      'A plan that removes more than --max-removed of the clusters or links ends with 1 unless --allow-destroy is given. With ' +
      '--live or --context it starts from live clusters instead: what applying the bundles would change there. State that a ' +
      'dump cannot contain counts as compiled, and clusters without a dump are taken from their bundles in out/.',
    args: [TOPOLOGY],
    options: [
      { long: 'base', value: 'REF', values: 'anything', description: 'compare with this commit of the git repository' },
      {
        long: 'base-dir',
        value: 'DIR',
        values: 'folder',
        description: 'compare with this folder, with the same paths as the working folder',
      },
      { long: 'new', description: 'compare with nothing: all steps of a new fleet, also when it is compiled already' },
      ...LIVE,
      { long: 'out', value: 'DIR', values: 'folder', description: 'folder of the bundles (default: out)' },
      LOCK,
      {
        long: 'relock',
        value: 'X[/Y]',
        values: 'link',
        repeatable: true,
        description: 'show what compile --relock X[/Y] would change (all: for every cluster); may be repeated',
      },
      {
        long: 'steps',
        value: 'DIR',
        values: 'folder',
        description: 'write the git states from the last commit, or --base, to the topology into the new folder DIR',
      },
      DIFF,
      output(FORMATS.plan),
      { long: 'detailed-exitcode', description: 'exit 2 when there is something to do, 1 for every error' },
      ALLOW_DESTROY,
      MAX_REMOVED,
    ],
    examples: [
      ['weft plan', 'what compile would change'],
      ['weft plan --base origin/main -o markdown', 'for a pull request'],
      ['weft plan --steps steps', 'a change in states that can follow each other with traffic up'],
      ['weft plan --diff review', 'also the changed lines, as review/weft-diff.html'],
      ['weft plan --live dumps/', 'what applying the bundles would change in the live clusters'],
    ],
  },
  {
    name: 'view',
    group: 'Look',
    summary: 'list clusters or links, show a view, or what still fits',
    args: [
      { ...TOPOLOGY, description: `${TOPOLOGY.description}; must be a path, which no cluster name is` },
      {
        name: 'cluster',
        required: false,
        description:
          'the cluster whose view is shown, "links" for the links, or "forecast" for the room that is left (default: list the clusters)',
        values: 'cluster',
      },
      {
        name: 'peer',
        required: false,
        description: 'one peer, in both directions; with links or forecast, the cluster that it is about',
        values: 'cluster',
      },
    ],
    options: [
      ...LIVE,
      LOCK,
      {
        long: 'recreated',
        description: 'with a peer: also its addresses after its Configuration is deleted and created again',
      },
      {
        long: 'runbook',
        description: 'with a peer: also the commands to run when packets are lost, with the expected values',
      },
      output(FORMATS.view),
    ],
    examples: [
      ['weft view', 'the clusters of the fleet'],
      ['weft view rome', 'every peer of rome'],
      ['weft view rome milan', 'rome and milan, in both directions'],
      ['weft view links', 'all links: who dials whom, MTU, missing keys, remapped networks'],
      ['weft view links rome', 'the links of rome'],
      ['weft view forecast', 'what still fits: ports, networks and blocks; and what the next cluster costs'],
      ['weft view rome --live dumps/', 'the live state from dumps, regardless of git'],
      [
        'weft view rome milan --runbook',
        'objects, wg show, tcpdump, nft, routes, MTU: step by step, with the expected values',
      ],
      ['weft view rome milan --recreated', 'where rome would see milan if its Configuration were created again'],
    ],
  },
  {
    name: 'graph',
    group: 'Look',
    summary: 'draw the fleet as Mermaid, as SVG or for Graphviz',
    details:
      'Clusters with the label "region" or "topology.kubernetes.io/region" are drawn in groups; --by takes another label. ' +
      'Spokes whose only links are those to their hubs are drawn together; of a very large fleet, only their number is ' +
      'drawn. An arrow leads from the end that dials to the end that is dialled.',
    args: [
      { ...TOPOLOGY, description: `${TOPOLOGY.description}; must be a path, which no cluster name is` },
      {
        name: 'cluster',
        required: false,
        variadic: true,
        description: 'draw only these clusters with their neighbours',
        values: 'cluster',
      },
    ],
    options: [
      { long: 'by', value: 'LABEL', values: 'anything', description: 'group clusters by this label' },
      WITHOUT('draw this part as off, see "weft whatif"; may be repeated'),
      { long: 'plan', description: 'draw only the changes of "weft plan", with their neighbours' },
      {
        long: 'base',
        value: 'REF',
        values: 'anything',
        description: 'with --plan: compare with this commit of the git repository',
      },
      {
        long: 'base-dir',
        value: 'DIR',
        values: 'folder',
        description: 'with --plan: compare with this folder, with the same paths as the working folder',
      },
      { long: 'out', value: 'DIR', values: 'folder', description: 'with --plan: folder of the bundles (default: out)' },
      LOCK,
      output(FORMATS.graph),
    ],
    examples: [
      ['weft graph', 'for a Markdown page, in a block of ```mermaid'],
      ['weft graph rome --by site', 'rome and its neighbours, grouped by their label "site"'],
      ['weft graph --plan --base origin/main', 'what a branch changes'],
      ['weft graph -o svg > fleet.svg', 'for a slide; a browser shows it light or dark'],
      ['weft graph -o dot | dot -Tpng > fleet.png', 'drawn by Graphviz'],
    ],
  },
  {
    name: 'trace',
    group: 'Look',
    summary: 'walk a packet to another cluster, and its answer back',
    details:
      'FROM and TO are clusters (then the address is the first pod CIDR + 10) or cluster/address; TO may also be an address ' +
      'as FROM sees it. A :port may follow, such as :5432 or :53/udp. Exit 0 when the packet is delivered, with --all for every pair. An address ' +
      'such as 10.60.0.? is one that a hub allocates when it offloads the pod.',
    args: [
      { ...TOPOLOGY, description: `${TOPOLOGY.description}; recognised by .yaml, or by ./ before a folder` },
      { name: 'from', required: true, description: 'the sender: cluster or cluster/address', values: 'cluster' },
      {
        name: 'to',
        required: true,
        description: 'the receiver: cluster, cluster/address or address',
        values: 'cluster',
      },
    ],
    options: [
      ...LIVE,
      { long: 'from-node', description: 'send from a node, or from a pod in its network namespace' },
      {
        long: 'from-namespace',
        value: 'NAMESPACE',
        values: 'anything',
        description: 'the namespace of the sending pod, whose policy limits it (default: one without a policy)',
      },
      {
        long: 'to-namespace',
        value: 'NAMESPACE',
        values: 'anything',
        description: 'the namespace of the receiving pod, whose policies limit it (default: one without a policy)',
      },
      {
        long: 'through',
        value: 'HUB',
        values: 'cluster',
        description: 'go through this cluster, which has links to both, even if there is a shorter path',
      },
      WITHOUT('this part has failed, see "weft whatif"; may be repeated'),
      { long: 'all', description: 'trace every ordered pair of clusters' },
      {
        long: 'service',
        value: 'NAMESPACE/NAME',
        values: 'anything',
        description: 'show the path to each endpoint of a Service of an offloaded namespace',
      },
      {
        long: 'from',
        value: 'CLUSTER',
        values: 'cluster',
        description: 'with --service: from the pods of this cluster (default: of each that has the Service)',
      },
      {
        long: 'of',
        value: 'CLUSTER',
        values: 'cluster',
        description: 'with --service: the cluster that offloads the namespace, where several do',
      },
      {
        long: 'out',
        value: 'DIR',
        values: 'folder',
        description: 'folder of the bundles, for files and lines (default: out)',
      },
      LOCK,
      output(FORMATS.trace),
    ],
    examples: [
      ['weft trace rome milan', 'from a pod of rome to a pod of milan'],
      ['weft trace rome/10.202.0.5 milan/10.202.0.7:8080', 'between two pods'],
      ['weft trace rome milan -o svg > walk.svg', 'the way there and back as a picture'],
      ['weft trace --all', 'which clusters reach each other, and by which path'],
      ['weft trace rome milan --context rome --context milan', 'through the tunnels as they are now'],
      ['weft trace --service demo/web --from milan', 'from pods of milan to the endpoints of a Service'],
    ],
  },
  {
    name: 'whois',
    group: 'Look',
    summary: 'show whose an address is, in every cluster or in one',
    details:
      'An own pod, Service or reserved network, the view of a peer with the address that the peer itself uses, an address ' +
      'that a peer maps at run time, or the gateway of a cluster. With --in, also which other clusters use the address, ' +
      'and what to dial for those. Exit 0 when it is known, 1 when it is not.',
    args: [
      { ...TOPOLOGY, description: `${TOPOLOGY.description}; recognised by .yaml, or by ./ before a folder` },
      { name: 'address', required: true, description: 'one IPv4 address', values: 'anything' },
    ],
    options: [
      ...LIVE,
      {
        long: 'in',
        value: 'CLUSTER',
        values: 'cluster',
        description: 'from the point of view of this cluster (default: of each)',
      },
      LOCK,
      output(FORMATS.whois),
    ],
    examples: [
      ['weft whois 10.81.3.7', 'what it is in each cluster'],
      ['weft whois 10.81.3.7 --live dumps/', 'what it is in clusters as they are'],
      ['weft whois 10.202.3.7 --in rome', "what rome reaches there, and what it dials for others' pods"],
    ],
  },
  {
    name: 'ports',
    otherNames: ['firewall', 'firewalls'],
    group: 'Look',
    summary: 'list the ports that firewalls must open between clusters',
    details:
      'One UDP port for each link, from the cluster that dials to the one that serves, and for each loan the API server of ' +
      'the provider. With a cluster: what its own firewall must let out and in, and the target of the dialled address. ' +
      'nftables and iptables print rules of that firewall to paste. Facts that a topology cannot contain, such as source ' +
      'addresses, are printed as unknown.',
    args: [
      { ...TOPOLOGY, description: `${TOPOLOGY.description}; recognised by .yaml, or by ./ before a folder` },
      { name: 'cluster', required: false, description: 'the cluster behind the firewall', values: 'cluster' },
      { name: 'peer', required: false, description: 'list only the ports between the two', values: 'cluster' },
    ],
    options: [
      {
        long: 'source',
        value: 'CLUSTER=NETWORK',
        values: 'anything',
        repeatable: true,
        description: 'an address or network that packets of the cluster come from, outside of it; may be repeated',
      },
      LOCK,
      output(FORMATS.ports),
    ],
    examples: [
      ['weft ports', 'every port between clusters of the fleet'],
      ['weft ports rome milan', "for one link: the rules of rome's firewall, and of milan's"],
      ['weft ports -o csv > ports.csv', 'for a spreadsheet or a ticket'],
      [
        'weft ports milan --source rome=198.51.100.7 -o nftables',
        "rules of milan's firewall, from rome's address alone",
      ],
    ],
  },
  {
    name: 'whatif',
    group: 'Look',
    summary: 'show what is cut when a link, gateway or cluster fails',
    details:
      'Without --without every part is tried alone, and those that cut most come first. A part is a cluster (europe), a ' +
      'link (europe/rome), or a gateway that serves several links at one address (europe/203.0.113.10). No address moves ' +
      'when a part fails; pairs with another path go round at another address. Exit 0 whatever is cut: an assertion with ' +
      '`without` says what must hold.',
    otherNames: ['what-if', 'fail', 'failures', 'simulate'],
    args: [TOPOLOGY],
    options: [
      WITHOUT('this part fails: CLUSTER, CLUSTER/CLUSTER or CLUSTER/ADDRESS; may be repeated'),
      LOCK,
      output(FORMATS.whatif),
    ],
    examples: [
      ['weft whatif', 'what each part would cut'],
      ['weft whatif --without europe', 'who is cut off without a hub, and who goes round'],
      ['weft whatif --without europe/rome --without milan', 'several failures at the same time'],
    ],
  },
  {
    name: 'report',
    group: 'Look',
    summary: 'write the fleet as one HTML page: map, views and walks',
    otherNames: ['page', 'html', 'site'],
    details:
      'The page contains the topology with the files beside it and the compiler, and computes everything in the browser: ' +
      'the map, every address as each cluster sees it, the way of any packet, links, ports, loans, and remarks with their ' +
      'pages. It loads nothing and sends nothing. With --base it shows what changes, and with --live or --context how ' +
      'running clusters differ. An earlier page is replaced; any other file is kept.',
    args: [TOPOLOGY],
    options: [
      {
        long: 'output',
        short: 'o',
        value: 'FILE',
        values: 'file',
        description: 'the file to write; - prints the page (default: weft-report.html)',
      },
      {
        long: 'base',
        value: 'REF',
        values: 'anything',
        description: 'show the changes since this commit of the git repository',
      },
      {
        long: 'base-dir',
        value: 'DIR',
        values: 'folder',
        description: 'show the changes since this folder, with the same paths as the working folder',
      },
      ...LIVE,
      WITHOUT('open the page with this link, gateway or cluster switched off; may be repeated'),
      {
        long: 'out',
        value: 'DIR',
        values: 'folder',
        description: 'folder of the bundles, for files and lines (default: out)',
      },
      LOCK,
    ],
    examples: [
      ['weft report', 'write weft-report.html, for any browser'],
      ['weft report --base origin/main -o review.html', 'what a branch changes, to look at'],
      ['weft report --context rome --context milan', 'with the drift of two clusters'],
    ],
  },
  {
    name: 'explain',
    group: 'Look',
    summary: 'explain a diagnostic or a key, or list all diagnostics',
    args: [
      {
        name: 'name',
        required: false,
        description: 'a code, such as topology/host-bits, or a key, such as gateway.dial',
        values: 'code',
      },
    ],
    options: [output(FORMATS.explain)],
    examples: [
      ['weft explain ipam/order-dependent', 'what it means and what to do'],
      ['weft explain gateway.dial', 'what the key is for, its type, default and example'],
    ],
  },
  {
    name: 'verify',
    group: 'Prove',
    summary: 'prove that the files in out/ are what the topology requires',
    details:
      'Answers whether the bundles are right; it includes weft validate, and compile --check for the files in out/. Independent parsers read the files, the network is rebuilt from them alone, and packets are traced through ' +
      'their rules. A file that was edited is reported with its line and the promise that it breaks.',
    args: [TOPOLOGY],
    options: [
      { long: 'out', value: 'DIR', values: 'folder', description: 'folder of the bundles (default: out)' },
      LOCK,
      output(FORMATS.verify),
    ],
    examples: [
      ['weft verify', 'prove out/ for topologies/topology.yaml'],
      ['weft verify --out build/out -o sarif > weft.sarif', 'for code scanning'],
    ],
  },
  {
    name: 'lab',
    group: 'Prove',
    summary: 'build the fleet from namespaces and send real traffic',
    details:
      'Answers whether packets really go where weft trace says; it includes weft validate, and reads no file in out/. Real WireGuard tunnels, the emitted nftables and real packets over every link, compared with the results of trace. Needs ' +
      'Linux, root, nft, ip, wireguard-go and ping. It works only in its own namespaces and removes them at the end.',
    args: [TOPOLOGY],
    options: [
      CLUSTERS('build this cluster with its peers; given more than once: these clusters and the links between them'),
      { long: 'keep', description: 'keep the lab and print how to enter it' },
      { long: 'clean', description: 'only remove labs that were kept or killed' },
      {
        long: 'pcap',
        value: 'DIR',
        values: 'folder',
        description: 'record the packets of every node and gateway (needs tcpdump)',
      },
      {
        long: 'steps',
        value: 'DIR',
        values: 'folder',
        description: 'go through the states that weft plan --steps wrote, and measure what each one loses',
      },
      LOCK,
      output(FORMATS.lab),
    ],
    examples: [
      ['sudo weft lab', 'test the whole fleet'],
      ['sudo weft lab --cluster rome --cluster milan --keep', 'test one link, and keep the lab'],
      ['sudo weft lab --steps steps', 'what a change in states really loses'],
    ],
  },
  {
    name: 'drift',
    group: 'Live',
    summary: 'compare live clusters with what the topology compiles to',
    details:
      'Answers whether the clusters are as git says; it includes weft validate, and neither needs nor checks out/. Reads dumps (what kubectl get -o json or -o yaml prints) or, with --context, the clusters themselves with your ' +
      'kubectl, which only gets and lists. Reports the differences from git per cluster and peer, with the cause first: ' +
      'views, keys, ports, MTU, labels, releases, missing and additional objects; and the pairs of clusters that they ' +
      'break. Additions of controllers and GitOps tools are no drift. --wait compares repeatedly until a rollout is ' +
      'complete. Exit 0 without drift, 1 with drift or while something is still missing, 2 when a cluster or a dump cannot ' +
      'be read. Values of Secrets are never kept. "weft explain drift/other-view" explains a kind of problem.',
    args: [TOPOLOGY],
    options: [
      ...LIVE_ONCE_FROM,
      {
        long: 'out',
        value: 'DIR',
        values: 'folder',
        description: 'folder of the bundles, for files and lines (default: out)',
      },
      {
        long: 'wait',
        value: 'DURATION',
        values: 'anything',
        description:
          'with --context: compare again every 10 seconds until nothing differs, at most this long (90s, 10m, 1h)',
      },
      {
        long: 'adopt',
        description:
          'copy the views and ports of the live clusters into the lock, after showing the changes; keys stay',
      },
      { long: 'check', description: 'with --adopt: write nothing; report whether the lock would change' },
      LOCK,
      output(FORMATS.drift),
    ],
    examples: [
      ['weft drift --context rome --context milan --wait 10m', 'after a rollout, in a pipeline'],
      ['weft drift --context rome --context milan=admin@milan', 'two clusters, through kubectl'],
      ['weft drift --live rome=rome.json --live dumps/', 'a dump of rome, and a folder with a file for each cluster'],
      ['weft drift --adopt --live dumps/', 'copy the live state into the lock; nothing moves'],
    ],
  },
  {
    name: 'conformance',
    group: 'Live',
    summary: 'dial every pair of live clusters, and compare with trace',
    details:
      'Answers whether real packets go where git says, in the clusters themselves. With `conformance: true` in the topology, each ' +
      'bundle contains a small prober. This command finds the probers with your kubectl, runs a script in each (kubectl exec), and dials every ' +
      'path between them at the address that weft predicts: over links and shortcuts, and through hubs where a hub maps the prober. Each ' +
      'path gets a small packet, and packets that fill its MTU. The answer must come from the right pod, which must see the predicted sender. Pairs without ' +
      'a path must not answer. For what is not as predicted it names the first cause that drift finds. It changes nothing. Exit 0 when ' +
      'everything that was dialled is as predicted, 1 when something is not, 2 when a prober cannot be used.',
    args: [
      { ...TOPOLOGY, description: `${TOPOLOGY.description}; must be a path, which no cluster name is` },
      {
        name: 'cluster',
        required: false,
        variadic: true,
        description: 'dial only between these clusters; of one cluster, its pairs with every other',
        values: 'cluster',
      },
    ],
    options: [LIVE[1], LOCK, output(FORMATS.conformance)],
    examples: [
      ['weft conformance --context rome --context milan', 'both directions between two clusters'],
      ['weft conformance rome --context rome --context milan --context europe', 'only the pairs of rome'],
      ['weft conformance --context rome --context milan -o junit > conformance.xml', 'for the test report of CI'],
    ],
  },
  {
    name: 'keys generate',
    group: 'Live',
    summary: 'generate the keys that gateways and consumers lack',
    details:
      'Makes a WireGuard key pair for each gateway, and for each consumer of `sharing` a key that it authenticates with in ' +
      'its providers. The public halves go into <stem>.keys.yaml, from which compile makes the PublicKeys. The private ' +
      'halves are printed once, as Secrets, and stored nowhere: pipe them to the tool that seals, encrypts or applies ' +
      'them, or use --secrets-dir. To replace a key, remove its entry from <stem>.keys.yaml and pass --replace. A key ' +
      'that is unknown there is in use: without --replace it stays.',
    args: [TOPOLOGY],
    options: [
      CLUSTERS('for keys of this cluster only; may be repeated'),
      ...SECRETS,
      {
        long: 'replace',
        description: 'also replace keys that are in use: those in the bundles, and those that are unknown',
      },
      { long: 'check', description: 'write nothing; report whether every key is recorded' },
      { long: 'out', value: 'DIR', values: 'folder', description: 'folder of the bundles (default: out)' },
      LOCK,
    ],
    examples: [
      ['weft keys generate --secrets-dir ~/fleet-keys', 'one file per cluster, to apply there'],
      ['weft keys generate --cluster rome | kubectl --context rome apply -f -', 'apply directly in rome'],
    ],
  },
  {
    name: 'keys collect',
    group: 'Live',
    summary: 'record the public keys that gateways made in their clusters',
    details:
      'For `keys: { secrets: liqo }`: reads the Secrets of gateways from dumps or with kubectl, and of each only the public ' +
      'half; private keys stay in their clusters. Checks them and records them in <stem>.keys.yaml, from which compile makes the ' +
      'PublicKeys. A recorded key that differs stays unless --replace is given, because the tunnel is down until the peer has ' +
      'the new one. Exit 1 when a key of a cluster that was read is missing, refused or different.',
    args: [TOPOLOGY],
    options: [
      ...LIVE,
      { long: 'replace', description: 'also replace recorded keys that differ from those in the clusters' },
      { long: 'check', description: 'write nothing; report whether every key is recorded' },
      LOCK,
      output(FORMATS['keys collect']),
    ],
    examples: [
      ['weft keys collect --context rome --context milan=admin@milan', 'from two clusters, through kubectl'],
      ['weft keys collect --live dumps/', 'from dumps, which have only the public halves'],
    ],
  },
  {
    name: 'keys rotate',
    group: 'Live',
    summary: 'replace the keys of links, in two changes',
    details:
      'Makes the next key pair of both gateways of each link, in a Secret with another name (gw-keys-2), and records its public ' +
      'half. No gateway uses it yet, so this change interrupts nothing. Once the Secrets are in the clusters, --switch makes ' +
      'the next keys those in use: both gateways then start again, and weft plan lists the steps. Where Liqo makes the ' +
      'keys (keys: { secrets: liqo }), prints the commands that make it do so. A stopped run is repeated.',
    args: [TOPOLOGY],
    options: [
      {
        long: 'link',
        value: 'X[/Y]',
        values: 'link',
        repeatable: true,
        description: 'the link of cluster X to Y, or every link of X (all: every link); may be repeated',
      },
      {
        long: 'older-than',
        value: 'DAYS',
        description: 'only links with a key of this age, such as 180d, or of an unknown age',
      },
      { long: 'switch', description: 'use the next keys of these links, or of all that have them' },
      ...SECRETS,
      { long: 'check', description: 'write nothing; exit 1 if there is a key to replace' },
      LOCK,
    ],
    examples: [
      ['weft keys rotate --link rome/milan --secrets-dir ~/next', 'make the next keys of one link'],
      ['weft keys rotate --switch', 'use the next keys of all links that have them'],
      ['weft keys rotate --older-than 180d --check', 'in a schedule: is a rotation due?'],
    ],
  },
  {
    name: 'identities collect',
    group: 'Live',
    summary: 'collect the identities that providers gave consumers',
    details:
      'Reads the Tenants of providers from dumps, from stdin or with kubectl, and checks every certificate. The public part ' +
      'goes into <stem>.identities.yaml, from which compile makes the Identities. A dump may name its cluster ' +
      '(milan=FILE); otherwise its cluster ID, its API server or its consumers identify the provider. An answer ' +
      'that cannot be used leaves the recorded one as it is, and the others are recorded. A dump with a secret is refused ' +
      'as a whole. Exit 1 when an answer of a provider that was asked is missing or refused.',
    args: [
      TOPOLOGY,
      {
        name: 'dump',
        required: false,
        variadic: true,
        description: 'CLUSTER=FILE, CLUSTER=FOLDER or - for stdin: the output of "kubectl get tenants -A -o yaml"',
        values: 'file',
      },
    ],
    options: [
      ...LIVE_ONCE_FROM,
      { long: 'check', description: 'write nothing; report whether every answer is recorded' },
      LOCK,
      output(FORMATS['identities collect']),
    ],
    examples: [
      ['weft identities collect --context milan --context turin', 'from two providers, through kubectl'],
      ['kubectl get tenants -A -o yaml | weft identities collect milan=-', 'from stdin'],
    ],
  },
  {
    name: 'pr',
    group: 'CI',
    summary: 'check a pull request, comment on it, or open one',
    details:
      'check answers whether a pull request may be merged; it includes weft validate and weft plan, and weft compile --check with --current. It decides addresses ' +
      'in memory, so that a pull request that edits only the topology passes. comment keeps one comment up to date. open commits the manifests and the lock to a branch of its own and keeps ' +
      'one pull request up to date, or closes it when nothing is left to do. The token is read from WEFT_TOKEN, ' +
      'GITHUB_TOKEN or GH_TOKEN, for GitLab from WEFT_TOKEN or GITLAB_TOKEN, for Gitea and Forgejo from WEFT_TOKEN, GITEA_TOKEN or FORGEJO_TOKEN; other settings from ' +
      'flags, or from the CI of the forge. Nothing is written or sent when the topology has errors.',
    args: [
      { name: 'mode', required: true, description: 'check, comment or open', values: ['check', 'comment', 'open'] },
      TOPOLOGY,
    ],
    options: [
      { long: 'repository', value: 'OWNER/NAME', values: 'anything', description: 'repository of the pull requests' },
      {
        long: 'forge',
        value: 'FORGE',
        values: FORGES,
        description: 'the kind of server (default: that of the CI, the one that origin points to, or github)',
      },
      { long: 'pull-request', value: 'NUMBER', values: 'anything', description: 'the pull request to comment on' },
      { long: 'into', value: 'BRANCH', values: 'anything', description: 'open: the branch to merge into' },
      {
        long: 'branch',
        value: 'BRANCH',
        values: 'anything',
        description:
          'open: the branch to push to (default: weft/<fleet>, with the base or the pull request in its name)',
      },
      {
        long: 'author',
        value: 'LOGIN',
        values: 'anything',
        description: 'comment: the owner of the token, if it cannot be read',
      },
      {
        long: 'base',
        value: 'REF',
        values: 'anything',
        description: 'the commit to compare with; check and comment need it',
      },
      {
        long: 'base-dir',
        value: 'DIR',
        values: 'folder',
        description: 'plan from this folder, with the same paths as the working folder',
      },
      {
        long: 'all',
        description: 'every topology: topology.yaml and those in topologies/, each with bundles in its own folder',
      },
      {
        long: 'stage',
        value: 'DIR',
        values: 'folder',
        description:
          'open: propose the next state of weft plan --steps DIR, once all clusters are as the present one has them',
      },
      ...LIVE,
      { long: 'current', description: 'check: fail unless the lock and the bundles are current, like compile --check' },
      { long: 'plan-json', value: 'FILE', values: 'file', description: 'write the plan to FILE, for programs' },
      DIFF,
      {
        long: 'report',
        value: 'DIR',
        values: 'folder',
        description: 'check, comment: write the fleet before and after as a page, DIR/weft-report.html',
      },
      { long: 'out', value: 'DIR', values: 'folder', description: 'folder of the bundles (default: out)' },
      LOCK,
      ALLOW_DESTROY,
      MAX_REMOVED,
      { long: 'force', description: 'open: create the branch again; commits of others on it are lost' },
      {
        long: 'plan-id',
        value: 'ID',
        values: 'anything',
        description: 'check, open: stop unless the plan is the one that was reviewed',
      },
      { long: 'title', value: 'TEXT', values: 'anything', description: 'open: the title of a new pull request' },
      {
        long: 'body-prefix',
        value: 'MARKDOWN',
        values: 'anything',
        description: 'open: text above the plan in the pull request',
      },
      { long: 'commit-message', value: 'TEXT', values: 'anything', description: 'open: the message of the commits' },
      {
        long: 'labels',
        value: 'A,B',
        values: 'anything',
        description: 'open: labels of a new pull request, with commas or line breaks between them',
      },
      { long: 'reviewers', value: 'A,B', values: 'anything', description: 'open: logins to request a review from' },
      {
        long: 'team-reviewers',
        value: 'A,B',
        values: 'anything',
        description: 'open: teams to request a review from, by slug',
      },
      {
        long: 'assignees',
        value: 'A,B',
        values: 'anything',
        description: 'open: logins to assign a new pull request to',
      },
      { long: 'draft', description: 'open: a new pull request is a draft' },
      {
        long: 'delete-branch',
        description: 'open: delete the branch when nothing is left to merge, unless others have commits on it',
      },
      { long: 'signoff', description: 'open: add "Signed-off-by" with the owner of the token to each commit' },
      output(FORMATS.pr),
    ],
    examples: [
      ['weft pr check --base origin/main', 'what this branch changes, and whether that is allowed'],
      ['weft pr open --repository acme/fleet --into main', 'the pull request with the manifests'],
    ],
  },
  {
    name: 'translate',
    group: 'More',
    summary: 'show the endpoints of one cluster as another gets them',
    details:
      'Reads EndpointSlices (YAML or JSON, one or many, lists too) or bare IPv4 addresses on stdin, and prints them as ' +
      'Liqo translates them: through the hub, with the direct connections of 1.2, and with the shortcuts of the fork. An ' +
      'address with a question mark is one that Liqo chooses at run time. Slices come out as YAML without their ' +
      "namespace, which the hub's offloading decides; addresses as a table.",
    args: [TOPOLOGY],
    options: [
      {
        long: 'in',
        value: 'CLUSTER',
        values: 'cluster',
        description: 'the cluster of the endpoints, usually the hub (required)',
      },
      { long: 'for', value: 'CLUSTER', values: 'cluster', description: 'the cluster that receives them (required)' },
      {
        long: 'way',
        value: 'WAY',
        values: ['hub', 'direct', 'shortcut'],
        description: 'print only this way (default: all)',
      },
      { long: 'explain', description: 'print the reasons for each address' },
      LOCK,
      output(FORMATS.translate),
    ],
    examples: [
      ['kubectl get endpointslices -o yaml | weft translate --in europe --for rome', 'as rome receives them'],
      ['echo 10.63.0.151 | weft translate --in europe --for rome --explain', 'one address, with reasons'],
    ],
  },
  {
    name: 'completion',
    group: 'More',
    summary: 'print a completion script for a shell',
    details: 'The script runs "weft completion clusters", which prints the names of clusters.',
    args: [
      {
        name: 'shell',
        required: true,
        description: 'bash, zsh, fish or powershell; or clusters, for the names that they offer',
        values: ['bash', 'zsh', 'fish', 'powershell', 'clusters'],
      },
      {
        name: 'word',
        required: false,
        variadic: true,
        description: 'with clusters: the words after weft',
        values: 'anything',
      },
    ],
    options: [],
    examples: [['source <(weft completion bash)', 'complete in this shell']],
  },
] as const satisfies readonly CommandSpec[];

/** Options of every command. */
export const GLOBAL_OPTIONS = [
  { long: 'quiet', short: 'q', description: 'print only errors' },
  { long: 'verbose', short: 'v', description: 'show every warning and note, also repeated ones' },
  { long: 'color', value: 'WHEN', values: ['auto', 'always', 'never'], description: 'when to use colour' },
  { long: 'debug', description: 'print the stack if weft itself fails' },
] as const satisfies readonly OptionSpec[];
