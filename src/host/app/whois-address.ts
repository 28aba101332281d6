import { clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { unkeptAt } from '../../live/problems/link-faults.ts';
import { type Whois, whois } from '../../reach/whois/whois.ts';
import type { Unanswered } from './compile-topology.ts';
import { type LiveLook, type LookedUp, type NetworkRequest, networkOf } from './network-of.ts';
import type { LivePorts } from './ports.ts';

interface WhoisRequest extends NetworkRequest {
  /** The address as an unsigned 32-bit integer. */
  readonly address: number;
  /** The cluster from whose point of view the address is looked up; `undefined` for all clusters. */
  readonly within: string | undefined;
}

interface FoundAddress extends LookedUp<'found'> {
  readonly whois: Whois;
  /** Faults of a live network that concern the address itself. */
  readonly faults: LiveLook['faults'];
  /** This lookup in git's network; `null` without a topology, or when the network is already git's. */
  readonly inGit: Whois | null;
}

/** Finds the owner of an address in the compiled network. */
export async function whoisAddress(ports: LivePorts, request: WhoisRequest): Promise<Unanswered | FoundAddress> {
  const { address, within } = request;
  const clusters = within === undefined ? [] : [within];
  const topology = await networkOf(ports, request, clusters);
  if (topology.kind !== 'compiled') return topology;
  const { model } = topology.compiled;
  const viewer = within === undefined ? null : clusterNamed(model, within);
  const { live, diagnostics } = topology;
  const git = live?.git ?? null;
  const faults = unkeptAt(live?.faults ?? [], address).filter((it) => within === undefined || it.cluster === within);
  const inGit =
    git === null ? null : whois(git, address, within === undefined ? null : (git.clusters.get(within) ?? null));
  return { kind: 'found', diagnostics, whois: whois(model, address, viewer), live, faults, inGit };
}
