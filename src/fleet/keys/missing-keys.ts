import { byCodeUnit, groupBy, sortedUnique } from '../../base/core/collections.ts';
import { COLLECT_KEYS, makeKeys, readUnknownKeys } from '../../base/core/key-pair.ts';
import { countOf, firstLines, firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { bothEnds, type LinkEnd, type NetworkModel } from '../model/network-model.ts';
import { gatewayKey } from '../model/read-keys.ts';
import { namespaceOfConsumer, type Share, type SharedModel } from '../sharing/shared-model.ts';

/** The gateways without a key, by cluster and peer. `only` lists the clusters to check; `null` means all. */
export const missingKeys = (model: Links, only: readonly string[] | null): readonly KeylessGateway[] =>
  gatewaysOf(model, only, (it) => it.publicKey === null && !it.hasUnknownKey);

/** The gateways with a key that is not in the keys file. */
export const unknownKeys = (model: Links, only: readonly string[] | null): readonly KeylessGateway[] =>
  gatewaysOf(model, only, (it) => it.hasUnknownKey);

type Links = Pick<NetworkModel, 'links'>;

const gatewaysOf = (
  { links }: Links,
  only: readonly string[] | null,
  isMeant: (end: LinkEnd) => boolean,
): readonly KeylessGateway[] =>
  links
    .flatMap(bothEnds)
    .filter(({ own }) => isMeant(own))
    .map(
      ({ own, peer }): KeylessGateway => ({
        cluster: own.cluster.name,
        peer,
        namespace: own.names.namespace,
        secretName: own.names.secret,
      }),
    )
    .filter((it) => only === null || only.includes(it.cluster))
    .sort(byGateway);

const byGateway = (a: GatewayName, b: GatewayName): number =>
  byCodeUnit(a.cluster, b.cluster) || byCodeUnit(a.peer, b.peer);

/** Largest number of clusters, and of peers of each, in the warning. */
const SHOWN_CLUSTERS = 3;

/** The model in which these gateways (`rome/europe`) have keys that are not in the keys file. */
export function withKeys(model: NetworkModel, gateways: ReadonlySet<string>): NetworkModel {
  const marked = (own: LinkEnd, other: LinkEnd): LinkEnd =>
    gateways.has(gatewayKey(own.cluster.name, other.cluster.name)) ? { ...own, hasUnknownKey: true } : own;
  const links = model.links.map((it) => ({
    ...it,
    server: marked(it.server, it.client),
    client: marked(it.client, it.server),
  }));
  return { ...model, links };
}

/**
 * One warning for all gateways, because a fleet without keys is one state and not a mistake per gateway.
 *
 * @param lost gateways whose keys exist and only the keys file has lost them, which is reported elsewhere
 * @param mayBeLost the fleet was compiled before, and there is no keys file
 */
export function everyGatewayHasAKey<M extends NetworkModel>(
  model: M,
  lost: ReadonlySet<string>,
  mayBeLost: boolean,
): Outcome<M> {
  const missing = missingKeys(model, null);
  const unknown = unknownKeys(model, null).filter((it) => !lost.has(gatewayKey(it.cluster, it.peer)));
  return outcome(model, [
    ...warning(model, missing, {
      state: (one) => `${one ? 'has' : 'have'} no public key`,
      hint: isMadeByLiqo(model)
        ? `${COLLECT_KEYS} to record the public keys`
        : makeKeys('to make the key pairs and record the public keys', mayBeLost),
    }),
    ...warning(model, unknown, {
      state: (one) => `${one ? 'has a key' : 'have keys'} that git does not know`,
      hint: readUnknownKeys(unknown),
    }),
  ]);
}

/** True when every gateway makes its own key pair, in its cluster. */
export const isMadeByLiqo = ({ links }: Links): boolean => links[0]?.keySource === 'liqo';

interface State {
  readonly state: (one: boolean) => string;
  readonly hint: string;
}

function warning(
  { fleet, links }: NetworkModel,
  gateways: readonly GatewayName[],
  { state, hint }: State,
): readonly Diagnostic[] {
  if (gateways.length === 0) return [];
  const one = gateways.length === 1;
  const byCluster = [...groupBy(gateways, (it) => [it.cluster])].map(describeKeyless);
  const clusters = firstLines(byCluster, SHOWN_CLUSTERS, (left) => `and in ${countOf(left, 'more cluster')}`);
  const message = `${gateways.length} of ${2 * links.length} gateways ${state(one)}, so no PublicKey is written for ${one ? 'it' : 'them'}: ${clusters.join('; ')}`;
  return [diagnostic('keys/missing', fleet.at, message, { about: gateways.map((it) => [it.cluster, it.peer]), hint })];
}

const describeKeyless = ([cluster, gateways]: readonly [string, readonly GatewayName[]]): string =>
  `${quoted(cluster)} towards ${firstOf(
    gateways.map((it) => it.peer),
    SHOWN_CLUSTERS,
  )}`;

/** A cluster that borrows resources without a recorded authentication key. */
export interface KeylessConsumer {
  readonly cluster: string;
  /** The namespace in which Liqo runs and reads the Secret. */
  readonly liqoNamespace: string;
  readonly providers: readonly string[];
  /** Its tenant namespaces in its providers. */
  readonly tenantNamespaces: readonly string[];
  /** Every slice that it requests. */
  readonly slices: readonly string[];
}

/**
 * The consumers without a key, by name, including those with credentials, whose slices also have certificates. `only`
 * lists the clusters to check; `null` means all.
 */
export const missingAuthentication = (model: Shares, only: readonly string[] | null): readonly KeylessConsumer[] =>
  consumersOf(model, only, (it) => it.key === null && !it.hasUnknownKey);

/** The consumers with a key that is not in the keys file. */
export const unknownAuthentication = (model: Shares, only: readonly string[] | null): readonly KeylessConsumer[] =>
  consumersOf(model, only, (it) => it.hasUnknownKey);

type Shares = Pick<SharedModel, 'shares'>;

function consumersOf(
  { shares }: Shares,
  only: readonly string[] | null,
  isMeant: (share: Share) => boolean,
): readonly KeylessConsumer[] {
  const keyless = shares.filter((it) => isMeant(it) && (only === null || only.includes(it.consumer.name)));
  return [...groupBy(keyless, (it) => [it.consumer.name])].map(([cluster, own]) => ({
    cluster,
    liqoNamespace: own[0]?.consumer.liqoNamespace ?? bug(`"${cluster}" borrows nothing`),
    providers: sortedUnique(own.map((it) => it.provider.name)),
    tenantNamespaces: sortedUnique(own.map(namespaceOfConsumer)),
    slices: sortedUnique(own.flatMap((it) => it.slices.map((slice) => slice.name))),
  }));
}

/** The gateway of a cluster towards one peer, which has a WireGuard key pair of its own. */
export interface GatewayName {
  readonly cluster: string;
  readonly peer: string;
}

/** A gateway without a key, with its Secret. */
export interface KeylessGateway extends GatewayName {
  readonly namespace: string;
  readonly secretName: string;
}

/** A WireGuard key pair: 32 raw bytes each, as canonical base64. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}
