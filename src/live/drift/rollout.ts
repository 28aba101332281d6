import type { Peer } from '../../fleet/ipam/addressed-model.ts';
import { connectionProblem } from '../problems/link-problems.ts';
import { type ClusterCase, ofKind, type PeerCase } from './cluster-case.ts';
import { type ClusterDrift, isDrift, type Problem } from './drift.ts';

/** The progress of a rollout. */
export interface Rollout {
  /** The number of compared objects that exist. */
  readonly there: number;
  readonly compared: number;
  /** `same`: as in git. `waiting`: incomplete, but nothing contradicts git. */
  readonly state: 'same' | 'waiting' | 'drift';
  /** The next step in the order of the bundle; `null` when nothing is missing. */
  readonly waitsFor: string | null;
}

export function rolloutOf(
  it: ClusterCase,
  { compared, findings }: ClusterDrift,
  problems: readonly Problem[],
): Rollout {
  const found = problems.filter(isDrift);
  const missing = findings.filter((one) => one.kind === 'missing' && one.object.kind !== 'Secret').length;
  const isWaiting = found.some((one) => one.isWaiting);
  return {
    there: compared - missing,
    compared,
    state: found.length === 0 ? 'same' : found.every((one) => one.isWaiting) ? 'waiting' : 'drift',
    waitsFor: isWaiting ? (nextStep(it) ?? null) : null,
  };
}

/** Returns the first incomplete step: namespaces, Configurations in their order, gateways, tunnels. */
function nextStep({ cluster, peers, live }: ClusterCase): string | undefined {
  const inOrder = [...cluster.peers.values()].flatMap((it) => {
    const peer = peers.get(it.name);
    return peer === undefined ? [] : [{ it, peer }];
  });
  const first = (isDone: (peer: PeerCase) => string | undefined, words: (place: PeerStep) => string) => {
    for (const [index, { it, peer }] of inOrder.entries()) {
      const why = isDone(peer);
      if (why !== undefined) return words({ peer: it, place: `${index + 1} of ${inOrder.length}`, why });
    }
    return undefined;
  };
  const steps = [
    first(namespaceState, ({ peer }) => `the namespace of "${peer.name}"`),
    first(configurationState, ({ peer, place, why }) => `its Configuration ${place} ("${peer.name}"): ${why}`),
    first(gatewayState, ({ peer, why }) => `its gateway for "${peer.name}": ${why}`),
    live.listed.has('Connection.networking.liqo.io')
      ? first(
          (it) => connectionState(it, cluster.name),
          ({ peer, why }) => `its tunnel to "${peer.name}": ${why}`,
        )
      : undefined,
  ];
  return steps.find((it) => it !== undefined);
}

interface PeerStep {
  readonly peer: Peer;
  /** `2 of 3`, in the order of application. */
  readonly place: string;
  readonly why: string;
}

const namespaceState = ({ live, promised }: PeerCase): string | undefined =>
  ofKind(promised, 'Namespace').length > 0 && live.length === 0 ? 'it is not there' : undefined;

function configurationState({ facts: { configurations, networks }, declared }: PeerCase): string | undefined {
  const [configuration] = configurations;
  if (configuration === undefined) return 'it is not applied yet';
  const without = networks.filter((it) => it.given === null);
  if (without.length > 0) return `its ${without.length === 1 ? 'Network has' : 'Networks have'} no status`;
  const wanted = (declared?.podViews.length ?? 0) + 1;
  const pods = configuration.seen?.pod ?? [];
  if (pods.length > 0 && pods.every((it) => it !== '')) return undefined;
  return networks.length < wanted ? 'its Networks are not there' : 'it has no status';
}

const gatewayState = ({ facts, declared }: PeerCase): string | undefined =>
  facts.gateways.some((it) => it.role === (declared?.role ?? 'client')) ? undefined : 'it is not applied yet';

const WAITS = { pod: 'its gateway has no running pod yet', endpoint: 'its gateway has no endpoint yet' } as const;

function connectionState({ facts }: PeerCase, cluster: string): string | undefined {
  const it = connectionProblem(facts, cluster);
  if (it === null) return undefined;
  if (it.waitsFor !== null) return WAITS[it.waitsFor];
  return it.kind === 'no-connection' || it.value === '' ? 'it has no state yet' : `it is ${it.value}`;
}
