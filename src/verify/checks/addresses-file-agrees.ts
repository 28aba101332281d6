import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type DocumentMap, keySpanAt, nodeAt } from '../../source/document-node.ts';
import type { ExpectedEnd } from '../expectation.ts';
import { type FoundText, textAt, textsAt } from '../kube-object.ts';
import { isRemapped, type RebuiltCluster, type RebuiltPeer } from '../rebuild-network.ts';
import { type BundleCheck, claim, type Evidence, ends } from './bundle-check.ts';

const PATH = 'addresses.json';

/** `addresses.json` tells programs what the manifests tell Liqo. */
export const addressesFileAgrees: BundleCheck = function* (evidence) {
  const file = evidence.bundle.maps.get(PATH);
  if (!file) return;
  yield* claim({
    code: 'verify/addresses',
    what: 'the version',
    found: textAt(file, ['version']),
    wanted: '1',
    says: 'weft writes',
  });
  yield* claim({
    code: 'verify/addresses',
    what: 'the topology',
    found: textAt(file, ['topology']),
    wanted: asText(evidence.expected.fleet),
  });
  yield* viewRows(evidence, file);
  yield* gatewayRows(evidence, file);
};

const asText = (text: string): string => (/^(-?\d+(\.\d+)?|true|false)$/.test(text) ? JSON.stringify(text) : text);

type Row = { readonly key: string; readonly fields: ReadonlyMap<string, Wanted> };
type Wanted = { readonly text: string; readonly from: FoundText | undefined };

function* viewRows(evidence: Evidence, file: DocumentMap): Iterable<Diagnostic> {
  const wanted: Row[] = [];
  for (const [cluster, peer] of ends(evidence)) {
    const end = cluster.expected.ends.get(peer.name);
    if (!end) continue;
    const given = evidence.addresses.get(cluster.name)?.views?.get(peer.name);
    for (const [i, view] of peer.views.entries()) {
      wanted.push({
        key: [cluster.name, peer.name, view.kind, view.cidr.text].join(' '),
        fields: fieldsOf({
          seenAs: { text: view.seenAs.text ?? '', from: view.seenAs },
          link: { text: end.link.kind, from: undefined },
          ...(given?.[i] ? { history: { text: String(given[i].isHistory), from: undefined } } : {}),
          orderDependent: { text: String(isRemapped(peer)), from: view.seenAs },
        }),
      });
    }
  }
  yield* compareRows({ evidence, file, list: 'views', keys: ['cluster', 'peer', 'kind', 'cidr'], wanted });
}

function* gatewayRows(evidence: Evidence, file: DocumentMap): Iterable<Diagnostic> {
  const wanted: Row[] = [];
  for (const [cluster, peer] of ends(evidence)) {
    const end = cluster.expected.ends.get(peer.name);
    if (!end) continue;
    wanted.push({ key: [cluster.name, peer.name].join(' '), fields: gatewayFields(evidence, { cluster, peer, end }) });
  }
  yield* compareRows({ evidence, file, list: 'gateways', keys: ['cluster', 'peer'], wanted });
}

interface GatewayEnd {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
  readonly end: ExpectedEnd;
}

/** Both ends' rows say what the client dials. */
function gatewayFields({ network }: Evidence, { cluster, peer, end }: GatewayEnd): ReadonlyMap<string, Wanted> {
  const other = network.get(peer.name)?.peers.get(cluster.name);
  const client = end.role === 'client' ? peer.gateway : other?.gateway;
  const { endpoint, mtuBytes } = end.link;
  const { dialled: port } = peer.endpoint;
  const from = (path: readonly string[]) => client && textAt(client.node, path);
  const [dialled] = client ? textsAt(client.node, ['spec', 'endpoint', 'addresses']) : [];
  return fieldsOf({
    role: { text: end.role, from: peer.gateway && { text: peer.gateway.kind, at: peer.gateway.at } },
    address: { text: endpoint.address, from: dialled },
    port: { text: port, from: from(['spec', 'endpoint', 'port']) },
    mtu: { text: String(mtuBytes), from: peer.gateway && textAt(peer.gateway.node, ['spec', 'mtu']) },
  });
}

const fieldsOf = (fields: Readonly<Record<string, Wanted>>): ReadonlyMap<string, Wanted> =>
  new Map(Object.entries(fields));

interface Comparison {
  readonly evidence: Evidence;
  readonly file: DocumentMap;
  readonly list: 'views' | 'gateways';
  readonly keys: readonly string[];
  readonly wanted: readonly Row[];
}

function* compareRows({ evidence, file, list, keys, wanted }: Comparison): Iterable<Diagnostic> {
  const found = nodeAt(file, [list]);
  const rows = found?.kind === 'list' ? found.items.filter((it): it is DocumentMap => it.kind === 'map') : [];
  const left = new Map(wanted.map((it) => [it.key, it.fields]));
  const seen = new Set<string>();
  for (const row of rows) {
    const key = keys.map((it) => unquoted(textAt(row, [it]).text)).join(' ');
    const fields = left.get(key);
    left.delete(key);
    if (fields) yield* compareRow(row, `the row of ${key}`, fields);
    else if (seen.has(key)) yield diagnostic('verify/addresses', row.span, `a second row of ${key}`);
    else if (isLinked(evidence, row))
      yield diagnostic('verify/addresses', rowPlace(row, keys), `no manifest has ${key}, which this row tells`);
    else
      yield diagnostic(
        'verify/unasked-path',
        rowPlace(row, keys),
        `this row tells of ${key}, and the topology does not link the two`,
      );
    seen.add(key);
  }
  for (const key of left.keys())
    yield diagnostic('verify/addresses', keySpanAt(file, [list]), `the row of ${key} is missing`);
}

/** The value by which a row is most often wrong: its network, or else its peer. */
const rowPlace = (row: DocumentMap, keys: readonly string[]): Diagnostic['span'] =>
  textAt(row, [keys.at(-1) ?? 'peer']).at;

const unquoted = (text: string | undefined): string => (text ?? '').replace(/^"(.*)"$/, '$1');

function isLinked({ network }: Evidence, row: DocumentMap): boolean {
  const [cluster, peer] = ['cluster', 'peer'].map((it) => unquoted(textAt(row, [it]).text));
  return network.get(cluster ?? '')?.peers.has(peer ?? '') ?? false;
}

function* compareRow(row: DocumentMap, what: string, fields: ReadonlyMap<string, Wanted>): Iterable<Diagnostic> {
  for (const [name, { text, from }] of fields) {
    const found = textAt(row, [name]);
    yield* claim({
      code: 'verify/addresses',
      what: `"${name}" in ${what}`,
      found,
      wanted: text,
      says: from?.text === text ? 'the manifests say' : 'the topology asks for',
      other: from?.text === text ? from : undefined,
    });
  }
}
