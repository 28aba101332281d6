import type { Observation } from '../lab/judge-probes.ts';
import type { Probe } from '../lab/lab-plan.ts';
import { printAddress } from '../net/text.ts';
import { type Agent, PORTS, startAgent } from './agent.ts';
import type { AgentAnswer, AgentOrder } from './agent-messages.ts';
import { inside, type LabSite, TOOLS_AT_ONCE } from './lab-site.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { observe, readPings, type SeenPing } from './observe-probe.ts';
import { runTool } from './run-tool.ts';

/** IPv4 and ICMP or UDP: what is no payload in a packet without options. */
const HEADER_BYTES = 28;

/**
 * How many lost exchanges are tried a second time: on a machine that is busy a packet may come late, but when many are
 * lost it is no accident, and waiting for each of them twice would only take long.
 */
const MAX_RETRIED = 24;

/** Sends every probe of the plan and gives what came of each, by its number. */
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

/** Every agent sends what its cluster sends, all of them at the same time. */
async function ask(agents: readonly Agent[], probes: readonly Probe[]): Promise<ReadonlyMap<number, AgentAnswer>> {
  const answers = await mapConcurrently(agents, agents.length, (it) =>
    it.send(probes.filter(({ flow }) => flow.from === it.cluster).map(orderOf)),
  );
  return new Map(answers.flat().flatMap((it) => ('id' in it ? [[it.id, it] as const] : [])));
}

/** The only long waits of a lab: those that need not come to their end, since the processes behind them are killed. */
function unlessAborted<T>({ signal }: LabSite, work: Promise<T>): Promise<T> {
  // Nobody waits for it any more when the user has stopped.
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

/** What every cluster's pods got of pings. */
async function seenPings(site: LabSite): Promise<readonly SeenPing[]> {
  const texts = await mapConcurrently(site.plan.hosts, TOOLS_AT_ONCE, async ({ cluster, namespace }) => {
    const list = [site.parts.nft, 'list', 'set', 'ip', 'weft-lab', 'seen'];
    return readPings(cluster, await runTool(site.parts.ip, [...inside(site, namespace), ...list]));
  });
  return texts.flat();
}
