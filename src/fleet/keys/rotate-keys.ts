import { by } from '../../base/core/collections.ts';
import type { PublicKeys, RecordedPair } from '../../base/core/key-pair.ts';
import type { RelockTarget } from '../../base/core/lock-key.ts';
import { bothEnds, type Link, type LinkEnd, type NetworkModel, type OwnEnd } from '../model/network-model.ts';
import { nextSecretOf } from '../model/object-names.ts';
import { printKeySecret } from './generate-keys.ts';
import type { KeylessGateway, KeyPair } from './missing-keys.ts';

interface Selection {
  /** The links, or all links of a cluster; empty for every link. */
  readonly targets: readonly RelockTarget[];
  /** Only links with a key from this day or before it, or from an unknown day; `null` for keys of any age. */
  readonly madeUntil: string | null;
}

/** The links whose keys are to be rotated, in order of their names. */
export const linksToRotate = (
  { links }: Pick<NetworkModel, 'links'>,
  { targets, madeUntil }: Selection,
): readonly Link[] =>
  links
    .filter(({ server, client }) => {
      const names = [server.cluster.name, client.cluster.name];
      const isMeant = targets.some((it) => names.includes(it.cluster) && (it.peer === null || names.includes(it.peer)));
      return targets.length === 0 || isMeant;
    })
    .filter((it) => madeUntil === null || bothEnds(it).some(({ own }) => isOld(own, madeUntil)))
    .sort(by(({ id }) => `${id.first}/${id.second}`));

const isOld = ({ keyPair: { since } }: LinkEnd, day: string): boolean => since === null || since <= day;

export const gatewayEnds = (links: readonly Link[]): readonly OwnEnd[] => links.flatMap(bothEnds);

export const hasKey = ({ own }: OwnEnd): boolean => own.publicKey !== null || own.hasUnknownKey;

export const hasNext = ({ own }: OwnEnd): boolean => own.keyPair.next !== null;

interface NextKeysRequest {
  /** Ends without a next key. */
  readonly ends: readonly OwnEnd[];
  readonly recorded: PublicKeys;
  readonly newPair: () => KeyPair;
  /** Written like `2026-11-28`. */
  readonly today: string;
}

interface NextKeys {
  readonly keys: PublicKeys;
  /** Secrets by cluster: a YAML stream each, to be applied in that cluster. Liqo does not find them. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Makes a key pair of the next generation for each of these ends. The pairs in use do not change. */
export function makeNextKeys({ ends, recorded, newPair, today }: NextKeysRequest): NextKeys {
  const secrets = new Map<string, string>();
  const next = new Map<OwnEnd, KeyPair>();
  for (const end of [...ends].sort(by(({ own, peer }) => `${own.cluster.name}/${peer}`))) {
    const pair = newPair();
    next.set(end, pair);
    const gateway = nextGateway(end);
    const secret = printKeySecret(gateway, pair, true);
    secrets.set(gateway.cluster, (secrets.get(gateway.cluster) ?? '') + secret);
  }
  const keys = changed(recorded, ends, (pair, end) => {
    const made = next.get(end);
    return made === undefined ? pair : { ...pair, next: { key: made.publicKey, since: today } };
  });
  return { keys, secrets };
}

/** The recorded keys after the next ones of these ends are in use. */
export const switchKeys = (recorded: PublicKeys, ends: readonly OwnEnd[]): PublicKeys =>
  changed(recorded, ends, ({ next, generation, ...pair }) =>
    next === null
      ? { ...pair, generation, next }
      : { key: next.key, generation: generation + 1, since: next.since, next: null },
  );

function changed(
  recorded: PublicKeys,
  ends: readonly OwnEnd[],
  change: (pair: RecordedPair, end: OwnEnd) => RecordedPair,
): PublicKeys {
  const keys = new Map([...recorded].map(([cluster, byPeer]) => [cluster, new Map(byPeer)]));
  for (const end of ends) {
    const byPeer = keys.get(end.own.cluster.name);
    const pair = byPeer?.get(end.peer);
    if (pair !== undefined) byPeer?.set(end.peer, change(pair, end));
  }
  return keys;
}

const nextGateway = ({ own, peer }: OwnEnd): KeylessGateway => ({
  ...{ cluster: own.cluster.name, peer },
  namespace: own.names.namespace,
  secretName: nextSecretOf(own),
});
