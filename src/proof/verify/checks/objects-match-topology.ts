import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { nodeAt } from '../../../base/source/document-node.ts';
import { type Expectation, nextSecretOf } from '../expectation.ts';
import { hasFence } from '../expected/expect-boundaries.ts';
import { shareBetween } from '../expected/expect-shares.ts';
import { type KubeObject, nearestKey } from '../kube-object.ts';
import { type FolderCheck, forEachEnd } from './bundle-check.ts';

/**
 * A peer's file contains each object that Liqo needs once, and no others: Liqo uses one of a kind for each remote
 * cluster.
 */
export const objectsMatchTopology: FolderCheck = {
  *inFolder(context, folder) {
    for (const path of context.bundle.below(folder)) {
      for (const it of context.bundle.objects.get(path) ?? []) {
        const isPublic =
          (isNonce(it) && isOfNonce(path, context.expected)) ||
          (/^[^/]+\/expected\/secrets\.yaml$/.test(path) && isEmpty(it));
        if (!isPublic) yield* secretsIn(path, it);
      }
    }
    yield* peersMatch.inFolder(context, folder);
  },
};

const peersMatch = forEachEnd(function* ({ bundle, expected }, cluster, peer) {
  const end = cluster.expected.ends.get(peer.name);
  const source = bundle.sources.get(peer.path);
  if (!end || !source || !bundle.objects.has(peer.path)) return;
  const wanted = new Set([
    'Namespace',
    'Configuration',
    end.role === 'server' ? 'GatewayServer' : 'GatewayClient',
    ...(end.remoteKey === null ? [] : ['PublicKey']),
    ...(expected.emitConnections ? ['Connection'] : []),
    ...(hasFence(end, expected) ? ['FirewallConfiguration'] : []),
    ...(expected.declaration.keyStore === null ? [] : ['ExternalSecret']),
  ]);
  const start = { source, start: 0, end: 0 };
  const next = expected.declaration.keyStore === null ? null : nextSecretOf(end);
  const objects = peer.objects.filter((it) => it.kind !== 'ExternalSecret' || it.name !== next);
  yield* compared({ objects, wanted, cluster: cluster.name, peer: peer.name, start });
  if (next === null || objects.length < peer.objects.length) return;
  const message = `"${cluster.name}" is missing the ExternalSecret of the next key for "${peer.name}"`;
  yield diagnostic('verify/missing-object', peer.objects[0]?.at ?? start, message);
});

interface Compared {
  readonly objects: readonly KubeObject[];
  readonly wanted: ReadonlySet<string>;
  readonly cluster: string;
  readonly peer: string;
  readonly start: Diagnostic['span'];
}

function* compared({ objects, wanted, cluster, peer, start }: Compared): Iterable<Diagnostic> {
  const name = (kind: string): string => `${kind} ${kind === 'PublicKey' ? 'of' : 'for'} "${peer}"`;
  const first = new Map<string, KubeObject>();
  for (const it of objects) {
    const earlier = first.get(it.kind);
    if (it.kind === 'Secret') continue;
    if (earlier) {
      yield diagnostic('verify/extra-object', it.at, `"${cluster}" has a second ${name(it.kind)}`, {
        related: [{ message: 'the first one', span: earlier.at }],
        hint: 'remove one of the two',
      });
    } else if (!wanted.has(it.kind) && !isOtherEnd(it.kind, wanted)) {
      const isKey = it.kind === 'PublicKey';
      const why = isKey
        ? `but the keys file has no key of "${peer}" towards it`
        : 'which the topology does not require';
      yield diagnostic('verify/extra-object', it.at, `"${cluster}" has a ${name(it.kind)}, ${why}`, {
        hint: isKey ? 'restore the keys file from git' : 'run "weft compile" to write the file again',
      });
    }
    first.set(it.kind, earlier ?? it);
  }
  for (const kind of wanted) {
    if (first.has(kind) || [...first.keys()].some((it) => isOtherEnd(it, new Set([kind])))) continue;
    const [some] = objects;
    yield diagnostic('verify/missing-object', some?.at ?? start, `"${cluster}" is missing the ${name(kind)}`);
  }
}

/**
 * True for a server instead of a client or the reverse: a wrong role, which `gateways-agree` reports with both ends.
 */
const isOtherEnd = (kind: string, wanted: ReadonlySet<string>): boolean =>
  (kind === 'GatewayServer' && wanted.has('GatewayClient')) ||
  (kind === 'GatewayClient' && wanted.has('GatewayServer'));

/**
 * True for a file with a nonce, a text that a consumer signed and that liqoctl copies from cluster to cluster. It is
 * not secret.
 */
function isOfNonce(path: string, { shares }: Expectation): boolean {
  const [, provider = '', consumer = ''] = /^([^/]+)\/sharing\/([^/]+)\.yaml$/.exec(path) ?? [];
  const share = shareBetween(shares, consumer, provider);
  return share?.auth === 'handshake' && share.key !== null;
}

/** True for a Secret with nothing but a nonce. `sharedKeysAgree` checks that it is the nonce of the keys file. */
function isNonce({ node, kind, name }: KubeObject): boolean {
  const data = nodeAt(node, ['data']);
  const isAlone = data?.kind === 'map' && data.entries.size === 1 && data.entries.has('nonce');
  const others = [...node.entries.keys()].filter(
    (it) => !['apiVersion', 'kind', 'metadata', 'type', 'data'].includes(it),
  );
  return kind === 'Secret' && name === 'liqo-nonce' && isAlone && others.length === 0;
}

/** True for a Secret with only a name and labels: it must exist, and its content is unknown. */
const isEmpty = ({ node, kind }: KubeObject): boolean =>
  kind === 'Secret' && [...node.entries.keys()].every((it) => ['apiVersion', 'kind', 'metadata'].includes(it));

/** Errors about private keys: a repository must not contain one, in any object. */
function* secretsIn(path: string, object: KubeObject): Iterable<Diagnostic> {
  const hint = 'create a new key, and remove this one from the history of the repository, too';
  if (object.kind === 'Secret') {
    yield diagnostic(
      'verify/secret',
      object.at,
      `${path} contains a Secret, which anyone who can read the repository can use`,
      { hint },
    );
    return;
  }
  for (const field of ['data', 'stringData', 'spec']) {
    if (nodeAt(object.node, [field, 'privateKey']) === undefined) continue;
    const at = nearestKey(object.node, [field, 'privateKey']);
    yield diagnostic(
      'verify/secret',
      at,
      `${path} contains a private key, which anyone who can read the repository can use`,
      { hint },
    );
  }
}
