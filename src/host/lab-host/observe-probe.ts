import { readAddress } from '../../base/net/text.ts';
import { describeSeen, type Observation } from '../../reach/lab/judge-probes.ts';
import type { Probe, Seen } from '../../reach/lab/lab-plan.ts';
import type { AgentAnswer } from './agent-messages.ts';

/** A ping as the kernel of a receiver has recorded it. */
export interface SeenPing extends Seen {
  readonly by: string;
  readonly lengthBytes: number;
}

/** `10.0.0.1 . 10.0.0.2 . 84`, as often as the set has elements. */
export function readPings(by: string, text: string): readonly SeenPing[] {
  return [...text.matchAll(/([\d.]+) \. ([\d.]+) \. (\d+)/g)].flatMap(([, from = '', to = '', length = '']) => {
    const seen = readSeen(from, to);
    return seen === undefined ? [] : { ...seen, by, lengthBytes: Number(length) };
  });
}

/** Combines the reports of the sender and the receiver of a probe. */
export function observe(probe: Probe, answer: AgentAnswer | undefined, pings: readonly SeenPing[]): Observation {
  const ping = probe.protocol === 'icmp' ? findPing(probe, pings) : undefined;
  if (answer?.kind !== 'answered') return { kind: 'failed', why: whyNot(answer, ping) };
  const { milliseconds, by, source = '', destination = '' } = answer;
  if (ping) return { kind: 'answered', by: ping.by, milliseconds, seen: ping };
  const seen = readSeen(source, destination);
  if (by === undefined || seen === undefined)
    return { kind: 'failed', why: `answered, but not by a pod of ${probe.flow.to}` };
  return { kind: 'answered', by, milliseconds, seen };
}

function whyNot(answer: AgentAnswer | undefined, ping: SeenPing | undefined): string {
  const why = answer?.kind === 'failed' ? answer.why : 'it was not sent';
  return ping === undefined ? why : `${why}, though ${describeSeen(ping.by, ping)}`;
}

/** The expected ping among those of this length that reached the right cluster, else any of them. */
function findPing({ flow, sizeBytes }: Probe, pings: readonly SeenPing[]): SeenPing | undefined {
  const { source, destination } = flow.expected;
  const here = pings.filter((it) => it.by === flow.to && it.lengthBytes === sizeBytes);
  return here.find((it) => it.source === source && it.destination === destination) ?? here[0];
}

function readSeen(from: string, to: string): Seen | undefined {
  const source = readAddress(from);
  const destination = readAddress(to);
  return source === undefined || destination === undefined ? undefined : { source, destination };
}
