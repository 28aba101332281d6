import { describe, expect, it } from 'vitest';
import { prefixOf, printPrefix } from '../../../src/base/net/text.ts';
import { assignViews } from '../../../src/fleet/ipam/assign-views.ts';
import { placeOwnAddresses } from '../../../src/fleet/ipam/own-addresses.ts';
import { compiledText } from '../../support/compile-text.ts';

const { model } = compiledText(`
version: 1
name: fleet
hub: hub
order: [first, second]
defaults: { serviceCIDR: 172.20.0.0/16, internalCIDR: 172.21.0.0/16 }
clusters:
  hub: { podCIDR: 172.16.0.0/16, externalCIDR: 172.17.0.0/16, gateway: 203.0.113.1 }
  first: { podCIDR: 10.1.0.0/16 }
  second: { podCIDR: 10.2.0.0/16 }
`);

/** Pod CIDRs of the two peers in the order in which they join; the external CIDR of each is 10.70.0.0/16. */
type Pods = readonly [first: readonly string[], second: readonly string[]];

/** The views that the hub has of its two peers, also of networks that rules refuse. */
function viewsOf(pods: Pods): readonly string[] {
  const clusters = [...model.clusters.values()];
  const hub = clusters.find(({ name }) => name === 'hub');
  if (hub === undefined) throw new Error('no hub');
  const announcements = model.links.map((link, i) => {
    const peer = clusters.find(({ name }) => name === link.client.cluster.name) ?? hub;
    const podCIDRs = (pods[i] ?? []).map((it) => ({ value: prefixOf(it), at: peer.at }));
    return { viewer: hub, link, peer: { ...peer, podCIDRs } };
  });
  const own = placeOwnAddresses(hub, {});
  const freshIpam = () => placeOwnAddresses(hub, {}).ipam;
  const { peers } = assignViews({ cluster: hub, announcements, leaving: [], own, freshIpam, decisions: new Map() });
  return peers.map(
    ({ name, podViews, externalView }) =>
      `${name} ${[...podViews, externalView].map((it) => printPrefix(it.seenAs)).join(' ')}`,
  );
}

describe('a peer keeps its networks beside one', () => {
  it.each<readonly [string, Pods, readonly string[]]>([
    [
      'with a pod CIDR inside another one of its own',
      [['10.50.0.0/16', '10.50.7.0/24'], ['10.50.8.0/24']],
      ['second 10.50.8.0/24 10.70.0.0/16', 'first 10.51.0.0/16 10.50.7.0/24 10.48.0.0/16'],
    ],
    [
      'with a pod CIDR that is its external one, too',
      [['10.50.0.0/16', '10.70.0.0/16'], ['10.50.0.0/17']],
      ['second 10.50.0.0/17 10.70.0.0/16', 'first 10.51.0.0/16 10.48.0.0/16 10.49.0.0/16'],
    ],
  ])('%s', (_, pods, views) => {
    expect(viewsOf(pods)).toEqual(views);
  });
});
