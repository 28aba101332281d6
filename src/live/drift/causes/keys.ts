import { oncePer } from '../../../base/core/once.ts';
import { REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import { type AddressedModel, ownEnd, type Peer } from '../../../fleet/ipam/addressed-model.ts';
import { textAt } from '../../dumps/json.ts';
import { remoteOf } from '../../dumps/kubernetes-object.ts';
import type { ObservedKeySecret } from '../../facts/peer.ts';
import { severalObjects } from '../../problems/link-problems.ts';
import { type ClusterCase, namespaceOf, ofKind, type PeerCase } from '../cluster-case.ts';
import { objectsIn, type Problem, problem, valueIn } from '../drift.ts';

/** Explains differences in WireGuard keys: the peer's public key, and the Secret with the cluster's own pair. */
export function* keys(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  yield* otherPublicKey(it, peer);
  yield* secret(it, peer);
  yield* secretOfAnother(it, peer);
  yield* otherPair(it, peer);
  yield* secondKey(it, peer);
}

function* otherPublicKey({ cluster, model }: ClusterCase, { peer, at, pool, declared }: PeerCase): Iterable<Problem> {
  const found = pool.takeFields(['PublicKey'], 'spec');
  const [first] = found;
  if (first !== undefined) {
    const owner = keyOwners(model).get(typeof first.live === 'string' ? first.live : '');
    yield problem('drift/key', {
      peer,
      at,
      message: `"${cluster.name}" accepts the key ${valueIn(first.live)} from the gateway of "${peer}", and git has ${valueIn(first.promised)}`,
      hint: `if "${peer}" has a new key, ${isCollected(declared) ? `run "${COLLECT_AGAIN}"` : 'record it in the keys file'}; otherwise apply the bundle again`,
      details: [
        ownerSentence(owner, peer, cluster.name),
        `there is a tunnel only if the gateway of "${peer}" has the private half of the key that "${cluster.name}" accepts`,
      ],
      // A key that no cluster has in git may be a new one of the peer.
      stops: owner !== undefined && owner.of !== peer,
      findings: found,
    });
  }
  const missing = pool.take((one) => one.kind === 'missing' && one.object.kind === 'PublicKey');
  if (missing.length === 0) return;
  yield problem('drift/key', {
    peer,
    at,
    message: `"${cluster.name}" has no PublicKey for "${peer}", so its gateway accepts nothing from there`,
    hint: 'apply the bundle',
    findings: missing,
  });
}

function ownerSentence(
  owner: { readonly of: string; readonly towards: string } | undefined,
  peer: string,
  cluster: string,
) {
  if (owner === undefined) return 'no gateway of the fleet has this key in git';
  const whose = owner.of === cluster ? `"${cluster}" itself` : `"${owner.of}"`;
  return owner.of === peer
    ? `it is the key that "${peer}" has in git for "${owner.towards}"`
    : `it is the key that ${whose} has in git for "${owner.towards}"`;
}

function* secret({ cluster, reachedWave }: ClusterCase, it: PeerCase): Iterable<Problem> {
  const { peer, at, pool, facts, promised } = it;
  // Loans have Secrets, too, which Liqo creates.
  const names = secretNames(promised);
  const found = pool.take(
    ({ kind, object }) => kind === 'missing' && object.kind === 'Secret' && names.includes(object.name),
  );
  const [first] = found;
  if (first?.kind !== 'missing') return;
  yield problem('drift/key-secret', {
    peer,
    at,
    message: `"${cluster.name}" has no Secret "${first.object.name}" in the namespace "${first.object.namespace ?? ''}", with which its gateway for "${peer}" starts`,
    hint: 'bring the Secret there with your secret manager; "weft keys generate" makes a pair where none exists',
    details: facts.keySecrets.map((one) => `there is a Secret "${one.name}" with the labels of one`),
    isWaiting: first.wave > reachedWave,
    findings: found,
  });
}

/** Empty where Liqo makes the Secret. */
const secretNames = (promised: PeerCase['promised']): readonly string[] =>
  ofKind(promised, 'GatewayServer', 'GatewayClient').flatMap(({ spec }) => textAt(spec, 'secretRef', 'name') ?? []);

/**
 * Liqo adds missing labels to the Secret, but refuses one with the label of another cluster: changes of the gateway are
 * no longer applied. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/wireguard/utils.go (checkExistingKeysSecret).
 */
function* secretOfAnother({ cluster, live }: ClusterCase, { peer, at, promised }: PeerCase): Iterable<Problem> {
  for (const { spec, metadata } of ofKind(promised, 'GatewayServer', 'GatewayClient')) {
    const name = textAt(spec ?? {}, 'secretRef', 'name') ?? '';
    const found = live.objects.get(`Secret ${metadata.namespace ?? ''}/${name}`);
    const label = found === undefined ? null : remoteOf(found);
    if (label === null || label === peer) continue;
    yield problem('drift/key-secret', {
      peer,
      at,
      message: `the Secret "${name}" in "${cluster.name}" for "${peer}" has the label of a remote cluster ${valueIn(label)}`,
      hint: `set its label ${REMOTE_CLUSTER_LABEL} to "${peer}": Liqo no longer updates the gateway`,
      findings: [],
    });
  }
}

/**
 * The Secret of a gateway with another public half than the keys file has, in a fleet whose pairs weft does not make: it records
 * what it collects. `null` also while the public half was not read, and where several Secrets have the labels.
 */
export function otherCollectedPair({ peer, facts, declared, promised }: PeerCase): ObservedKeySecret | null {
  if (declared === undefined || !isCollected(declared)) return null;
  const { publicKey, names } = ownEnd(declared);
  const [name] = secretNames(promised);
  const [secret, ...more] = facts.keySecrets.filter(
    (it) => it.namespace === names.namespace && it.remote === peer && (name === undefined || it.name === name),
  );
  if (publicKey === null || secret?.publicKey == null || more.length > 0) return null;
  return secret.publicKey === publicKey ? null : secret;
}

const isCollected = (declared: Peer | undefined): boolean =>
  declared !== undefined && declared.link.keySource !== 'provided';

/** A recorded key is never replaced without the option. */
export const COLLECT_AGAIN = 'weft keys collect --replace';

function* otherPair({ cluster }: ClusterCase, it: PeerCase): Iterable<Problem> {
  const { peer, at, declared } = it;
  const secret = otherCollectedPair(it);
  if (secret === null || declared === undefined) return;
  yield problem('drift/key-secret', {
    peer,
    at,
    message: `the Secret "${secret.name}" in "${cluster.name}" for "${peer}" has the public key ${valueIn(secret.publicKey ?? '')}, and git has ${valueIn(ownEnd(declared).publicKey ?? '')}`,
    hint: `run "${COLLECT_AGAIN}", and merge what it writes: until then "${peer}" is to accept the key of git`,
    findings: [],
  });
}

/** Liqo finds the Secret by its labels, and uses the last of several PublicKeys. */
function* secondKey({ cluster }: ClusterCase, it: PeerCase): Iterable<Problem> {
  const { peer, at, pool, facts, declared } = it;
  const extra = pool.take((one) => one.kind === 'extra' && one.object.kind === 'PublicKey');
  const end = { cluster: cluster.name, remote: peer, configuration: null, gateway: null };
  const several = declared === undefined ? [] : [...severalObjects(end, facts)];
  const pairs = several.flatMap(({ what, objects }) => (what === 'Secrets with keys' ? [objects] : []));
  if (extra.length > 0)
    yield problem('drift/second-key', {
      peer,
      at,
      message: `"${cluster.name}" has ${objectsIn(extra)} for "${peer}" besides the one of git: the gateway uses whichever changed last`,
      hint: 'delete the one that git does not have',
      findings: extra,
    });
  const namespace = namespaceOf(it);
  for (const secrets of pairs.filter(([first]) => first?.namespace === namespace))
    yield problem('drift/second-key', {
      peer,
      at,
      message: `"${cluster.name}" has ${secrets.length} Secrets with the labels of a key pair for "${peer}": ${secrets.map((it) => `"${it.name}"`).join(', ')}`,
      hint: 'remove the labels from all but one: with several, Liqo does not change the gateway',
      findings: [],
    });
}

interface KeyOwner {
  readonly of: string;
  readonly towards: string;
}

/** Maps each public key in git to its gateway; computed once per model. */
const keyOwners = oncePer(
  ({ links }: AddressedModel): ReadonlyMap<string, KeyOwner> =>
    new Map(
      links.flatMap(({ server, client }) =>
        [
          { end: server, other: client },
          { end: client, other: server },
        ].flatMap(({ end, other }) =>
          end.publicKey === null
            ? []
            : [[end.publicKey, { of: end.cluster.name, towards: other.cluster.name }] as const],
        ),
      ),
    ),
);
