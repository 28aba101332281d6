import { addAll, byCodeUnit } from '../../base/core/collections.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { andThen, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Span, startOf } from '../../base/source/source.ts';
import { printKeysFile } from '../../fleet/keys/keys-file.ts';
import { readIdentities } from '../../fleet/sharing/recorded-inputs.ts';
import type { Share } from '../../fleet/sharing/shared-model.ts';
import { groupOf, kindKey, type LiveObject, newestByKey } from '../../live/dumps/kubernetes-object.ts';
import { KEY_SECRETS } from '../../live/dumps/public-halves.ts';
import { ownerOf } from '../../live/dumps/whose-dump.ts';
import { observeKeySecret } from '../../live/facts/peer.ts';
import {
  type CollectedPair,
  collectAnswers,
  type ProviderAnswers,
  printIdentitiesFile,
} from '../../live/identities/collect-answers.ts';
import { providerFinder, TENANT_KIND, tenantAnswers } from '../../live/identities/tenant-answer.ts';
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
import {
  beginContext,
  type ContextRequest,
  type DumpReader,
  type ListedKind,
  type LiveRequest,
  limitedLists,
  listDumps,
  namedClusters,
  readDumpFiles,
} from './live-sources.ts';
import type { LivePorts } from './ports.ts';
import { OperationRefused } from './refusal.ts';

interface CollectRequest extends TopologyRequest, LiveRequest {
  /** True to write nothing. */
  readonly check: boolean;
}

interface CollectPorts extends LivePorts {
  /** Prevents two runs from changing a file at the same time. */
  readonly keys: Pick<KeyStore, 'lock' | 'prepareKeysFile'>;
}

interface CollectedAnswer extends Answered<'collected'> {
  readonly files: TopologyFiles;
  /** True when the file has to change; with `check` it is not written. */
  readonly changes: boolean;
  readonly check: boolean;
}

interface CollectedIdentities extends CollectedAnswer {
  readonly pairs: readonly CollectedPair[];
}

interface CollectedKeys extends CollectedAnswer {
  readonly gateways: readonly CollectedKey[];
}

/** Records the identities that providers have issued. Clusters are only read. */
export const collectIdentities = (
  ports: CollectPorts & {
    /** The current time in milliseconds since 1970. */
    readonly now: () => number;
  },
  request: CollectRequest,
): Promise<Unanswered | CollectedIdentities> =>
  collect<readonly ProviderAnswers[], CollectedIdentities>(ports, request, {
    file: 'identities',
    read: (known, shares) => readProviders(ports, request, { known, shares }),
    record: async ({ files, sources, compiled }, providers) => {
      const loans = compiled.model.shares;
      const { identities, pairs, diagnostics } = collectAnswers({
        shares: loans.filter(needsAnswer),
        loans,
        recorded: readIdentities(compiled.inputs.identities),
        providers,
        nowSeconds: Math.floor(ports.now() / 1000),
      });
      const text = printIdentitiesFile(identities);
      const isNothing = identities.size === 0 && sources.identities === undefined;
      const refused = diagnostics.some((it) => it.code === 'identities/secret');
      const changes = !refused && !isNothing && text !== sources.identities?.text;
      if (changes && !request.check) await (await ports.keys.prepareKeysFile(files.identities, text)).commit();
      return { kind: 'collected', files, changes, check: request.check, pairs, diagnostics };
    },
  });

/** True when a provider must issue an identity: a handshake is used, the consumer has a key, and it is not drained. */
const needsAnswer = ({ auth, key, condition }: Share): boolean =>
  auth === 'handshake' && key !== null && condition !== 'Drained';

interface CollectKeysRequest extends CollectRequest {
  /** True to replace recorded keys by those of the clusters. */
  readonly replace: boolean;
}

const SECRETS = { key: 'Secret', resource: 'secrets', selector: KEY_SECRETS, publicHalves: true } as const;

/** Records the public keys that gateways have made in their clusters, which are only read. */
export const collectKeys = (
  ports: CollectPorts & {
    /** The day in UTC, some days ago: `2026-11-28`. */
    readonly day: (daysAgo: number) => string;
  },
  request: CollectKeysRequest,
): Promise<Unanswered | CollectedKeys> =>
  collect<readonly ClusterSecrets[], CollectedKeys>(ports, request, {
    file: 'keys',
    read: async (known) =>
      andThen(await readNewest(ports, request, { known, kind: SECRETS, guess: () => undefined }), (clusters) =>
        outcome(
          clusters.map(({ cluster, at, objects }) => ({
            ...{ cluster, at },
            secrets: objects.flatMap((it) => observeKeySecret(it.object).map((secret) => ({ ...secret, at: it.at }))),
          })),
        ),
      ),
    record: async ({ files, compiled }, clusters) => {
      const recorded = recordedKeys(compiled);
      const { keys, gateways, diagnostics } = collectPublicKeys({
        links: compiled.model.links,
        recorded: recorded.gateways,
        clusters,
        replace: request.replace,
        today: ports.day(0),
      });
      const changes = gateways.some(isRecorded);
      if (changes && !request.check) {
        const text = printKeysFile({ ...recorded, gateways: keys });
        await (await ports.keys.prepareKeysFile(files.keys, text)).commit();
      }
      return { kind: 'collected', files, changes, check: request.check, gateways, diagnostics };
    },
  });

/** The reading of clusters for a file beside the topology, and the record of what was read in it. */
interface Collection<Read, Collected> {
  readonly file: 'identities' | 'keys';
  readonly read: (known: readonly string[], shares: readonly Share[]) => Promise<Outcome<Read>>;
  readonly record: (topology: ReadyTopology, read: Read) => Promise<Collected>;
}

/** Reads clusters, and records what they have. */
async function collect<Read, Collected>(
  { files: reader, keys }: CollectPorts,
  request: CollectRequest,
  { file, read, record }: Collection<Read, Collected>,
): Promise<Unanswered | Collected> {
  const settings = {
    ...{ only: [], clusters: namedClusters(request, `${file} collect`), withoutAssertions: true },
    allowReplacements: file === 'identities',
  };
  const files = await findTopology(reader, request.topology, request.lock);
  const before = await compileFiles(reader, files, settings);
  if (before.kind !== 'compiled') return before;
  const { clusters, shares } = before.compiled.model;
  const found = await read([...clusters.keys()].sort(byCodeUnit), shares);
  if (!found.ok) return { kind: 'unreadable', diagnostics: found.diagnostics };
  if (request.check) return record(before, found.value);
  // Reading clusters may take minutes, so it happens before the lock is taken. Only the files are read again under the
  // lock.
  return holdingKeys(keys, { kind: file, file: files[file], check: false }, async () => {
    const topology = await compileFiles(reader, files, settings);
    return topology.kind === 'compiled' ? record(topology, found.value) : topology;
  });
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

interface ObjectsToRead {
  /** The clusters of the topology. */
  readonly known: readonly string[];
  readonly kind: ListedKind;
  /** The cluster of a dump that does not name it, if its objects show it. */
  readonly guess: (objects: readonly LiveObject[]) => string | undefined;
}

interface ClusterObjects {
  readonly cluster: string;
  readonly at: Span;
  readonly objects: readonly LiveObject[];
}

/** The objects of one kind in dumps and contexts, by cluster. The newer one of two states of an object is used. */
async function readNewest(
  ports: LivePorts & DumpReader,
  { dumps, contexts }: LiveRequest,
  { known, kind, guess }: ObjectsToRead,
): Promise<Outcome<readonly ClusterObjects[]>> {
  const listing = await listDumps(ports, dumps);
  const problems: Diagnostic[] = [...listing.problems];
  const found = new Map<string, Omit<ClusterObjects, 'cluster'>>();
  const names = new Set(known);
  const add = (cluster: string, at: Span, objects: readonly LiveObject[]): void => {
    if (!names.has(cluster)) throw new OperationRefused({ kind: 'unknown-cluster', name: cluster, known });
    const earlier = found.get(cluster);
    found.set(cluster, { at: earlier?.at ?? at, objects: [...(earlier?.objects ?? []), ...objects] });
  };
  for (const files of listing.files) {
    const { dump, problems: unread } = await readDumpFiles(ports, files, (apiVersion, name) =>
      [kind.key, 'ConfigMap'].includes(kindKey(groupOf(apiVersion), name)),
    );
    addAll(problems, unread);
    const owner = ownerOf(dump, names);
    const guessed = !owner.ok && owner.problem.code === 'live/whose-dump' ? guess(dump.objects) : undefined;
    if (owner.ok) add(owner.cluster, dump.at, dump.objects);
    else if (guessed !== undefined) add(guessed, dump.at, dump.objects);
    else problems.push(owner.problem);
  }
  const limited = limitedLists(ports);
  const begun = (problems.length > 0 ? [] : contexts).map((it) => [it, beginContext(limited, it, [kind])] as const);
  for (const [request, reading] of begun) {
    const context = await reading;
    addAll(problems, context.diagnostics);
    if (!context.ok) continue;
    if (context.value.forbidden.size > 0) throw new OperationRefused(forbidden(request, kind));
    add(request.cluster, startOf({ path: `context ${request.context}`, text: '' }), context.value.objects);
  }
  return outcome(
    [...found].map(([cluster, { at, objects }]) => ({ cluster, at, objects: newest(objects) })),
    problems,
  );
}

const forbidden = ({ cluster, context }: ContextRequest, { resource }: ListedKind) => ({
  ...({ kind: 'cluster-not-read', cluster, context, resource } as const),
  failure: { kind: 'forbidden', message: 'the user of that context may not list them' } as const,
});

const newest = (objects: readonly LiveObject[]): readonly LiveObject[] => [
  ...newestByKey(objects, (it) => it.object).values(),
];
