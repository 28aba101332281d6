/**
 * The permissions of each room of `src/`. A room without a row may use nothing, and only named things are allowed: a
 * new arrow, package or global is argued for in the commit that adds it.
 */
export interface Room {
  /** Other rooms, and `generated/`. */
  readonly imports: readonly string[];
  /** Packages from npm. */
  readonly packages: readonly string[];
  /** Modules of Node, without `node:`. */
  readonly builtins: readonly string[];
  /** Globals that are no part of the language, and the parts of the language whose answer changes from run to run. */
  readonly globals: readonly string[];
}

type Outside = Partial<Omit<Room, 'imports'>>;

/** A room whose output follows from its input alone. */
const pure = (imports: readonly string[], packages: readonly string[] = []): Room => ({
  imports,
  packages,
  builtins: [],
  globals: [],
});

/** A room that meets the outside world. */
const edge = (imports: readonly string[], { packages = [], builtins = [], globals = [] }: Outside): Room => ({
  imports,
  packages,
  builtins,
  globals,
});

/** The nine wings in the order of the data; a room imports only rooms of its own wing and of wings above it. */
export const WINGS = {
  base: {
    net: pure([], ['ip-num']),
    // Identities, paths, order and words that several rooms share; a lock key holds a network.
    core: pure(['net']),
    text: pure(['generated'], ['handlebars/runtime.js']),
    // Hashes and signatures, from Node or from packages that need no Node: package.json, `imports`. Only deterministic
    // functions of crypto: test/base/cryptography/deterministic.test.ts.
    cryptography: edge([], {
      packages: ['@noble/curves/ed25519.js', '@noble/curves/nist.js', '@noble/hashes/sha2.js'],
      builtins: ['crypto'],
      globals: ['Buffer'],
    }),
    source: pure(['core'], ['jsonc-parser', 'yaml']),
    // No text of a diagnostic shows a secret, or hides a character.
    diagnostics: pure(['core', 'source']),
    // Facts about Liqo, release by release, with their sources.
    releases: pure([]),
    // The types of files that follow their schema. Generated, and committed.
    'schema-types': pure([]),
    // Validators, templates and pages, as their compilers print them.
    generated: edge(['schema-types'], { packages: ['ajv'] }),
  },
  fleet: {
    topology: pure(['core', 'diagnostics', 'generated', 'net', 'releases', 'schema-types', 'source']),
    // Checks that a recorded network is one.
    lock: pure(['core', 'diagnostics', 'generated', 'net', 'schema-types', 'source']),
    model: pure(['core', 'diagnostics', 'lock', 'net', 'releases', 'source', 'topology']),
    ipam: pure(['core', 'diagnostics', 'lock', 'model', 'net', 'releases', 'source']),
    certificates: pure(['core', 'cryptography']),
    // Lenders and borrowers: names, keys and answers resolved, and the rules about them.
    sharing: pure(['certificates', 'core', 'diagnostics', 'ipam', 'model', 'net', 'releases', 'source', 'topology']),
    // The connections that may cross closed links: names, addresses and offloaded namespaces resolved, and the rules about them.
    boundaries: pure(['core', 'diagnostics', 'ipam', 'net', 'releases', 'sharing', 'source', 'topology']),
    keys: pure(['certificates', 'core', 'diagnostics', 'model', 'sharing', 'text']),
  },
  bundle: {
    // The user of a slice has a hash in its name, which certificates/ knows.
    liqo: pure(['certificates', 'core', 'ipam', 'model', 'net', 'releases', 'sharing', 'text']),
    nftables: pure(['core', 'ipam', 'model', 'net', 'releases']),
    // The names of the prober, whose namespace the project of Argo CD allows.
    gitops: pure(['boundaries', 'conformance', 'core', 'ipam', 'model', 'releases', 'sharing', 'text']),
    // Limits of connections between clusters: policies of Kubernetes, and fences of gateways.
    enforcement: pure(['boundaries', 'core', 'ipam', 'liqo', 'net', 'nftables', 'releases']),
    // The prober of a cluster, with which `weft conformance` dials.
    conformance: pure(['ipam', 'liqo', 'model']),
    // Objects of another project than Liqo, printed like those of liqo/.
    monitoring: pure(['core', 'ipam', 'liqo', 'model', 'releases']),
    // Two files at one path are a bug, which diagnostics/ throws.
    emit: pure([
      ...[
        'boundaries',
        'conformance',
        'core',
        'diagnostics',
        'enforcement',
        'gitops',
        'ipam',
        'liqo',
        'model',
        'monitoring',
        'net',
        'nftables',
        'schema-types',
        'sharing',
      ],
    ]),
  },
  reach: {
    // The owner of an address. A packet is routed by its destination's owner in a cluster, so trace/ reads it.
    whois: pure(['core', 'ipam', 'model', 'net', 'releases', 'sharing']),
    // Assertions are decided by walking, and a broken one is a mistake with a place: hence diagnostics/.
    trace: pure([
      ...['boundaries', 'core', 'diagnostics', 'enforcement', 'ipam', 'model', 'net', 'nftables', 'releases'],
      ...['sharing', 'source', 'whois'],
    ]),
    // Which shortcuts the fork lists is decided in liqo/, which lowers them.
    translate: pure(['core', 'diagnostics', 'ipam', 'liqo', 'model', 'net', 'releases', 'source']),
    // Which endpoints of a Service a cluster reaches: what the consumer reflects, then a walk. Assertions about Services are
    // decided by the same paths.
    services: pure([
      ...['core', 'diagnostics', 'ipam', 'model', 'net', 'releases', 'sharing', 'topology', 'trace', 'translate'],
    ]),
    // The consequences for pairs, Services and assertions when parts of a fleet fail, by the paths that other rooms find.
    // Assertions that hold without a part are decided here, too. Closed links let in other ports on another way.
    whatif: pure([
      ...['boundaries', 'core', 'diagnostics', 'ipam', 'model', 'net', 'services', 'sharing', 'topology', 'trace'],
    ]),
    // Ports that firewalls between clusters must open: facts of links and loans, and whether the lock keeps a port.
    ports: pure(['core', 'lock', 'model', 'net', 'releases', 'sharing']),
    // The view of the others in one cluster, with what may enter it, and the places of the entries that say so.
    view: pure(['boundaries', 'core', 'ipam', 'model', 'net', 'sharing', 'source']),
    // Receivers must see the result of the walk, and gateways load the emitted text.
    lab: pure([
      ...['boundaries', 'core', 'enforcement', 'ipam', 'model', 'net', 'nftables', 'releases', 'text', 'trace'],
    ]),
    // The addresses that probers of live clusters dial, as the walk predicts them, and the meaning of their answers.
    // Assertions about Services name namespaces, and their packets take the paths of endpoints.
    probes: pure([
      ...['conformance', 'core', 'ipam', 'model', 'net', 'services', 'sharing', 'text', 'topology', 'trace'],
    ]),
  },
  plan: {
    // Both sides of a plan are read from files, and addresses.json is checked against its schema; what no file contains comes
    // from the model. Assertions and acceptances are declared in topologies.
    plan: pure([
      ...['core', 'diagnostics', 'generated', 'ipam', 'model', 'net', 'releases', 'schema-types', 'source', 'topology'],
    ]),
    // The lines that differ between two sides of a plan, by object. It reads texts, and knows nothing of what they mean.
    diff: pure(['core'], ['diff']),
  },
  proof: {
    // Reads back what was emitted. No arrow to a room that decides or emits: the proof shares no code with what it proves.
    // Signatures and certificates it reads itself.
    verify: pure(['core', 'cryptography', 'diagnostics', 'lock', 'net', 'releases', 'source', 'topology']),
    // Checks that the files of a pull request come from its topology or its base. verify/ finds the effect of an edit
    // in the compiled files with that edit, and a lock may change the plan.
    provenance: pure(['core', 'diagnostics', 'net', 'plan', 'source', 'topology', 'verify']),
  },
  live: {
    // Dumps of clusters. A mistake in one is a diagnostic, whose text shows no value of it. Which peers a
    // cluster has, labels show; the script that dumps clusters is a template.
    dumps: pure(['core', 'diagnostics', 'releases', 'source', 'text']),
    // Typed facts about the network of a live cluster from its objects, without checks. A text is a network of the
    // cluster if it is one at all. Fences and policies have the names that weft gives them.
    facts: pure(['core', 'dumps', 'enforcement', 'net', 'releases']),
    // A key is made together with everything that it signs: no later run has its private half.
    // The answers of providers in dumps, checked, as the identities file; what is wrong with a recorded one has its place there.
    identities: pure([
      ...['certificates', 'core', 'diagnostics', 'dumps', 'facts', 'sharing', 'source', 'text', 'topology'],
    ]),
    // The public keys of gateways in dumps, checked. A recorded key is never replaced unasked.
    'public-keys': pure(['core', 'diagnostics', 'facts', 'keys', 'model', 'releases', 'source']),
    // Decisions of live clusters as decisions of the lock. The order of joining that explains their views is found with
    // the allocators of ipam/; a decision that cannot be kept is a diagnostic.
    adopt: pure(['core', 'diagnostics', 'ipam', 'lock', 'model', 'net']),
    // Faults of links in the facts of live clusters; views of adopt/ that a model cannot have; and rules that are not
    // those of nftables/ for its views. Import and drift word it for their readers; texts of look-ups are here, and those about
    // objects of others, which come before or behind the chains of a fence.
    problems: pure([
      'adopt',
      'core',
      'diagnostics',
      'dumps',
      'enforcement',
      'facts',
      'ipam',
      'net',
      'nftables',
      'releases',
    ]),
    // The pod of a prober that may be dialled: its names are those of bundles, and its address is one of the cluster's pods.
    probers: pure(['conformance', 'core', 'diagnostics', 'facts', 'ipam', 'net', 'source']),
    // The promises of bundles are read from their texts, like GitOps tools do, and compared with dumps. The effect of a
    // difference comes from the model: whose view it is, who dials it, which end has which key.
    drift: pure([
      'core',
      'diagnostics',
      'ipam',
      'dumps',
      'facts',
      'model',
      'net',
      'problems',
      'releases',
      'sharing',
      'source',
    ]),
    // A topology that describes live clusters, as a person would have written it; its scalars are printed like those of
    // bundles. The records of loans are read with the functions that check it when it is compiled. Which end serves a
    // shortcut that the fork's operator uses is decided in model/; templates are objects of live/; what would change,
    // which drift/ finds, is put in order of its reasons.
    import: pure([
      ...[
        'adopt',
        'certificates',
        'core',
        'diagnostics',
        'drift',
        'emit',
        'identities',
        'dumps',
        'model',
        'net',
        'facts',
        'problems',
      ],
      // The defaults of a topology, which import omits, are declared where it is read.
      ...['releases', 'schema-types', 'sharing', 'source', 'topology'],
    ]),
    // Clusters of other programs, as the clusters of a topology: checked like those, and printed like those of an import. Texts may
    // contain secrets, which dumps/ hides. The keys that a table may have are those of the topology.
    inventory: pure([
      'core',
      'diagnostics',
      'dumps',
      'emit',
      'generated',
      'import',
      'net',
      'source',
      'text',
      'topology',
    ]),
    // Live clusters in the form of the bundles that would describe them: promises with the live values in their place.
    preflight: pure(['core', 'drift', 'emit', 'dumps', 'net', 'facts', 'releases', 'schema-types', 'source']),
    // Checks of a link, with the expected values: names as liqo/ lowers them, rules as nftables/ does.
    runbook: pure(['diagnostics', 'ipam', 'liqo', 'model', 'net', 'nftables', 'releases']),
  },
  answers: {
    // Pictures of a fleet, in the languages of programs that draw them. An edge leads to a node, or it is a bug.
    graph: pure(
      ['boundaries', 'core', 'diagnostics', 'ipam', 'model', 'net', 'plan', 'sharing', 'trace', 'view'],
      ['elkjs/lib/elk.bundled.js'],
    ),
    report: pure(
      [
        ...[
          'core',
          'diagnostics',
          'diff',
          'drift',
          'problems',
          'graph',
          'identities',
          'keys',
          'public-keys',
          'import',
          'inventory',
          'ipam',
          'lab',
          'dumps',
          'model',
          'net',
          'plan',
          'ports',
          'probes',
          'releases',
          'runbook',
          'services',
          'sharing',
          'source',
          'trace',
          'translate',
          'view',
          'whatif',
          'whois',
        ],
      ],
      ['get-east-asian-width'],
    ),
  },
  host: {
    // The only room that meets files, folders and git, but for sockets and processes of a lab. It knows no topology.
    disk: edge(['core', 'diagnostics'], {
      builtins: ['child_process', 'crypto', 'fs', 'fs/promises', 'os', 'path', 'timers/promises', 'worker_threads'],
      globals: [
        'Atomics',
        'Buffer',
        'Date',
        'SharedArrayBuffer',
        'TextDecoder',
        'clearTimeout',
        'performance',
        'process',
        'setImmediate',
        'setTimeout',
      ],
    }),
    // Runs the user's kubectl, which reads from clusters, and dials from probers; of disk/ it takes the errors of the system.
    kubectl: edge(['core', 'disk'], {
      builtins: ['child_process'],
      globals: ['Buffer', 'TextDecoder', 'clearTimeout', 'setImmediate', 'setTimeout'],
    }),
    // Carries out a plan of lab/ on this machine.
    'lab-host': edge(['core', 'disk', 'lab', 'net'], {
      builtins: ['child_process', 'crypto', 'dgram', 'fs', 'fs/promises', 'net', 'path', 'timers/promises'],
      globals: ['clearInterval', 'clearTimeout', 'performance', 'process', 'setInterval', 'setTimeout'],
    }),
    // The protocol of proposals and comments, for every forge. A pull request shows a printed plan, in a template.
    // Names of objects of git are hashes.
    forge: edge(['core', 'diagnostics', 'plan', 'report', 'text'], { globals: ['TextEncoder', 'crypto'] }),
    // Connections to forges: proxies, waiting, and secrets that must not be printed. An unusable proxy is an error of a
    // forge.
    http: edge(['core', 'forge'], {
      // Node's own fetch ignores proxies; undici's does not, and is loaded for a proxy only.
      packages: ['undici'],
      globals: ['AbortSignal', 'Request', 'URL', 'fetch'],
    }),
    // The half of a forge that any server with git has, by git in a temporary repository. From disk/ it uses git's form
    // of names, the cleanup, and the errors of the machine.
    'git-remote': edge(['core', 'diagnostics', 'disk', 'forge', 'http'], {
      builtins: ['child_process', 'fs', 'fs/promises', 'os', 'path', 'tls'],
      globals: ['Buffer', 'TextDecoder'],
    }),
    // GitHub behind the interface of forge/.
    github: edge(['forge', 'http'], { packages: ['@octokit/rest'], globals: ['TextDecoder', 'atob', 'fetch'] }),
    // Gitea and Forgejo behind the same interface: their API, and git for content. GitLab behind the same interface:
    // its API, and git for content. A note that was not read before is a bug.
    gitlab: edge(['diagnostics', 'forge', 'git-remote', 'http'], { globals: ['URL'] }),
    gitea: edge(['forge', 'git-remote', 'http'], { globals: ['URL'] }),
    // The exports of the package: texts in, documents out. It needs no Node, and shows no type of weft's own.
    library: pure([
      ...['compile.ts', 'core', 'diagnostics', 'generated', 'graph', 'ipam', 'keys', 'lock', 'plan', 'ports', 'report'],
      ...['source', 'topology', 'trace', 'verify', 'view', 'whatif', 'whois'],
    ]),
    // Use cases, which the command line and the Action share. It knows no flags, no colours and no exit codes. A cache is
    // asked for the folders of a bundle before emit/ prints them.
    app: edge(
      [
        ...[
          'adopt',
          'emit',
          'compile.ts',
          'conformance',
          'core',
          'diagnostics',
          'diff',
          'disk',
          'drift',
          'problems',
          'generated',
          'forge',
          'graph',
          'import',
          'inventory',
          'public-keys',
          'identities',
          'ipam',
          'keys',
          'kubectl',
          'lab',
          'lab-host',
          'dumps',
          'lock',
          'plan',
          'ports',
          'preflight',
          'probers',
          'probes',
          'releases',
        ],
        ...[
          'facts',
          'page',
          'provenance',
          'report',
          'runbook',
          'schemas',
          'services',
          'sharing',
          'source',
          'text',
          'topology',
          'trace',
          'translate',
        ],
        ...['verify', 'view', 'whatif', 'whois'],
      ],
      { builtins: ['path'], globals: ['AbortController'] },
    ),
    // The page of a fleet, in a browser: the compiler in a worker, and what people see of it. Its answers are those of answers/.
    // The playground compiles drafts, prints records of bundles, and shows what differs between them.
    page: edge(
      [
        ...['certificates', 'compile.ts', 'core', 'cryptography', 'diagnostics', 'diff', 'emit', 'generated', 'graph'],
        ...['identities', 'ipam', 'library', 'model', 'net', 'plan', 'ports', 'report', 'schemas', 'sharing', 'source'],
        ...['topology', 'trace', 'view', 'whatif'],
      ],
      {
        packages: [
          ...['preact', 'preact/hooks', 'fflate', '@lezer/highlight'],
          ...['autocomplete', 'commands', 'lang-yaml', 'language', 'lint', 'state', 'view'].map(
            (it) => `@codemirror/${it}`,
          ),
        ],
        globals: [
          ...['Blob', 'CompressionStream', 'DOMParser', 'Date', 'DecompressionStream', 'FormData', 'Response'],
          ...['TextDecoder', 'TextEncoder', 'URL', 'Worker', 'WritableStream', 'addEventListener', 'atob', 'btoa'],
          ...['clearTimeout', 'performance', 'postMessage', 'removeEventListener', 'setTimeout'],
        ],
      },
    ),
    // Compiling again at each edit: the watched folders, and the memory between runs. The caller passes the run in.
    watch: edge(['app', 'compile.ts', 'disk', 'emit', 'ipam', 'source', 'topology'], {
      builtins: ['fs', 'path'],
      globals: ['clearTimeout', 'setTimeout'],
    }),
    // Shared by the command line and the Action: the process around them, and printing. It puts data into a page.
    front: edge(
      ['app', 'core', 'diagnostics', 'disk', 'forge', 'gitea', 'github', 'gitlab', 'http', 'page', 'plan', 'report'],
      {
        builtins: ['crypto', 'path', 'timers', 'timers/promises', 'v8'],
        // The address of a clone names its forge: URL. Progress is shown after a moment: timers.
        globals: ['Date', 'URL', 'clearTimeout', 'process', 'setTimeout'],
      },
    ),
    // Inputs of the GitHub Action, as requests.
    action: edge(['front'], { builtins: ['path'], globals: ['import.meta', 'process'] }),
    // Arguments of the command line, as requests.
    cli: edge(
      [
        ...['app', 'core', 'diagnostics', 'disk', 'emit', 'front', 'http', 'plan', 'ports', 'report'],
        'source',
        ...['text', 'trace', 'translate', 'view', 'watch', 'whois'],
      ],
      {
        packages: ['commander'],
        builtins: ['path'],
        globals: ['process'],
      },
    ),
    // The built program, and the code of it that V8 compiled in earlier runs. dist: the command starts what is built.
    start: edge(['app', 'cli', 'disk', 'dist', 'front'], {
      builtins: ['fs', 'path', 'v8', 'vm', 'zlib'],
      globals: ['Buffer', 'Date', '__dirname', 'import.meta', 'process', 'require'],
    }),
    build: edge(['core', 'generated', 'graph', 'ipam', 'net', 'releases'], {
      packages: [
        ...['ajv', 'ajv/dist/2020.js', 'ajv/dist/standalone/index.js', 'esbuild', 'handlebars', 'marked', 'yaml'],
        ...['ip-num', 'ip-num/dist/src/Validator.js', 'json-schema-to-typescript'],
      ],
      // git, for the commit in `weft --version`; crypto and zlib, for the policy and the size of the page, and with fs for the names of
      // what they export; Date, for that of a release.
      builtins: ['child_process', 'crypto', 'fs', 'fs/promises', 'module', 'path', 'url', 'zlib'],
      globals: ['Buffer', 'Date', 'console', 'import.meta', 'module', 'process'],
    }),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Room>>>>;

/** Every room by its name, which no other wing has; and what is in no wing. */
export const ROOMS: Readonly<Record<string, Room>> = {
  ...WINGS.base,
  ...WINGS.fleet,
  ...WINGS.bundle,
  ...WINGS.reach,
  ...WINGS.plan,
  ...WINGS.proof,
  ...WINGS.live,
  ...WINGS.answers,
  ...WINGS.host,
  'compile.ts': pure([
    ...[
      'boundaries',
      'core',
      'diagnostics',
      'emit',
      'ipam',
      'keys',
      'lock',
      'model',
      'services',
      'sharing',
      'source',
      'topology',
      'trace',
      'whatif',
    ],
  ]),
};
