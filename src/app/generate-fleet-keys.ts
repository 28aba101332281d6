import { dirname } from 'node:path';
import type { Sources } from '../compile.ts';
import { bug } from '../diagnostics/bug.ts';
import type { SecretsFolder, SecretsResult } from '../disk/write-secrets.ts';
import type { KeyPair, PublicKeys } from '../keys/gateway.ts';
import { generateKeys } from '../keys/generate-keys.ts';
import { missingKeys } from '../keys/missing-keys.ts';
import { parseKeys } from '../topology/parse-keys.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { TopologyFiles } from './find-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

interface KeysRequest extends TopologyRequest {
  /** Only gateways of these clusters; empty for all. */
  readonly clusters: readonly string[];
  /** The target of the private halves. */
  readonly secrets: SecretsTarget;
}

export type SecretsTarget =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'stream' }
  /** A terminal, whose history would keep the keys. */
  | { readonly kind: 'terminal' };

interface KeysPorts {
  readonly files: FileReader;
  readonly keys: KeyStore;
  /** False if the reader closed the stream early. */
  readonly writeStream: (text: string) => Promise<boolean>;
}

export interface KeyStore {
  /** `null` for a folder in the git repository of the topology. */
  readonly secretsFolder: (folder: string, topology: string) => SecretsFolder | null;
  readonly writeSecrets: (folder: SecretsFolder, secrets: ReadonlyMap<string, string>) => Promise<SecretsResult>;
  readonly writeKeysFile: (path: string, text: string) => Promise<void>;
  readonly newKeyPair: () => KeyPair;
}

type KeysResult =
  | Unanswered
  | { readonly kind: 'none-missing'; readonly files: TopologyFiles }
  | {
      readonly kind: 'generated';
      readonly files: TopologyFiles;
      /** How many gateways and clusters got Secrets. */
      readonly counts: { readonly secrets: number; readonly clusters: number };
      readonly delivered: Delivered;
    };

type Delivered =
  | { readonly kind: 'folder'; readonly folder: string; readonly files: number }
  | { readonly kind: 'stream' };

/** Generates WireGuard key pairs for gateways without one, delivers the private halves and records the public ones. */
export async function generateFleetKeys(ports: KeysPorts, request: KeysRequest): Promise<KeysResult> {
  const { clusters } = request;
  const topology = await compileTopology(ports.files, request, { only: [], clusters, withoutAssertions: true });
  if (topology.kind !== 'compiled') return topology;
  const { files, sources } = topology;
  const { model } = topology.compiled;
  const missing = missingKeys(model, clusters.length === 0 ? null : clusters);
  if (missing.length === 0) return { kind: 'none-missing', files };
  const { keysFile, secrets } = generateKeys({
    missing,
    recorded: recordedKeys(sources),
    secretName: model.fleet.keySecretName,
    newPair: ports.keys.newKeyPair,
  });
  // First the private halves, then the public ones: a crash in between leaves unused Secrets, but never a public key whose
  // private half is lost.
  const delivered = await deliver(ports, request.secrets, { secrets, topology: files.topology });
  if ('refusal' in delivered) return { kind: 'refused', refusal: delivered.refusal };
  await ports.keys.writeKeysFile(files.keys, keysFile);
  return { kind: 'generated', files, counts: { secrets: missing.length, clusters: secrets.size }, delivered };
}

interface Delivery {
  /** By cluster. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly topology: string;
}

async function deliver(
  ports: KeysPorts,
  target: SecretsTarget,
  { secrets, topology }: Delivery,
): Promise<Delivered | { readonly refusal: Refusal }> {
  switch (target.kind) {
    case 'terminal':
      return { refusal: { kind: 'secrets-on-terminal', folder: dirname(topology) } };
    case 'stream': {
      const wasRead = await ports.writeStream([...secrets.values()].join(''));
      return wasRead ? { kind: 'stream' } : { refusal: { kind: 'secrets-not-read' } };
    }
    case 'folder': {
      const { folder } = target;
      const found = ports.keys.secretsFolder(folder, topology);
      if (found === null) return { refusal: { kind: 'secrets-in-repository', folder, topology } };
      const written = await ports.keys.writeSecrets(found, secrets);
      if (written.kind === 'exists') return { refusal: { kind: 'secrets-exist', path: written.path } };
      return { kind: 'folder', folder: found.typed, files: written.paths.length };
    }
  }
}

function recordedKeys({ keys }: Sources): PublicKeys {
  if (keys === undefined) return new Map();
  const parsed = parseKeys(keys);
  if (!parsed.ok) return bug(`${keys.path} was compiled with, and cannot be read`);
  const byCluster = parsed.value.reading.at('keys').entries();
  return new Map(byCluster.map(({ name, value }) => [name.value, new Map(Object.entries(value.textMap()))]));
}
