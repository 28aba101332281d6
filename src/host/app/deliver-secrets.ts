import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Delivered } from '../../answers/report/print-made-keys.ts';
import type { RecordedPair } from '../../base/core/key-pair.ts';
import type { RandomBytes } from '../../fleet/keys/generate-keys.ts';
import type { RecordedKeys } from '../../fleet/keys/keys-file.ts';
import type { KeyPair } from '../../fleet/keys/missing-keys.ts';
import { readAuthentication } from '../../fleet/sharing/recorded-inputs.ts';
import { gatewayKeysIn } from '../../fleet/topology/parse-recorded.ts';
import type { SecretsFolder, SecretsResult } from '../disk/secrets.ts';
import type { StreamTarget } from '../disk/stream-target.ts';
import type { PreparedFile } from '../disk/write-files.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { TopologyFiles } from './find-topology.ts';
import { type FileReader, TOPOLOGIES } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** The environment of commands that make private keys. */
export interface SecretsPorts {
  readonly files: FileReader;
  readonly keys: KeyStore;
  /** The day in UTC, some days ago: `2026-11-28`. */
  readonly day: (daysAgo: number) => string;
  /** Writes to stdout; resolves to false if the reader closed the stream early. */
  readonly writeStream: (text: string) => Promise<boolean>;
  /** The destination of that stream. */
  readonly streamTarget: () => StreamTarget;
}

export interface KeyStore {
  /** Waits for another run that changes the same keys file; `busy` if it does not end soon. */
  readonly lock: (keysFile: string) => Promise<KeysLock>;
  readonly secretsFolder: (folder: string) => SecretsFolder;
  /** The git repository around a file; `undefined` outside a repository. */
  readonly repositoryAround: (path: string) => string | undefined;
  readonly writeSecrets: (folder: SecretsFolder, secrets: ReadonlyMap<string, string>) => Promise<SecretsResult>;
  /** Writes the next keys file beside the present one. */
  readonly prepareKeysFile: (path: string, text: string) => Promise<PreparedFile>;
  readonly newKeyPair: () => KeyPair;
  readonly randomBytes: RandomBytes;
}

type KeysLock =
  | { readonly kind: 'held'; readonly release: () => void }
  | { readonly kind: 'busy'; readonly holder: string };

interface HeldFile {
  readonly kind?: 'identities' | 'keys';
  readonly file: string;
  /** True when nothing is written, so that nothing has to be held. */
  readonly check: boolean;
}

/** Runs while no other run changes the keys file, or the identities file, which is in the same folder. */
export async function holdingKeys<Result>(
  keys: Pick<KeyStore, 'lock'>,
  { kind = 'keys', file, check }: HeldFile,
  run: () => Promise<Result>,
): Promise<Result | { readonly kind: 'refused'; readonly refusal: Refusal }> {
  if (check) return run();
  const lock = await keys.lock(file);
  if (lock.kind === 'busy') {
    const { holder } = lock;
    const refusal: Refusal =
      kind === 'keys'
        ? { kind: 'keys-busy', keys: file, holder }
        : { kind: 'identities-busy', identities: file, holder };
    return { kind: 'refused', refusal };
  }
  try {
    return await run();
  } finally {
    lock.release();
  }
}

export type SecretsTarget =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'stream' }
  /** A terminal, whose history would keep the keys. */
  | { readonly kind: 'terminal' };

export interface DeliveryRequest {
  /** The destination of the private keys. */
  readonly secrets: SecretsTarget;
  /** True when Secrets may be written into a git repository. */
  readonly inRepository: boolean;
}

/** Refuses a destination where private keys would be lost or exposed. */
export function refusedTarget(
  { keys, streamTarget }: Pick<SecretsPorts, 'keys' | 'streamTarget'>,
  { secrets, inRepository }: DeliveryRequest,
  { topology }: TopologyFiles,
): Refusal | undefined {
  if (secrets.kind === 'terminal') return { kind: 'secrets-on-terminal', folder: dirname(topology) };
  if (secrets.kind === 'folder') {
    if (inRepository) return undefined;
    const { path, repository } = keys.secretsFolder(secrets.folder);
    const isInFleet = isBelow(keys.secretsFolder(folderOfFleet(topology)).path, path);
    if (repository === undefined && !isInFleet) return undefined;
    return { kind: 'secrets-in-repository', place: secrets.folder, repository: repository ?? null };
  }
  const target = streamTarget();
  if (target.kind === 'nothing') return { kind: 'secrets-lost' };
  const repository = target.kind === 'file' && target.path !== null ? keys.repositoryAround(target.path) : undefined;
  if (repository === undefined || inRepository) return undefined;
  return { kind: 'secrets-in-repository', place: 'stdout', repository };
}

/** The folder that becomes a repository, if it is none yet. */
const folderOfFleet = (topology: string): string =>
  basename(dirname(topology)) === TOPOLOGIES ? join(dirname(topology), '..') : dirname(topology);

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

interface Delivery {
  /** Cluster name -> Secrets. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The prepared keys file with their public keys. */
  readonly prepared: PreparedFile;
}

/** Delivers the private keys and, if that succeeds, records the public ones. */
export async function deliver(
  ports: Pick<SecretsPorts, 'keys' | 'writeStream'>,
  target: SecretsTarget,
  { secrets, prepared }: Delivery,
): Promise<Delivered | { readonly refusal: Refusal }> {
  try {
    if (target.kind === 'folder') {
      const folder = ports.keys.secretsFolder(target.folder);
      const written = await ports.keys.writeSecrets(folder, secrets);
      if (written.kind === 'exists') return { refusal: { kind: 'secrets-exist', path: written.path } };
      try {
        await prepared.commit();
      } catch (error) {
        written.remove();
        throw error;
      }
      written.keep();
      return { kind: 'folder', folder: folder.typed, files: written.paths.length };
    }
    const wasRead = await ports.writeStream([...secrets.values()].join(''));
    if (!wasRead) return { refusal: { kind: 'secrets-not-read' } };
    await prepared.commit();
    return { kind: 'stream' };
  } finally {
    // After a commit there is nothing left to discard.
    await prepared.discard();
  }
}

/** All recorded keys, under the new names of gateways; authentication keys of former names are left out. */
export function recordedKeys({ inputs, model }: ReadyTopology['compiled']): RecordedKeys {
  const gateways = new Map<string, Map<string, RecordedPair>>();
  for (const { cluster, peer, pair } of gatewayKeysIn(inputs.keys)) {
    const byPeer = gateways.get(cluster.value) ?? new Map<string, RecordedPair>();
    gateways.set(cluster.value, byPeer.set(peer.value, pair));
  }
  const former = new Set([...model.clusters.values()].map((it) => it.renamedFrom?.value));
  return {
    gateways,
    authentication: new Map([...readAuthentication(inputs.keys)].filter(([cluster]) => !former.has(cluster))),
  };
}
