import { printAddress, printPrefix } from '../../base/net/text.ts';
import type { GatewayOfLink } from '../../fleet/model/keyless-ends.ts';
import type { GatewayAt } from '../../reach/whois/gateways-at.ts';
import type { Use } from '../../reach/whois/uses-of.ts';
import type { Elsewhere, Whois } from '../../reach/whois/whois.ts';

/** Whose an address is, as data. Programs rely on it: keys are added, never removed or given another meaning. */
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
  /** The cluster that is seen there; `null` unless `kind` is `seen`. */
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
    /** Of the address that `hub` assigns at run time. */
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
