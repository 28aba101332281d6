import { byCodeUnit } from '../../base/core/collections.ts';
import { printKeysFile } from '../../fleet/keys/keys-file.ts';
import { KEY_SECRETS } from '../../live/dumps/public-halves.ts';
import { observeKeySecret } from '../../live/facts/peer.ts';
import {
  type ClusterSecrets,
  type CollectedKey,
  collectPublicKeys,
  isRecorded,
} from '../../live/public-keys/collect-public-keys.ts';
import {
  type Answered,
  compileFiles,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import { holdingKeys, type KeyStore, recordedKeys } from './deliver-secrets.ts';
import { findTopology, type TopologyFiles } from './find-topology.ts';
import { type LiveRequest, namedClusters } from './live-sources.ts';
import type { LivePorts } from './ports.ts';
import { readNewest } from './read-newest.ts';

interface CollectKeysRequest extends TopologyRequest, LiveRequest {
  /** True to replace recorded keys by those of the clusters. */
  readonly replace: boolean;
  /** True to write nothing. */
  readonly check: boolean;
}

interface CollectKeysPorts extends LivePorts {
  /** Prevents two runs from changing the keys file at the same time. */
  readonly keys: Pick<KeyStore, 'lock' | 'prepareKeysFile'>;
  /** The day in UTC, some days ago: `2026-11-28`. */
  readonly day: (daysAgo: number) => string;
}

type CollectKeysResult = Unanswered | CollectedKeysAnswer;

interface CollectedKeysAnswer extends Answered<'collected'> {
  readonly files: TopologyFiles;
  /** True when the file has to change; with `check` it is not written. */
  readonly changes: boolean;
  readonly check: boolean;
  readonly gateways: readonly CollectedKey[];
}

const SECRETS = { key: 'Secret', resource: 'secrets', selector: KEY_SECRETS, publicHalves: true } as const;

/** Records the public keys that gateways have made in their clusters, which are only read. */
export async function collectKeys(ports: CollectKeysPorts, request: CollectKeysRequest): Promise<CollectKeysResult> {
  const settings = {
    ...{ only: [], clusters: namedClusters(request, 'keys collect'), withoutAssertions: true },
    allowReplacements: false,
  };
  const files = await findTopology(ports.files, request.topology, request.lock);
  const before = await compileFiles(ports.files, files, settings);
  if (before.kind !== 'compiled') return before;
  const known = [...before.compiled.model.clusters.keys()].sort(byCodeUnit);
  const read = await readNewest(ports, request, { known, kind: SECRETS, guess: () => undefined });
  if (!read.ok) return { kind: 'unreadable', diagnostics: read.diagnostics };
  const clusters = read.value.map(({ cluster, at, objects }) => ({
    ...{ cluster, at },
    secrets: objects.flatMap((it) => observeKeySecret(it.object).map((secret) => ({ ...secret, at: it.at }))),
  }));
  if (request.check) return recordKeys(ports, request, { topology: before, clusters });
  // Reading clusters may take minutes, so it happens before the lock is taken. Only the files are read again under the
  // lock.
  return holdingKeys(ports.keys, { file: files.keys, check: false }, async () => {
    const topology = await compileFiles(ports.files, files, settings);
    return topology.kind === 'compiled' ? recordKeys(ports, request, { topology, clusters }) : topology;
  });
}

interface FleetSecrets {
  readonly topology: ReadyTopology;
  readonly clusters: readonly ClusterSecrets[];
}

async function recordKeys(
  { keys: store, day }: CollectKeysPorts,
  { check, replace }: CollectKeysRequest,
  { topology, clusters }: FleetSecrets,
): Promise<CollectedKeysAnswer> {
  const { files, compiled } = topology;
  const recorded = recordedKeys(compiled);
  const { links } = compiled.model;
  const { keys, gateways, diagnostics } = collectPublicKeys({
    links,
    recorded: recorded.gateways,
    clusters,
    replace,
    today: day(0),
  });
  const changes = gateways.some(isRecorded);
  if (changes && !check)
    await (await store.prepareKeysFile(files.keys, printKeysFile({ ...recorded, gateways: keys }))).commit();
  return { kind: 'collected', files, changes, check, gateways, diagnostics };
}
