import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { type Compiled, compile } from '../../../src/compile.ts';

/** Fleets as the reconcilers of Liqo left them; see the README beside them. */
const RECORDED = new URL('../../../../shared/vectors/sharing/', import.meta.url).pathname;

export const sharingRecordingsAvailable = (): boolean => existsSync(RECORDED);

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
  /** What a cluster was given, by its name. */
  readonly input: ReadonlyMap<string, readonly RecordedObject[]>;
  /** What was in it when nothing moved any more. */
  readonly after: ReadonlyMap<string, readonly RecordedObject[]>;
}

const ONE = `
sharing:
  - { consumer: rome, provider: milan, name: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }
offloading:
  - { cluster: rome, namespace: demo, to: [milan] }
`;

/** What the recorded fleets share and offload. They were recorded without links. */
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
export function sharingRecordings(): readonly SharingRecording[] {
  if (!sharingRecordingsAvailable()) return [];
  return ['v1.0.0', 'v1.0.3', 'v1.1.2', 'v1.2.0'].flatMap((release) =>
    Object.keys(WISHES).map((fleet) => readRecording(release, fleet)),
  );
}

function readRecording(release: string, fleet: string): SharingRecording {
  const folder = join(RECORDED, release, fleet);
  const input = readClusters(join(folder, 'input'));
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
      keys: { path: 'topology.keys.yaml', text: JSON.stringify(keysOf(input, RECORDED)) },
      identities: { path: 'topology.identities.yaml', text: JSON.stringify(identitiesOf(input)) },
      lock: undefined,
    },
    { relock: [], only: null },
  );
  if (!outcome.ok) throw new Error(printDiagnostics(outcome.diagnostics, { paint: plainPaint, verbose: true }));
  return { name: `${fleet} ${release}`, compiled: outcome.value, input, after: readClusters(join(folder, 'after')) };
}

/** What `weft keys generate` would have recorded of the key of rome. */
function keysOf(input: SharingRecording['input'], folder: string): unknown {
  const example = JSON.parse(readFileSync(join(folder, 'worked-example.json'), 'utf8')) as Record<string, string>;
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

/** What `weft identities collect` would have recorded. */
function identitiesOf(input: SharingRecording['input']): unknown {
  const identities = (input.get('rome') ?? []).filter((it) => it.kind === 'Identity').map(specOf);
  const answers = identities.map(({ clusterID, authParams }) => {
    const { apiServer, ca, signedCRT } = authParams as Record<string, string>;
    return [clusterID, { apiServer, ca, certificate: signedCRT }] as const;
  });
  return { version: 1, identities: { rome: Object.fromEntries(answers) } };
}

const specOf = (it: RecordedObject) => it['spec'] as Record<string, unknown>;

function readClusters(folder: string): SharingRecording['input'] {
  return new Map(
    readdirSync(folder).map((cluster) => {
      const files = readdirSync(join(folder, cluster)).sort();
      return [cluster, files.map((it) => parse(readFileSync(join(folder, cluster, it), 'utf8')) as RecordedObject)];
    }),
  );
}
