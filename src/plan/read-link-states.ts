import { printBundlePath } from '../core/bundle-path.ts';
import { groupBy } from '../core/group-by.ts';
import { printLinkId } from '../core/link-id.ts';
import { printLockKey } from '../core/lock-key.ts';
import { by, inOrder } from '../core/order.ts';
import type { AddressesFile, AddressesView } from '../schema-types/addresses.ts';
import { type LinkState, pairOf, type SideState, type ViewState } from './network-state.ts';
import { type ManifestLines, readManifestLines } from './read-manifest-lines.ts';
import { type NamedSecret, readNamesState, usualSecret, withUsualSecret } from './read-names-state.ts';
import { readServiceState, ServiceTemplates } from './read-service-state.ts';
import type { Decisions, Files } from './state-texts.ts';

export function readLinkStates(
  { views, gateways }: AddressesFile,
  files: Files,
  decisions: Decisions,
): { readonly links: ReadonlyMap<string, LinkState>; readonly keySecret: string | null } {
  const rows = groupBy(views, (it) => [sideOf(it.cluster, it.peer)]);
  const links: LinkState[] = [];
  const templates = new ServiceTemplates(files);
  for (const it of gateways) {
    if (it.role !== 'server') continue;
    const { cluster: server, peer: client, address, port, mtu: mtuBytes } = it;
    const [a, b] = inOrder(server, client);
    const manifests = new Map(
      [server, client].map((end) => [end, peerManifests(files, end, end === server ? client : server)]),
    );
    const side = (cluster: string, peer: string) =>
      readSide(cluster, peer, rows.get(sideOf(cluster, peer)) ?? [], manifests.get(cluster) ?? []);
    links.push({
      pair: pairOf(a, b),
      ends: [a, b],
      kind: rows.get(sideOf(server, client))?.[0]?.link ?? 'peering',
      server,
      client,
      address,
      port,
      mtuBytes,
      join: joinOf(a, b, decisions) ?? joinOf(b, a, decisions),
      service: readServiceState(manifests.get(server) ?? [], server, templates),
      sides: new Map([
        [a, side(a, b)],
        [b, side(b, a)],
      ]),
    });
  }
  const keySecret = usualSecret(links.flatMap((it) => [...it.sides.values()]).flatMap(namedSecret));
  const named = links.sort(by((it) => it.pair)).map((it) => ({ ...it, sides: new Map([...it.sides].map(usually)) }));
  return { links: new Map(named.map((it) => [it.pair, it])), keySecret };

  function usually([end, it]: readonly [string, SideState]): readonly [string, SideState] {
    return [end, { ...it, names: withUsualSecret(it.names, it.peer, keySecret) }];
  }
}

const namedSecret = ({ peer, names: { secret } }: SideState): readonly NamedSecret[] =>
  secret === null ? [] : [{ peer, secret }];

/** One end of a link, as a key. */
const sideOf = (cluster: string, peer: string): string => printLinkId({ first: cluster, second: peer });

/** The join number of a link, under one of its two identities. */
const joinOf = (first: string, second: string, decisions: Decisions): number | null =>
  Number(decisions.get(printLockKey({ kind: 'join', link: { first, second } })) ?? Number.NaN) || null;

export const peerManifests = (files: Files, cluster: string, peer: string): readonly ManifestLines[] =>
  readManifestLines(files.get(printBundlePath({ part: 'peer', cluster, peer, file: 'manifests' })) ?? '');

function readSide(
  cluster: string,
  peer: string,
  rows: readonly AddressesView[],
  manifests: readonly ManifestLines[],
): SideState {
  const gateway = manifests.find((it) => /^Gateway(Server|Client)$/.test(it.get('kind') ?? ''));
  const ref = gateway?.get('kind') === 'GatewayServer' ? 'spec.serverTemplateRef' : 'spec.clientTemplateRef';
  const name = gateway?.get(`${ref}.name`);
  return {
    cluster,
    peer,
    template: name === undefined ? null : `${gateway?.get(`${ref}.namespace`) ?? ''}/${name}`,
    names: readNamesState(manifests, peer),
    keyOfPeer: manifests.find((it) => it.get('kind') === 'PublicKey')?.get('spec.publicKey') ?? null,
    orderDependent: rows.some((it) => it.orderDependent),
    views: rows.map(({ kind, cidr, seenAs, history }): ViewState => ({ kind, cidr, seenAs, history })),
  };
}
