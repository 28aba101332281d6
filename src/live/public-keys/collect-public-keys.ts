import { addAll, by, groupBy, sortedUnique } from '../../base/core/collections.ts';
import { firstPair, type PublicKeys, type RecordedPair, UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import type { Span } from '../../base/source/source.ts';
import type { GatewayName } from '../../fleet/keys/missing-keys.ts';
import { bothEnds, type Link, type ObjectNames } from '../../fleet/model/network-model.ts';
import { gatewayKey, keyFault } from '../../fleet/model/read-keys.ts';
import type { ObservedKeySecret } from '../facts/peer.ts';

/** The result for one gateway. */
export interface CollectedKey extends GatewayName {
  readonly result: KeyResult;
  /** The recorded public key; `null` without one that is known. */
  readonly publicKey: string | null;
}

type KeyResult = 'new' | 'replaced' | 'unchanged' | 'differs' | 'not-made' | 'refused' | 'not-asked';

const CHANGES: ReadonlySet<KeyResult> = new Set(['new', 'replaced']);

/** True when a recorded key is added or changed. */
export const isRecorded = ({ result }: CollectedKey): boolean => CHANGES.has(result);

/** The Secrets with key pairs that were read of one cluster. */
export interface ClusterSecrets {
  readonly cluster: string;
  readonly at: Span;
  readonly secrets: readonly KeySecret[];
}

interface KeySecret extends ObservedKeySecret {
  readonly at: () => Span;
}

interface KeysToCollect {
  readonly links: readonly Link[];
  /** All recorded keys, including those of gateways that are no longer in the topology. */
  readonly recorded: PublicKeys;
  readonly clusters: readonly ClusterSecrets[];
  /** True to replace recorded keys by those of the clusters. */
  readonly replace: boolean;
  /** Written like `2026-11-28`. */
  readonly today: string;
}

interface CollectedKeys {
  /** The new content of the keys file. */
  readonly keys: PublicKeys;
  /** By cluster, then by peer. */
  readonly gateways: readonly CollectedKey[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Merges the public keys of clusters into the recorded ones. A key that cannot be recorded does not affect the others. */
export function collectPublicKeys(request: KeysToCollect): CollectedKeys {
  const { links, recorded, clusters, replace, today } = request;
  const sources = new Map(clusters.map((it) => [it.cluster, it]));
  const read = gatewaysOf(links).map((gateway) => readGateway(gateway, sources.get(gateway.cluster), recorded));
  const owners = groupBy(read, (it) => [...new Set([it.found, it.recorded])].filter((key) => key !== null));
  const judged = read.map((it) => judge(it, owners.get(it.found ?? '') ?? [], replace));
  const keys = new Map([...recorded].map(([cluster, byPeer]) => [cluster, new Map(byPeer)]));
  const diagnostics: Diagnostic[] = [];
  for (const { gateway, diagnostics: some } of judged) {
    addAll(diagnostics, some);
    if (!isRecorded(gateway) || gateway.publicKey === null) continue;
    const byPeer = keys.get(gateway.cluster) ?? new Map<string, RecordedPair>();
    const pair = byPeer.get(gateway.peer) ?? firstPair('');
    keys.set(gateway.cluster, byPeer.set(gateway.peer, { ...pair, key: gateway.publicKey, since: today }));
  }
  addAll(
    diagnostics,
    clusters.flatMap((it) => [...secretsOfNoGateway(it, links)]),
  );
  return { keys, gateways: judged.map((it) => it.gateway), diagnostics };
}

interface GatewayToRead extends GatewayName {
  readonly names: ObjectNames;
}

const gatewaysOf = (links: readonly Link[]): readonly GatewayToRead[] =>
  links
    .flatMap(bothEnds)
    .map(({ own, peer }) => ({ cluster: own.cluster.name, peer, names: own.names }))
    .sort(by((it) => gatewayKey(it.cluster, it.peer)));

interface ReadGateway {
  readonly gateway: GatewayToRead;
  /** The key that is in the file; `null` without one that is known. */
  readonly recorded: string | null;
  /** The usable key of the cluster. */
  readonly found: string | null;
  readonly at: Span | null;
  /** The result when there is no usable key. */
  readonly result: 'not-asked' | 'not-made' | 'refused';
  readonly diagnostics: readonly Diagnostic[];
}

function readGateway(gateway: GatewayToRead, source: ClusterSecrets | undefined, keys: PublicKeys): ReadGateway {
  const { cluster, peer, names } = gateway;
  const text = keys.get(cluster)?.get(peer)?.key ?? UNKNOWN_KEY;
  const none = { gateway, recorded: text === UNKNOWN_KEY ? null : text, found: null, at: null };
  if (source === undefined) return { ...none, result: 'not-asked', diagnostics: [] };
  const here = source.secrets.filter((it) => it.namespace === names.namespace);
  const others = here.filter((it) => it.remote !== null && it.remote !== peer);
  const labels = others.map((it) => otherLabel(it.at(), gateway, it));
  const [secret, ...more] = here.filter((it) => it.remote === peer);
  if (secret === undefined)
    return labels.length > 0
      ? { ...none, result: 'refused', diagnostics: labels }
      : { ...none, result: 'not-made', diagnostics: [notMade(source.at, gateway)] };
  if (more.length > 0)
    return {
      ...none,
      result: 'refused',
      diagnostics: [...labels, severalSecrets(source.at, gateway, [secret, ...more])],
    };
  if (secret.publicKey === null)
    return { ...none, result: 'not-made', diagnostics: [...labels, notMade(secret.at(), gateway, secret.name)] };
  const fault = keyFault(
    { value: secret.publicKey, at: secret.at() },
    () => `the key of "${cluster}" towards "${peer}"`,
  );
  if (fault !== undefined)
    return { ...none, result: 'refused', diagnostics: [...labels, correctSecret(fault, gateway, secret)] };
  return { ...none, found: secret.publicKey, at: secret.at(), result: 'refused', diagnostics: labels };
}

interface Judged {
  readonly gateway: CollectedKey;
  readonly diagnostics: readonly Diagnostic[];
}

/** @param holders the gateways whose key is the found one */
function judge(
  { gateway, recorded, found, at, result, diagnostics }: ReadGateway,
  holders: readonly ReadGateway[],
  replace: boolean,
): Judged {
  const { cluster, peer } = gateway;
  const kept = (kind: KeyResult, ...more: readonly Diagnostic[]): Judged => ({
    gateway: { cluster, peer, result: kind, publicKey: recorded },
    diagnostics: [...diagnostics, ...more],
  });
  if (found === null || at === null) return kept(result);
  const other = holders.find((it) => it.gateway !== gateway)?.gateway;
  if (found === recorded) return kept('unchanged');
  if (other !== undefined) return kept('refused', keyOfAnother(at, gateway, other));
  if (recorded !== null && !replace) return kept('differs', keyDiffers(at, gateway));
  return { gateway: { cluster, peer, result: recorded === null ? 'new' : 'replaced', publicKey: found }, diagnostics };
}

function* secretsOfNoGateway({ cluster, at, secrets }: ClusterSecrets, links: readonly Link[]): Iterable<Diagnostic> {
  const own = gatewaysOf(links).filter((it) => it.cluster === cluster);
  const namespaces = new Set(own.map((it) => it.names.namespace));
  const others = secrets.filter((it) => !namespaces.has(it.namespace));
  if (others.length > 0) yield noGateway(at, cluster, sortedUnique(others.map((it) => it.remote ?? it.namespace)));
}

/** A Secret, as messages name it. */
interface NamedSecret {
  readonly name: string;
  readonly remote: string | null;
}

const gatewayText = ({ cluster, peer }: GatewayName): string => `the gateway of "${cluster}" towards "${peer}"`;

/** @param secret the Secret that is there without a public half, if there is one */
const notMade = (at: Span, { cluster, peer }: GatewayName, secret?: string): Diagnostic =>
  diagnostic(
    'public-keys/not-made',
    at,
    secret === undefined
      ? `"${cluster}" has no Secret with a key pair for "${peer}" yet`
      : `the Secret "${secret}" of "${cluster}" for "${peer}" has no publicKey in what was read`,
    {
      hint:
        secret === undefined
          ? `apply the bundle of "${cluster}", wait until the gateway has its Secret, and collect again`
          : `read "${cluster}" with --context, or with a new dump: "weft import --print-commands" prints how to make it`,
    },
  );

const severalSecrets = (at: Span, { cluster, peer }: GatewayName, secrets: readonly NamedSecret[]): Diagnostic =>
  diagnostic(
    'public-keys/wrong-secret',
    at,
    `"${cluster}" has ${secrets.length} Secrets with the labels of a key pair for "${peer}": ${firstOf(
      secrets.map((it) => quoted(it.name)),
      3,
    )}`,
    {
      hint: 'remove the labels from all but the one that the gateway uses: with several, Liqo does not change the gateway',
    },
  );

const otherLabel = (at: Span, { cluster, peer }: GatewayName, { name, remote }: NamedSecret): Diagnostic =>
  diagnostic(
    'public-keys/wrong-secret',
    at,
    `the Secret "${name}" of "${cluster}" for "${peer}" has the label of a remote cluster "${remote ?? ''}"`,
    { hint: `set its label ${REMOTE_CLUSTER_LABEL} to "${peer}", or remove the Secret` },
  );

/** The error about a text that is no key, with a hint for a Secret. */
const correctSecret = (fault: Diagnostic, { cluster }: GatewayName, { name }: NamedSecret): Diagnostic => ({
  ...fault,
  hint: `correct the Secret "${name}" in "${cluster}", or delete it and the gateway pod, so that Liqo makes another pair`,
});

const keyOfAnother = (at: Span, gateway: GatewayName, other: GatewayName): Diagnostic =>
  diagnostic(
    gateway.cluster === other.peer && gateway.peer === other.cluster ? 'keys/same-at-both-ends' : 'keys/used-twice',
    at,
    `${gatewayText(gateway)} has the key of ${gatewayText(other)}`,
    {
      hint: `check that what was read is of "${gateway.cluster}"; if it is, delete one of the two Secrets: each gateway needs a pair of its own`,
    },
  );

const keyDiffers = (at: Span, gateway: GatewayName): Diagnostic =>
  diagnostic('public-keys/differs', at, `${gatewayText(gateway)} has another key than the recorded one, which stays`, {
    hint: `if its cluster has made another pair, pass --replace: the tunnel is down until "${gateway.peer}" has the new key`,
  });

const noGateway = (at: Span, cluster: string, remotes: readonly string[]): Diagnostic =>
  diagnostic(
    'public-keys/no-gateway',
    at,
    `"${cluster}" has key pairs for gateways that the topology does not have: ${firstOf(remotes.map(quoted), 5)}`,
    { hint: 'ignore them, or remove what is left of a former peering' },
  );
