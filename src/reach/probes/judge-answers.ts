import type { PlannedProbe, Prober } from './plan-probes.ts';
import type { ProbeAnswer } from './probe-script.ts';

/** The result of a probe, compared with its prediction. */
export type ProbeVerdict =
  | { readonly kind: 'as-predicted' }
  /** Nothing answers at the predicted address. */
  | { readonly kind: 'lost' }
  /** Another pod or program answers; `cluster` is its cluster, if it is a prober of the fleet. */
  | { readonly kind: 'other-receiver'; readonly host: string; readonly cluster: string | null }
  /** TCP arrives, UDP does not. */
  | { readonly kind: 'udp-lost' }
  /** The receiver sees another sender than predicted. */
  | { readonly kind: 'other-source'; readonly source: number }
  /** Small packets arrive, those that fill the MTU do not. */
  | {
      readonly kind: 'full-packet-lost';
      /** Which of them do: TCP finds a smaller size where routers report it. */
      readonly full: ProbeAnswer['full'];
      /** The size that the sender's kernel has learned; `null` when it has learned none. */
      readonly pathMtu: number | null;
    }
  /** A Service does not have the one endpoint that it must have. */
  | { readonly kind: 'other-endpoints' }
  /** The prober answers, although no packet should reach it. */
  | { readonly kind: 'reached' };

export interface JudgedProbe {
  readonly probe: PlannedProbe;
  readonly verdict: ProbeVerdict;
}

/** Compares every answer with its prediction. */
export function judgeAnswers(
  probes: readonly PlannedProbe[],
  answers: ReadonlyMap<number, ProbeAnswer>,
  probers: readonly Prober[],
): readonly JudgedProbe[] {
  const byCluster = new Map(probers.map((it) => [it.cluster, it]));
  const byPod = new Map(probers.map((it) => [it.pod, it]));
  return probes.flatMap((probe) => {
    const answer = answers.get(probe.id);
    if (answer === undefined) return [];
    const pod = byCluster.get(probe.to)?.pod;
    const verdict = verdictOn(probe, answer, { pod, clusterOf: (host) => byPod.get(host)?.cluster ?? null });
    return [{ probe, verdict }];
  });
}

interface Receivers {
  /** The pod that must answer. */
  readonly pod: string | undefined;
  readonly clusterOf: (host: string) => string | null;
}

function verdictOn(probe: PlannedProbe, answer: ProbeAnswer, { pod, clusterOf }: Receivers): ProbeVerdict {
  const { predicted } = probe;
  const { host, source, full, pathMtu } = answer;
  if (predicted.kind === 'lost') return { kind: host !== null && host === pod ? 'reached' : 'as-predicted' };
  const { endpoints } = probe;
  if (endpoints && (endpoints.found.length !== 1 || endpoints.found[0] !== endpoints.expected))
    return { kind: 'other-endpoints' };
  if (host === null) return { kind: 'lost' };
  if (host !== pod) return { kind: 'other-receiver', host, cluster: clusterOf(host) };
  if (source === null) return { kind: 'udp-lost' };
  if (source !== predicted.source) return { kind: 'other-source', source };
  const isCut = pathMtu === 'less' || (pathMtu !== null && pathMtu < probe.mtuBytes);
  if (!full.tcp || !full.udp || isCut)
    return { kind: 'full-packet-lost', full, pathMtu: pathMtu === 'less' ? null : pathMtu };
  return { kind: 'as-predicted' };
}

/** True when the receiver answered, whatever else differs. */
export const hasArrived = ({ verdict, probe }: JudgedProbe): boolean =>
  verdict.kind === 'reached' ||
  (probe.predicted.kind === 'delivered' &&
    verdict.kind !== 'lost' &&
    verdict.kind !== 'other-receiver' &&
    verdict.kind !== 'other-endpoints');
