import { readAddress } from '../../../base/net/text.ts';
import type { Opening, Target } from '../../../reach/ports/opening.ts';
import { targetInside } from '../../../reach/ports/target-inside.ts';
import { isName, PURPOSES, UNKNOWN } from './target-text.ts';

/** A rule of the firewall in front of one cluster that accepts the first packet of a flow. */
export interface FirewallRule {
  readonly protocol: Opening['protocol'];
  /** An IPv4 address or network; `null` for any. */
  readonly source: string | null;
  /** An IPv4 address, or a word in its place when it is missing. */
  readonly address: string;
  readonly port: string;
  /** What it is for, in letters, digits, spaces and hyphens: names of clusters have no others. */
  readonly comment: string;
  /** What a person has to fill in before the rule can be loaded; `null` for nothing. */
  readonly missing: string | null;
}

/** The rules of one cluster's firewall in each direction. */
export interface FirewallRules {
  readonly out: readonly FirewallRule[];
  readonly into: readonly FirewallRule[];
}

interface FirewalledCluster {
  readonly cluster: string;
  readonly openings: readonly Opening[];
}

export const firewallRules = ({ cluster, openings }: FirewalledCluster): FirewallRules => ({
  // Where packets leave, they have addresses of nodes, and not yet those that others see.
  out: openings
    .filter((it) => it.from === cluster)
    .map((it) => ({ ...ruleTo(it.dialled, it), source: null, comment: `${PURPOSES[it.purpose]} to ${it.to}` })),
  into: openings
    .filter((it) => it.to === cluster)
    .flatMap((it) => {
      const comment = `${PURPOSES[it.purpose]} from ${it.from}`;
      const sources = it.sources.length === 0 ? [null] : it.sources;
      return sources.map((source) => ({ ...ruleTo(targetInside(it), it), source, comment }));
    }),
});

function ruleTo({ address, port }: Target, { protocol }: Opening): Omit<FirewallRule, 'source' | 'comment'> {
  const ipv4 = address !== null && readAddress(address) !== undefined ? address : null;
  const missing = [
    ...(ipv4 === null ? [`ADDRESS is ${addressToFill(address)}`] : []),
    ...(port === null ? [`PORT is ${UNKNOWN}`] : []),
  ];
  return {
    protocol,
    address: ipv4 ?? 'ADDRESS',
    port: port === null ? 'PORT' : String(port),
    missing: missing.length === 0 ? null : missing.join(', '),
  };
}

function addressToFill(address: string | null): string {
  if (address === null) return UNKNOWN;
  return isName(address) ? `what ${address} resolves to` : `${address}, which needs a rule for IPv6`;
}
