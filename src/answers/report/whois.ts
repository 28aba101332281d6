import { groupBy } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, firstOf } from '../../base/core/words.ts';
import { specialNetworkOf } from '../../base/net/special-networks.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import type { GatewayOfLink } from '../../fleet/model/network-model.ts';
import type { GatewayAt } from '../../reach/whois/owners-of.ts';
import { dialText, type Elsewhere, OWNED, type Use, type Whois } from '../../reach/whois/whois.ts';
import type { Answer } from './answer.ts';
import { alignRows, printLines } from './layout.ts';
import { type LookReport, lookKeys, withLook, withLookMarkdown } from './live-look.ts';
import { markdownTable, markdownText } from './markdown-text.ts';
import type { Paint } from './paint.ts';

/** The most names of a list that are printed; a fleet can have thousands of clusters with equal networks. */
const NAMED = 6;

interface Found {
  readonly whois: Whois;
  readonly look: LookReport | null;
}

/** `weft whois`. */
export const whoisAnswer: Answer<'whois', Found> = {
  text: ({ whois, look }, { paint }) => withLook(printWhois(whois, paint), look, paint),
  json: ({ whois, look }) => ({ whois: whoisDocument(whois), ...lookKeys(look) }),
  markdown: ({ whois, look }) => withLookMarkdown(printWhoisMarkdown(whois), look),
};

/** `weft whois ADDRESS`: the meaning of an address in each cluster, with one row per answer. */
export function printWhois(whois: Whois, paint: Paint): string {
  const rows = alignRows(
    answerRows(whois).map(([where, what]) => ['', where, what]),
    paint.columns,
  );
  return printLines([
    paint.strong(printAddress(whois.address)),
    ...rows,
    ...remarksOf(whois).map((it) => `  ${visibleText(it)}`),
  ]);
}

/** Prints the answer for a pull request or a wiki. */
function printWhoisMarkdown(whois: Whois): string {
  return printLines([
    `### ${printAddress(whois.address)}`,
    ...markdownTable(
      ['in', 'it is'],
      answerRows(whois).map((row) => row.map(markdownText)),
    ),
    ...remarksOf(whois).flatMap((it) => ['', markdownText(it)]),
  ]);
}

function answerRows({ address, answers }: Whois): readonly (readonly [where: string, what: string])[] {
  const groups = groupBy(answers, (it) => [it.uses.map(useText).join(', and ')]);
  return [...groups].map(([what, of]) => {
    const names = of.map((it) => it.cluster);
    const where = names.length > NAMED ? `${firstOf(names, NAMED)} clusters` : names.join(', ');
    return [where, what === '' ? unusedText(address) : what];
  });
}

function unusedText(address: number): string {
  const special = specialNetworkOf(address);
  return special === undefined
    ? 'nothing of this fleet: packets leave by the default route'
    : `nothing of this fleet, and no cluster routes it: ${printPrefix(special.prefix)} are ${special.what}`;
}

export function useText(use: Use): string {
  const network = printPrefix(use.network);
  switch (use.kind) {
    case 'own':
      return `${use.hidesPods && use.role === 'unknown-source' ? OF_ALL : OWN[use.role]} (${network})`;
    case 'seen': {
      const keys = use.keyless.length === 0 ? '' : `; the link carries nothing, because it lacks a public key`;
      return `${seenText(use)} (${network})${keys}`;
    }
    case 'tunnel':
      return `an end of a tunnel, the same in every gateway (${network})`;
  }
}

const OWN = {
  pod: 'a pod of its own',
  service: 'a Service of its own',
  external: 'an address of its external CIDR, which it maps to a pod that it has offloaded, at run time',
  'unknown-source': 'its unknown source, the source of its packets that are not from pods',
  internal: 'an overlay address of its gateways and nodes',
  reserved: 'in a network that it reserves',
} as const;

const OF_ALL = 'its unknown source, the source of all its packets to peers';

function seenText({ role, peer, real, hidesPods }: Use & { readonly kind: 'seen' }): string {
  switch (role) {
    case 'pod':
      return `a pod of ${peer}, there ${printAddress(real)}`;
    case 'run-time':
      return `an address that ${peer} maps to a pod that it has offloaded, at run time; there ${printAddress(real)}`;
    case 'unknown-source':
      return hidesPods
        ? `the unknown source of ${peer}, the source of all its packets`
        : `the unknown source of ${peer}, the source of packets that it forwards or that are not from pods`;
  }
}

const remarksOf = (whois: Whois): readonly string[] => [...elsewhereLines(whois), ...whois.gateways.map(gatewayText)];

function elsewhereLines(whois: Whois): readonly string[] {
  const { elsewhere } = whois;
  const left = elsewhere.length - NAMED;
  return [
    ...elsewhere.slice(0, NAMED).map((it) => elsewhereText(whois, it)),
    ...(left > 0 ? [`${countOf(left, 'more cluster')} ${left === 1 ? 'uses' : 'use'} it; -o json lists all.`] : []),
  ];
}

const elsewhereText = ({ address, answers }: Whois, { cluster, role, dial }: Elsewhere): string =>
  `${cluster.name} uses ${printAddress(address)} ${OWNED[role]}; ${answers[0]?.cluster} ${dialText(dial, role)}.`;

function gatewayText({ cluster, as, dialledBy }: GatewayAt): string {
  const keys = as.length === 0 ? 'an option of a link' : as.map((it) => `gateway.${it}`).join(', ');
  const dials = dialledBy.map((it) => `${it.cluster} at port ${it.port}`);
  const by = dials.length === 0 ? 'no peer dials it' : `dialled by ${firstOf(dials, NAMED)}`;
  return `Gateway of ${cluster} (${keys}); ${by}.`;
}

/** The owners of an address as data. Programs rely on it: keys are added, never removed or changed in meaning. */
interface WhoisDocument {
  readonly address: string;
  readonly answers: readonly { readonly cluster: string; readonly uses: readonly UseRow[] }[];
  readonly elsewhere: readonly ElsewhereRow[];
  readonly gateways: readonly GatewayAt[];
}

interface UseRow {
  readonly kind: Use['kind'];
  /** `null` for a tunnel. */
  readonly role: string | null;
  readonly network: string;
  /** The cluster with that view; `null` unless `kind` is `seen`. */
  readonly peer: string | null;
  /** The address that the peer itself uses. */
  readonly real: string | null;
  /** Gateways of the link without a public key. */
  readonly keyless: readonly GatewayOfLink[];
}

interface ElsewhereRow {
  readonly cluster: string;
  readonly role: Elsewhere['role'];
  readonly network: string;
  readonly dial: {
    readonly kind: Elsewhere['dial']['kind'];
    readonly address: string | null;
    readonly hub: string | null;
    /** The network from which `hub` assigns the address at run time. */
    readonly network: string | null;
    readonly others: readonly string[];
  };
}

export const whoisDocument = ({ address, answers, elsewhere, gateways }: Whois): WhoisDocument => ({
  address: printAddress(address),
  answers: answers.map(({ cluster, uses }) => ({ cluster, uses: uses.map(useRow) })),
  elsewhere: elsewhere.map(elsewhereRow),
  gateways,
});

function useRow(use: Use): UseRow {
  const isSeen = use.kind === 'seen';
  return {
    kind: use.kind,
    role: use.kind === 'tunnel' ? null : use.role,
    network: printPrefix(use.network),
    peer: isSeen ? use.peer : null,
    real: isSeen ? printAddress(use.real) : null,
    keyless: isSeen ? use.keyless : [],
  };
}

function elsewhereRow({ cluster, role, network, dial }: Elsewhere): ElsewhereRow {
  const isThrough = dial.kind === 'through';
  return {
    cluster: cluster.name,
    role,
    network: printPrefix(network),
    dial: {
      kind: dial.kind,
      address: dial.kind === 'address' ? printAddress(dial.address) : null,
      hub: isThrough ? dial.hub : null,
      network: isThrough ? printPrefix(dial.network) : null,
      others: isThrough ? dial.others : [],
    },
  };
}
