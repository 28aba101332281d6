import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { nodeAt } from '../../source/document-node.ts';
import { type KubeObject, nearestKey } from '../kube-object.ts';
import { type BundleCheck, ends } from './bundle-check.ts';

/** A peer's file has each object that Liqo needs once, and nothing else: two of a kind for one remote are an error or a flap. */
export const objectsAreAskedFor: BundleCheck = function* (evidence) {
  const { bundle, expected } = evidence;
  for (const [path, objects] of bundle.objects) for (const it of objects) yield* secretsIn(path, it);
  for (const [cluster, peer] of ends(evidence)) {
    const end = cluster.expected.ends.get(peer.name);
    const source = bundle.sources.get(peer.path);
    if (!end || !source || !bundle.objects.has(peer.path)) continue;
    const wanted = new Set([
      'Namespace',
      'Configuration',
      end.role === 'server' ? 'GatewayServer' : 'GatewayClient',
      ...(end.remoteKey === null ? [] : ['PublicKey']),
      ...(expected.emitConnections ? ['Connection'] : []),
    ]);
    const start = { source, start: 0, end: 0 };
    yield* compared({ objects: peer.objects, wanted, whose: `"${cluster.name}" for "${peer.name}"`, start });
  }
};

interface Compared {
  readonly objects: readonly KubeObject[];
  readonly wanted: ReadonlySet<string>;
  readonly whose: string;
  readonly start: Diagnostic['span'];
}

function* compared({ objects, wanted, whose, start }: Compared): Iterable<Diagnostic> {
  const first = new Map<string, KubeObject>();
  for (const it of objects) {
    const earlier = first.get(it.kind);
    if (it.kind === 'Secret') continue;
    if (earlier) {
      yield diagnostic('verify/extra-object', it.at, `${whose} has a second ${it.kind}`, {
        related: [{ message: 'the first one', span: earlier.at }],
        hint: 'Liqo takes one of a kind for each remote cluster; remove one of the two',
      });
    } else if (!wanted.has(it.kind) && !isOtherEnd(it.kind, wanted)) {
      yield diagnostic('verify/extra-object', it.at, `${whose} has a ${it.kind} that the topology does not ask for`);
    }
    first.set(it.kind, earlier ?? it);
  }
  for (const kind of wanted) {
    if (first.has(kind) || [...first.keys()].some((it) => isOtherEnd(it, new Set([kind])))) continue;
    const [some] = objects;
    yield diagnostic('verify/missing-object', some?.at ?? start, `${whose} has no ${kind}`);
  }
}

/** A server where the client should be is a matter of roles, which `gateways-agree` tells with both ends. */
const isOtherEnd = (kind: string, wanted: ReadonlySet<string>): boolean =>
  (kind === 'GatewayServer' && wanted.has('GatewayClient')) ||
  (kind === 'GatewayClient' && wanted.has('GatewayServer'));

/** What is private never lies in a repository, in whatever object it comes. */
function* secretsIn(path: string, object: KubeObject): Iterable<Diagnostic> {
  const hint = 'whoever can read the repository has it now: make a new key, and take this out of the history too';
  if (object.kind === 'Secret') {
    yield diagnostic('verify/secret', object.at, `a Secret lies in the bundle, in ${path}`, { hint });
    return;
  }
  for (const field of ['data', 'stringData', 'spec']) {
    if (nodeAt(object.node, [field, 'privateKey']) === undefined) continue;
    const at = nearestKey(object.node, [field, 'privateKey']);
    yield diagnostic('verify/secret', at, `a private key lies in the bundle, in ${path}`, { hint });
  }
}
