import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentMap, keySpanAt, nodeAt } from '../../../base/source/document-node.ts';
import type { ExpectedEnd } from '../expectation.ts';
import { orderedPeers } from '../gitops-steps.ts';
import { type FoundText, type ScalarType, textAt } from '../kube-object.ts';
import { isRemapped, type RebuiltCluster, type RebuiltPeer } from '../rebuild-network.ts';
import { type CheckContext, compareText, forFolder } from './bundle-check.ts';

const PATH = 'addresses.json';

/** `addresses.json` contains the addresses of the manifests. */
export const addressesFileAgrees = forFolder('', function* (context) {
  const file = context.bundle.maps.get(PATH);
  if (!file) return;
  yield* compareText({
    code: 'verify/addresses',
    what: 'the version',
    found: textAt(file, ['version']),
    wanted: '1',
    type: 'number',
    phrase: 'weft writes',
  });
  yield* compareText({
    code: 'verify/addresses',
    what: 'the topology',
    found: textAt(file, ['topology']),
    wanted: context.expected.fleet,
  });
  yield* viewRows(context, file);
  yield* gatewayRows(context, file);
});

interface WantedRow {
  readonly text: string;
  /** The type when the value is not a string. */
  readonly type?: ScalarType;
  readonly from: FoundText | undefined;
}

/** Every end, by cluster and then in the order of applying: links that need no remap come first. */
const endsInOrder = ({ network }: CheckContext): readonly (readonly [RebuiltCluster, RebuiltPeer])[] =>
  [...network.values()].flatMap((cluster) =>
    [...[...cluster.peers.values()].filter((it) => !isRemapped(it)), ...orderedPeers(cluster)].map(
      (peer) => [cluster, peer] as const,
    ),
  );

/**
 * The required content of each row, by the keys of the row. It is computed when the row is compared, because a fleet
 * has a hundred thousand fields.
 */
type Rows = Map<string, () => Readonly<Record<string, WantedRow>>>;

function* viewRows(context: CheckContext, file: DocumentMap): Iterable<Diagnostic> {
  const wanted: Rows = new Map();
  for (const [cluster, peer] of endsInOrder(context)) {
    const end = cluster.expected.ends.get(peer.name);
    if (!end) continue;
    const addresses = context.addresses.get(cluster.name);
    const given = addresses?.views?.get(peer.name);
    for (const [i, view] of peer.views.entries()) {
      wanted.set([cluster.name, peer.name, view.kind, view.cidr.text].join(' '), () => ({
        seenAs: { text: view.seenAs.text ?? '', from: view.seenAs },
        link: { text: end.link.kind, from: undefined },
        ...(given?.[i] ? { history: truth(given[i].isHistory) } : {}),
        ...(given ? { orderDependent: truth(addresses?.contended.has(peer.name) === true) } : {}),
      }));
    }
  }
  yield* compareRows({ context, file, list: 'views', keys: ['cluster', 'peer', 'kind', 'cidr'], wanted });
}

const truth = (is: boolean): WantedRow => ({ text: String(is), type: 'boolean', from: undefined });

function* gatewayRows(context: CheckContext, file: DocumentMap): Iterable<Diagnostic> {
  const wanted: Rows = new Map();
  for (const [cluster, peer] of endsInOrder(context)) {
    const end = cluster.expected.ends.get(peer.name);
    if (end) wanted.set([cluster.name, peer.name].join(' '), () => gatewayFields(context, { cluster, peer, end }));
  }
  yield* compareRows({ context, file, list: 'gateways', keys: ['cluster', 'peer'], wanted });
}

interface AddressesEnd {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
  readonly end: ExpectedEnd;
}

/** The rows of both ends contain the address and port that the client dials. */
function gatewayFields(
  { network }: CheckContext,
  { cluster, peer, end }: AddressesEnd,
): Readonly<Record<string, WantedRow>> {
  const gateway = peer.gatewayFacts;
  const client = end.role === 'client' ? gateway : network.get(peer.name)?.peers.get(cluster.name)?.gatewayFacts;
  const { endpoint, mtuBytes } = end.link;
  const { dialled: port } = peer.endpoint;
  return {
    role: { text: end.role, from: gateway?.kind },
    address: { text: endpoint.address, from: client?.address },
    port: { text: port, type: 'number', from: client?.port },
    mtu: { text: String(mtuBytes), type: 'number', from: gateway?.mtu },
  };
}

interface RowComparison {
  readonly context: CheckContext;
  readonly file: DocumentMap;
  readonly list: 'views' | 'gateways';
  readonly keys: readonly string[];
  readonly wanted: Rows;
}

function* compareRows({ context, file, list, keys, wanted }: RowComparison): Iterable<Diagnostic> {
  const found = nodeAt(file, [list]);
  const rows = found?.kind === 'list' ? found.items.filter((it): it is DocumentMap => it.kind === 'map') : [];
  const seen = new Set<string>();
  const places = new Map([...wanted.keys()].map((key, i) => [key, i]));
  let last = -1;
  for (const row of rows) {
    const key = keys.map((it) => textAt(row, [it]).text ?? '').join(' ');
    const fields = wanted.get(key);
    if (seen.has(key)) yield diagnostic('verify/addresses', row.span, `a second row of ${key}`);
    else if (fields) yield* compareRow(row, `the row of ${key}`, fields());
    else if (isLinked(context, row))
      yield diagnostic('verify/addresses', rowPlace(row, keys), `this row lists ${key}, but no manifest contains it`);
    else
      yield diagnostic(
        'verify/unasked-path',
        rowPlace(row, keys),
        `this row lists ${key}, but the topology does not link the two`,
      );
    seen.add(key);
    const place = places.get(key) ?? last;
    if (place < last)
      yield diagnostic(
        'verify/addresses',
        rowPlace(row, keys),
        `the row of ${key} must come before others: rows are in the order of applying`,
      );
    last = Math.max(last, place);
  }
  for (const key of wanted.keys())
    if (!seen.has(key)) yield diagnostic('verify/addresses', keySpanAt(file, [list]), `the row of ${key} is missing`);
}

/** The place of the value in a row that is most often wrong: its network, or otherwise its peer. */
const rowPlace = (row: DocumentMap, keys: readonly string[]): Diagnostic['span'] =>
  textAt(row, [keys.at(-1) ?? 'peer']).at;

function isLinked({ network }: CheckContext, row: DocumentMap): boolean {
  const [cluster, peer] = ['cluster', 'peer'].map((it) => textAt(row, [it]).text ?? '');
  return network.get(cluster ?? '')?.peers.has(peer ?? '') ?? false;
}

function* compareRow(
  row: DocumentMap,
  what: string,
  fields: Readonly<Record<string, WantedRow>>,
): Iterable<Diagnostic> {
  for (const [name, { text, type, from }] of Object.entries(fields)) {
    const found = textAt(row, [name]);
    yield* compareText({
      code: 'verify/addresses',
      what: `\`${name}\` in ${what}`,
      found,
      wanted: text,
      ...(type === undefined ? {} : { type }),
      ...(from?.text === text ? { phrase: 'the manifests contain' } : {}),
      other: from?.text === text ? from : undefined,
    });
  }
}
