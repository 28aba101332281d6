import { byCodeUnit } from '../../base/core/collections.ts';
import { andThen, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { readIdentities } from '../../fleet/sharing/recorded-inputs.ts';
import type { Share } from '../../fleet/sharing/shared-model.ts';
import { type CollectedPair, collectAnswers, type ProviderAnswers } from '../../live/identities/collect-answers.ts';
import { printIdentitiesFile } from '../../live/identities/print-identities-file.ts';
import { providerFinder, TENANT_KIND, tenantAnswers } from '../../live/identities/tenant-answer.ts';
import {
  type Answered,
  compileFiles,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import type { KeyStore } from './deliver-secrets.ts';
import { findTopology, type TopologyFiles } from './find-topology.ts';
import { type DumpReader, type LiveRequest, namedClusters } from './live-sources.ts';
import type { LivePorts } from './ports.ts';
import { readNewest } from './read-newest.ts';

interface CollectRequest extends TopologyRequest, LiveRequest {
  /** True to write nothing. */
  readonly check: boolean;
}

interface CollectPorts extends LivePorts {
  /** Prevents two runs from changing the identities file or the keys file at the same time; both are in one folder. */
  readonly keys: Pick<KeyStore, 'lock' | 'prepareKeysFile'>;
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
}

type CollectResult = Unanswered | CollectedAnswer;

interface CollectedAnswer extends Answered<'collected'> {
  readonly files: TopologyFiles;
  /** True when the file has to change; with `check` it is not written. */
  readonly changes: boolean;
  readonly check: boolean;
  readonly pairs: readonly CollectedPair[];
}

/** Records the identities that providers have issued. Clusters are only read. */
export async function collectIdentities(ports: CollectPorts, request: CollectRequest): Promise<CollectResult> {
  const settings = { only: [], clusters: namedClusters(request, 'identities collect'), withoutAssertions: true };
  const files = await findTopology(ports.files, request.topology, request.lock);
  const before = await compileFiles(ports.files, files, settings);
  if (before.kind !== 'compiled') return before;
  const known = [...before.compiled.model.clusters.keys()].sort(byCodeUnit);
  const providers = await readProviders(ports, request, { known, shares: before.compiled.model.shares });
  if (!providers.ok) return { kind: 'unreadable', diagnostics: providers.diagnostics };
  if (request.check) return record(ports, request, { topology: before, providers: providers.value });
  // Reading clusters may take minutes, so it happens before the lock is taken. Only the files are read again under the
  // lock.
  const lock = await ports.keys.lock(files.identities);
  if (lock.kind === 'busy')
    return { kind: 'refused', refusal: { kind: 'identities-busy', identities: files.identities, holder: lock.holder } };
  try {
    const topology = await compileFiles(ports.files, files, settings);
    if (topology.kind !== 'compiled') return topology;
    return await record(ports, request, { topology, providers: providers.value });
  } finally {
    lock.release();
  }
}

/** True when a provider must issue an identity: a handshake is used, the consumer has a key, and it is not drained. */
const needsAnswer = ({ auth, key, condition }: Share): boolean =>
  auth === 'handshake' && key !== null && condition !== 'Drained';

interface Collection {
  readonly topology: ReadyTopology;
  readonly providers: readonly ProviderAnswers[];
}

async function record(
  { keys, now }: CollectPorts,
  { check }: CollectRequest,
  { topology, providers }: Collection,
): Promise<CollectedAnswer> {
  const { files, sources, compiled } = topology;
  const loans = compiled.model.shares;
  const { identities, pairs, diagnostics } = collectAnswers({
    shares: loans.filter(needsAnswer),
    loans,
    recorded: readIdentities(compiled.inputs.identities),
    providers,
    nowSeconds: Math.floor(now() / 1000),
  });
  const text = printIdentitiesFile(identities);
  const isNothing = identities.size === 0 && sources.identities === undefined;
  const refused = diagnostics.some((it) => it.code === 'identities/secret');
  const changes = !refused && !isNothing && text !== sources.identities?.text;
  if (changes && !check) await (await keys.prepareKeysFile(files.identities, text)).commit();
  return { kind: 'collected', files, changes, check, pairs, diagnostics };
}

interface Fleet {
  readonly known: readonly string[];
  readonly shares: readonly Share[];
}

const TENANTS = { key: TENANT_KIND, resource: 'tenants.authentication.liqo.io' };

/** The Tenants in dumps and contexts, grouped by provider. */
async function readProviders(
  ports: LivePorts & DumpReader,
  request: LiveRequest,
  { known, shares }: Fleet,
): Promise<Outcome<readonly ProviderAnswers[]>> {
  const providerOf = providerFinder(shares);
  const found = await readNewest(ports, request, {
    known,
    kind: TENANTS,
    guess: (objects) => providerOf(tenantAnswers(objects)),
  });
  return andThen(found, (clusters) =>
    outcome(clusters.map(({ cluster, at, objects }) => ({ provider: cluster, at, answers: tenantAnswers(objects) }))),
  );
}
