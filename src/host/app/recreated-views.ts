import { bug } from '../../base/diagnostics/bug.ts';
import { compile } from '../../compile.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import { type RecreatedView, recreatedView } from '../../reach/view/recreated-view.ts';
import type { ReadyTopology } from './compile-topology.ts';

/**
 * How a cluster sees a peer once the Configuration of that peer was deleted and created again. The IPAM is asked for its
 * networks again, in the same order and with the same rules, while all others keep theirs; so this is what the lock of today
 * gives without the decisions about that peer. Real controllers did the same in a recorded fleet, on 1.2.0.
 */
export function recreatedViews(
  { sources, compiled, files }: ReadyTopology,
  cluster: string,
  peer: string,
): RecreatedView {
  const lock = { path: files.lock, text: compiled.lock };
  const again = compile({ ...sources, lock }, { relock: [{ cluster, peer }], only: [], withoutAssertions: true });
  if (!again.ok) return bug(`"${cluster}" cannot see "${peer}" again: ${again.diagnostics[0]?.message ?? ''}`);
  const peerIn = (model: AddressedModel) =>
    clusterNamed(model, cluster).peers.get(peer) ?? bug(`"${cluster}" has no peer "${peer}"`);
  return recreatedView(cluster, peerIn(compiled.model), peerIn(again.value.model));
}
