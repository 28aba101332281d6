import type { AddressedModel, Peer } from '../../src/fleet/ipam/addressed-model.ts';

/** A model with copies of its clusters whose peers refer to each other: for a test that replaced some of them. */
export function joinPeers<M extends AddressedModel>(model: M): M {
  const { clusters } = model;
  const joined = new Map([...clusters].map(([name, it]) => [name, { ...it, peers: new Map<string, Peer>() }]));
  for (const [name, { peers }] of clusters) {
    for (const it of peers.values())
      joined.get(name)?.peers.set(it.name, { ...it, cluster: joined.get(it.name) ?? it.cluster });
  }
  return { ...model, clusters: joined };
}
