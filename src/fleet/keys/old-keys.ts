import { countOf, firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { secondsOf } from '../certificates/der.ts';
import { bothEnds, type NetworkModel } from '../model/network-model.ts';

/** A key is reported as old after this time. */
const OLD_DAYS = 365;

/** The number of gateways that the note names. */
const SHOWN = 3;

const DAY_SECONDS = 86_400;

/** One note about all gateways whose key was recorded more than a year ago. The time is in seconds since 1970. */
export function oldKeys(
  { fleet, links }: Pick<NetworkModel, 'fleet' | 'links'>,
  nowSeconds: number,
): readonly Diagnostic[] {
  const old = links.flatMap(bothEnds).flatMap(({ own, peer }) => {
    const { since } = own.keyPair;
    const days = since === null ? 0 : Math.floor((nowSeconds - secondsOf(`${since}T00:00:00Z`)) / DAY_SECONDS);
    return since !== null && days > OLD_DAYS ? [{ cluster: own.cluster.name, peer, since }] : [];
  });
  if (old.length === 0) return [];
  const named = firstOf(
    old.map((it) => `${quoted(it.cluster)} towards ${quoted(it.peer)} since ${it.since}`),
    SHOWN,
  );
  const message = `${countOf(old.length, 'gateway')} ${old.length === 1 ? 'has' : 'have'} had the same key for more than a year: ${named}`;
  return [
    diagnostic('public-keys/old', fleet.at, message, {
      about: old.map((it) => [it.cluster, it.peer]),
      hint: `run "weft keys rotate --older-than ${OLD_DAYS}d"`,
    }),
  ];
}
