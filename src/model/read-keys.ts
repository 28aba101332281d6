import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { meantHint } from '../diagnostics/did-you-mean.ts';
import type { Located } from '../source/located.ts';
import type { Span } from '../source/source.ts';
import type { KeysDocument } from '../topology/keys-document.ts';
import type { ServedLink } from './assign-ports.ts';
import { groupBy } from './group-by.ts';
import type { Cluster, Link } from './network-model.ts';

/** A WireGuard public key has 32 bytes. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/publickeys_controller.go. */
const KEY_BYTES = 32;

export interface ReadKeys {
  readonly keysOf: (link: ServedLink) => Link['publicKeys'];
  readonly found: readonly Diagnostic[];
}

/** The public keys of every gateway; what is wrong with the keys file, and which gateways it leaves out. */
export function readKeys(
  document: KeysDocument | undefined,
  clusters: ReadonlyMap<string, Cluster>,
  links: readonly ServedLink[],
  at: Span,
): ReadKeys {
  const found: Diagnostic[] = [];
  const keys = new Map<string, Located<string>>();
  for (const [cluster, peer, text] of entriesOf(document)) {
    const bytes = decode(text.value);
    if (typeof bytes === 'string') {
      found.push(
        diagnostic(
          'keys/not-32-bytes',
          text.at,
          `the key of "${cluster}" towards "${peer}" ${bytes}; a WireGuard key has ${KEY_BYTES} bytes`,
          {
            hint: 'paste what `wg pubkey` prints: 44 characters that end in "="',
          },
        ),
      );
    } else keys.set(`${cluster}/${peer}`, text);
  }
  found.push(...unknownClusters(document, clusters), ...sameKeys(links, keys), ...missingKeys(links, keys, at));
  const keyOf = (cluster: Cluster, peer: Cluster): string | null =>
    keys.get(`${cluster.name}/${peer.name}`)?.value ?? null;
  return { keysOf: ({ server, client }) => ({ server: keyOf(server, client), client: keyOf(client, server) }), found };
}

function* entriesOf(document: KeysDocument | undefined): Iterable<readonly [string, string, Located<string>]> {
  const clusters = document?.root.kind === 'map' ? document.root.entries.get('keys')?.value : undefined;
  if (clusters?.kind !== 'map') return;
  for (const [cluster, { value: peers }] of clusters.entries) {
    if (peers.kind !== 'map') continue;
    for (const [peer, { value }] of peers.entries) {
      yield [cluster, peer, { value: String(value.kind === 'scalar' ? value.value : ''), at: value.span }];
    }
  }
}

/** The decoded length, or what is wrong, as the predicate of a sentence. Only canonical base64: Liqo writes that back. */
function decode(text: string): number | string {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return 'is not base64';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES) return `has ${bytes.length} bytes`;
  return bytes.toString('base64') === text ? bytes.length : 'is not canonical base64';
}

function* unknownClusters(
  document: KeysDocument | undefined,
  clusters: ReadonlyMap<string, Cluster>,
): Iterable<Diagnostic> {
  const names = [...clusters.keys()];
  const list = document?.root.kind === 'map' ? document.root.entries.get('keys')?.value : undefined;
  if (list?.kind !== 'map') return;
  for (const [cluster, { key, value }] of list.entries) {
    if (!clusters.has(cluster)) yield unknown(cluster, key, names);
    if (value.kind !== 'map') continue;
    for (const [peer, entry] of value.entries) if (!clusters.has(peer)) yield unknown(peer, entry.key, names);
  }
}

const unknown = (name: string, at: Diagnostic['span'], names: readonly string[]): Diagnostic =>
  diagnostic('keys/unknown-cluster', at, `no cluster is called "${name}"`, {
    hint: meantHint(name, names) ?? 'take the entry away when the cluster is gone',
  });

function* sameKeys(links: readonly ServedLink[], keys: ReadonlyMap<string, Located<string>>): Iterable<Diagnostic> {
  for (const { server, client } of links) {
    const [a, b] = [keys.get(`${server.name}/${client.name}`), keys.get(`${client.name}/${server.name}`)];
    if (!a || !b || a.value !== b.value) continue;
    const [earlier, later] = a.at.start < b.at.start ? [a, b] : [b, a];
    yield diagnostic(
      'keys/same-at-both-ends',
      later.at,
      `both gateways of the link between "${server.name}" and "${client.name}" have this key`,
      {
        hint: 'each gateway needs a pair of its own; `weft keys generate` makes what is missing',
        related: [{ message: 'the same key here', span: earlier.at }],
      },
    );
  }
}

/** One warning for all of them: a fleet without keys is one state of affairs, not a mistake per gateway. */
function* missingKeys(
  links: readonly ServedLink[],
  keys: ReadonlyMap<string, Located<string>>,
  at: Span,
): Iterable<Diagnostic> {
  const ends = links.flatMap(({ server, client }) => [
    { own: server.name, peer: client.name },
    { own: client.name, peer: server.name },
  ]);
  const missing = ends.filter(({ own, peer }) => !keys.has(`${own}/${peer}`));
  if (missing.length === 0) return;
  const peersOf = groupBy(missing, (it) => [it.own]);
  const texts = [...peersOf]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([own, list]) =>
      describe(
        own,
        list.map((it) => it.peer),
      ),
    );
  const shown = texts.slice(0, 3).join('; ');
  const more =
    texts.length > 3 ? `; and in ${texts.length - 3} more ${texts.length === 4 ? 'cluster' : 'clusters'}` : '';
  yield diagnostic(
    'keys/missing',
    at,
    `${missing.length} of ${ends.length} gateways ${missing.length === 1 ? 'has' : 'have'} no public key, so no PublicKey is written for ${missing.length === 1 ? 'it' : 'them'}: ${shown}${more}`,
    { hint: '`weft keys generate` makes the pairs and records the public halves' },
  );
}

function describe(own: string, peers: readonly string[]): string {
  const shown = [...peers].sort().slice(0, 3).join(', ');
  return `"${own}" towards ${shown}${peers.length > 3 ? ` and ${peers.length - 3} more` : ''}`;
}
