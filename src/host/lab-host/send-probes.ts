import { printAddress } from '../../base/net/text.ts';
import type { Observation } from '../../reach/lab/judge-probes.ts';
import type { Probe } from '../../reach/lab/lab-plan.ts';
import { type Agent, PORTS, startAgent } from './agent.ts';
import type { AgentAnswer, AgentOrder } from './agent-messages.ts';
import { inside, type LabSite, TOOLS_AT_ONCE } from './lab-site.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { observe, readPings, type SeenPing } from './observe-probe.ts';
import { runTool } from './run-tool.ts';

/** Headers of IPv4 and of ICMP or UDP, without options. */
const HEADER_BYTES = 28;

/**
 * Up to so many lost exchanges are repeated, since a packet may be late on a busy machine. More losses have another reason,
 * and waiting for each of them twice would only take longer.
 */
const MAX_RETRIED = 24;

/** Sends every probe of the plan and returns the observation of each, by id. */
export async function sendProbes(site: LabSite): Promise<ReadonlyMap<number, Observation>> {
  const { plan } = site;
  const agents = await unlessAborted(
    site,
    mapConcurrently(plan.hosts, plan.hosts.length, (it) => startAgent(site, it)),
  );
  const answers = await unlessAborted(site, ask(agents, plan.probes));
  const lost = plan.probes.filter((it) => answers.get(it.id)?.kind !== 'answered');
  const again = lost.length > MAX_RETRIED ? new Map() : await unlessAborted(site, ask(agents, lost));
  await mapConcurrently(agents, agents.length, (it) => it.end());
  const pings = await seenPings(site);
  return new Map(plan.probes.map((it) => [it.id, observe(it, again.get(it.id) ?? answers.get(it.id), pings)]));
}

/** Every agent sends the probes of its cluster, all agents at the same time. */
async function ask(agents: readonly Agent[], probes: readonly Probe[]): Promise<ReadonlyMap<number, AgentAnswer>> {
  const answers = await mapConcurrently(agents, agents.length, (it) =>
    it.send(probes.filter(({ flow }) => flow.from === it.cluster).map(orderOf)),
  );
  return new Map(answers.flat().flatMap((it) => ('id' in it ? [[it.id, it] as const] : [])));
}

/** The only long waits of a lab. They may be abandoned, since their processes are killed. */
function unlessAborted<T>({ signal }: LabSite, work: Promise<T>): Promise<T> {
  // The result is no longer needed after the user has interrupted.
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
