import { parse } from 'yaml';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { readVector, readVectorLines } from '../../support/vectors.ts';

/** A Kubernetes object as it was recorded. */
export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

export interface SharingRecording {
  /** `two-providers v1.2.0` */
  readonly name: string;
  readonly compiled: Compiled;
  /** The applied objects of a cluster, by its name. */
  readonly input: ReadonlyMap<string, readonly RecordedObject[]>;
  /** Its objects at rest. */
  readonly after: ReadonlyMap<string, readonly RecordedObject[]>;
}

const ONE = `
sharing:
  - { consumer: rome, provider: milan, name: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }
offloading:
  - { cluster: rome, namespace: demo, to: [milan] }
`;

/** The releases of which the reconcilers were recorded. */
export const SHARING_RELEASES = ['v1.0.0', 'v1.0.3', 'v1.1.2', 'v1.2.0'];

/** The loans and offloaded namespaces of the recorded fleets. They were recorded without links. */
const WISHES: Readonly<Record<string, string>> = {
  'one-provider': ONE,
  'two-providers': `
sharing:
  - { consumer: rome, provider: milan, name: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }
  - consumer: rome
    provider: turin
    name: turin
    resources: { cpu: 2.5, memory: 6144Mi, pods: 50, nvidia.com/gpu: 1 }
offloading:
  - { cluster: rome, namespace: demo, to: [milan, turin] }
  - { cluster: rome, namespace: batch, to: [turin], pods: Remote, remoteName: batch }
`,
  credentials: ONE.replace('name: milan,', 'name: milan, auth: credentials,'),
};

/** Every recorded fleet, compiled from the same wishes, keys and answers. */
export const sharingRecordings = (): readonly SharingRecording[] =>
  SHARING_RELEASES.flatMap((release) => Object.keys(WISHES).map((fleet) => readRecording(release, fleet)));

/** A file of a recorded fleet, and the releases in which it has this text. */
export interface SharingFile {
  /** `input/rome/15-namespace-demo.yaml` */
  readonly path: string;
  readonly releases: readonly string[];
  readonly text: string;
}

/** The files of a fleet as the reconcilers of Liqo left it. */
export const sharingFiles = (fleet: string): readonly SharingFile[] =>
  readVectorLines(`sharing/${fleet}.jsonl`) as readonly SharingFile[];

function readRecording(release: string, fleet: string): SharingRecording {
  const files = sharingFiles(fleet).filter((it) => it.releases.includes(release));
  const input = readClusters(files, 'input');
  const clusters = ['rome', 'milan', 'turin'].map((it, index) => `  ${it}: { podCIDR: 10.${200 + index}.0.0/16 }\n`);
  const topology = `
version: 1
name: europe
liqo: { version: "${release.slice(1)}" }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
${clusters.join('')}${WISHES[fleet]}`;
  const outcome = compile(
    {
      topology: { path: 'topology.yaml', text: topology },
      keys: { path: 'topology.keys.yaml', text: JSON.stringify(keysOf(input)) },
      identities: { path: 'topology.identities.yaml', text: JSON.stringify(identitiesOf(input)) },
      lock: undefined,
    },
    { relock: [], only: null },
  );
  if (!outcome.ok) throw new Error(printDiagnostics(outcome.diagnostics, { paint: plainPaint, verbose: true }));
  return { name: `${fleet} ${release}`, compiled: outcome.value, input, after: readClusters(files, 'after') };
}

/** The record of rome's key by `weft keys generate`. */
function keysOf(input: SharingRecording['input']): unknown {
  const example = JSON.parse(readVector('sharing/worked-example.json')) as Record<string, string>;
  const slices = (input.get('rome') ?? []).filter((it) => it.kind === 'ResourceSlice');
  return {
    version: 1,
    keys: {},
    authentication: {
      rome: {
        publicKey: example['publicKeyRawBase64'],
        nonce: example['nonce'],
        signature: example['signatureBase64'],
        request: Buffer.from(example['controlPlaneCsrPem'] ?? '').toString('base64'),
        slices: Object.fromEntries(slices.map((it) => [it.metadata.name, specOf(it)['csr']])),
      },
    },
  };
}

/** The records of `weft identities collect`. */
function identitiesOf(input: SharingRecording['input']): unknown {
  const identities = (input.get('rome') ?? []).filter((it) => it.kind === 'Identity').map(specOf);
  const answers = identities.map(({ clusterID, authParams }) => {
    const { apiServer, ca, signedCRT } = authParams as Record<string, string>;
    return [clusterID, { apiServer, ca, certificate: signedCRT }] as const;
  });
  return { version: 1, identities: { rome: Object.fromEntries(answers) } };
}

const specOf = (it: RecordedObject) => it['spec'] as Record<string, unknown>;

/** The objects of each cluster, in the order of their files. */
function readClusters(files: readonly SharingFile[], state: 'input' | 'after'): SharingRecording['input'] {
  const clusters = new Map<string, RecordedObject[]>();
  for (const { path, text } of files) {
    const [folder, cluster = ''] = path.split('/');
    if (folder !== state) continue;
    clusters.set(cluster, [...(clusters.get(cluster) ?? []), parse(text) as RecordedObject]);
  }
  return clusters;
}
