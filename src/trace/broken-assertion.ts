import { type Diagnostic, diagnostic, type Related } from '../diagnostics/diagnostic.ts';
import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { Assertion } from '../model/network-model.ts';
import { type BrokenPair, MOST_PAIRS } from './broken-pairs.ts';
import type { PairFate } from './pair-fates.ts';

/** The error about an assertion that does not hold: one pair that breaks it with both its ends, and how many more. */
export function brokenAssertion(
  assertion: Assertion,
  { from, to, found: pair }: BrokenPair,
  others: number,
): Diagnostic {
  return diagnostic('assertion/broken', assertion.at, `${messageOf(assertion, pair)}${andOthers(others)}`, {
    hint: hintOf(assertion, pair, { from, to }),
    related: [
      { message: `"${from.name}" sends`, span: from.at },
      { message: `"${to.name}" receives`, span: to.at },
      ...linkOf(pair, [from, to]),
    ],
  });
}

function andOthers(count: number): string {
  if (count === 0) return '';
  if (count >= MOST_PAIRS - 1) return '; other pairs break it, too';
  return count === 1 ? '; 1 other pair breaks it, too' : `; ${count} other pairs break it, too`;
}

function messageOf({ expect, via }: Assertion, pair: PairFate): string {
  const ends = { from: `"${pair.from}"`, to: `"${pair.to}"` };
  if (pair.fate !== 'delivered') return `${ends.from} does not reach ${ends.to}: ${REASONS[pair.fate]}`;
  const asserted = expect === 'reachable' && via !== null ? `, not ${WAYS[via]}` : '';
  return `${ends.from} reaches ${ends.to} ${wayText(pair)}${asserted}`;
}

const WAYS = { shortcut: 'by a shortcut', hub: 'through a hub' } as const;

const REASONS: Readonly<Record<Exclude<PairFate['fate'], 'delivered'>, string>> = {
  self: 'they are one cluster',
  'no-route': 'they have no link and no hub in common',
  'no-return': 'no answer can reach the sender',
  'not-a-pod-address': 'there is no pod',
  ambiguous: 'an address has two meanings on the way',
  'needs-run-time-address': 'the address is assigned at run time',
  retired: 'one of them is retired',
};

function wayText({ way }: PairFate): string {
  switch (way.kind) {
    case 'direct':
      return { hub: 'by their hub link', peering: 'by their peering', shortcut: 'by their shortcut' }[way.link.kind];
    case 'through':
      return `through "${way.hub}"`;
    case 'none':
      return 'somehow';
  }
}

interface Ends {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
}

function hintOf({ expect, via }: Assertion, { fate, way }: PairFate, { from, to }: Ends): string {
  if (fate === 'retired')
    return `remove \`retired\` from "${from.retired ? from.name : to.name}", or correct the assertion`;
  if (fate !== 'delivered') {
    return via === 'hub'
      ? 'give both a hub in common, or correct the assertion'
      : 'add the pair to `peerings`, or give both a hub in common, or correct the assertion';
  }
  if (expect === 'reachable') {
    return via === 'shortcut' && way.kind === 'through'
      ? 'add the pair to `shortcuts`, or correct the assertion'
      : 'remove the link, or correct the assertion';
  }
  return way.kind === 'through'
    ? 'give one of them another hub (or `hub: []`), or correct the assertion'
    : 'remove the link, or correct the assertion';
}

/** The place where the link is declared, when it is not one of the ends itself. */
function linkOf({ way }: PairFate, ends: readonly AddressedCluster[]): readonly Related[] {
  if (way.kind !== 'direct' || ends.some((it) => it.at === way.link.at)) return [];
  return [{ message: 'the link', span: way.link.at }];
}
