import { printAddress, readAddress } from '../../base/net/text.ts';
import { describeSeen, type Observation } from '../../reach/lab/judge-probes.ts';
import type { Probe, Seen } from '../../reach/lab/lab-plan.ts';
import { type Agent, type AgentAnswer, type AgentOrder, PORTS, startAgent } from './agent.ts';
import { inside, type LabSite, TOOLS_AT_ONCE } from './lab-site.ts';
import { mapConcurrently, runTool } from './run-tool.ts';

/** The size of an IPv4 header plus an ICMP or UDP header, without options. */
const HEADER_BYTES = 28;

/**
 * The largest number of lost exchanges that are repeated, because a packet may be late on a busy machine. More losses
 * have another cause, and waiting twice for each of them would only take longer.
 */
const MAX_RETRIED = 24;

/** Sends every probe of the plan; returns probe id -> observation. */
export async function sendProbes(site: LabSite): Promise<ReadonlyMap<number, Observation>> {
  const { plan } = site;
  const agents = await unlessAborted(
    site,
    mapConcurrently(plan.hosts, plan.hosts.length, (it) => startAgent(site, it)),
  );
  const answers = await unlessAborted(site, ask(agents, plan.probes));
  const lost = plan.probes.filter((it) => answers.get(it.id)?.kind !== 'answered');
  const retried = lost.length > MAX_RETRIED ? new Map() : await unlessAborted(site, ask(agents, lost));
  await mapConcurrently(agents, agents.length, (it) => it.end());
  const pings = await seenPings(site);
  return new Map(plan.probes.map((it) => [it.id, observe(it, retried.get(it.id) ?? answers.get(it.id), pings)]));
}

/** Sends the probes of each cluster from its agent, all agents at the same time. */
async function ask(agents: readonly Agent[], probes: readonly Probe[]): Promise<ReadonlyMap<number, AgentAnswer>> {
  const answers = await mapConcurrently(agents, agents.length, (it) =>
    it.send(probes.filter(({ flow }) => flow.from === it.cluster).map(orderOf)),
  );
  return new Map(answers.flat().flatMap((it) => ('id' in it ? [[it.id, it] as const] : [])));
}

/**
 * Rejects as soon as the user interrupts. These waits are the only long ones of a lab, and they may be abandoned
 * because their processes are killed.
 */
function unlessAborted<T>({ signal }: LabSite, work: Promise<T>): Promise<T> {
  // The result is no longer needed after an interrupt.
  work.catch(() => {});
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

function orderOf({ id, protocol, sizeBytes, flow }: Probe): AgentOrder {
  const isPacket = protocol === 'icmp' || protocol === 'full';
  return {
    id,
    protocol,
    source: printAddress(flow.source),
    target: printAddress(flow.dialled),
    port: PORTS[flow.sender],
    payloadBytes: isPacket ? sizeBytes - HEADER_BYTES : sizeBytes,
  };
}

/** The pings that the pods of every cluster received. */
async function seenPings(site: LabSite): Promise<readonly SeenPing[]> {
  const texts = await mapConcurrently(site.plan.hosts, TOOLS_AT_ONCE, async ({ cluster, namespace }) => {
    const list = [site.parts.nft, 'list', 'set', 'ip', 'weft-lab', 'seen'];
    return readPings(cluster, await runTool(site.parts.ip, [...inside(site, namespace), ...list]));
  });
  return texts.flat();
}

/** A ping as the kernel of the receiver recorded it. */
interface SeenPing extends Seen {
  readonly by: string;
  readonly lengthBytes: number;
}

/** Reads elements of the form `10.0.0.1 . 10.0.0.2 . 84` from the listed set. */
function readPings(by: string, text: string): readonly SeenPing[] {
  return [...text.matchAll(/([\d.]+) \. ([\d.]+) \. (\d+)/g)].flatMap(([, from = '', to = '', length = '']) => {
    const seen = readSeen(from, to);
    return seen === undefined ? [] : { ...seen, by, lengthBytes: Number(length) };
  });
}

/** Combines the reports of the sender and the receiver of a probe. */
function observe(probe: Probe, answer: AgentAnswer | undefined, pings: readonly SeenPing[]): Observation {
  const ping = probe.protocol === 'icmp' ? expectedPing(probe, pings) : undefined;
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

/** The expected ping among those of this length that reached the right cluster; otherwise the first of those. */
function expectedPing({ flow, sizeBytes }: Probe, pings: readonly SeenPing[]): SeenPing | undefined {
  const { source, destination } = flow.expected;
  const here = pings.filter((it) => it.by === flow.to && it.lengthBytes === sizeBytes);
  return here.find((it) => it.source === source && it.destination === destination) ?? here[0];
}

function readSeen(from: string, to: string): Seen | undefined {
  const source = readAddress(from);
  const destination = readAddress(to);
  return source === undefined || destination === undefined ? undefined : { source, destination };
}
