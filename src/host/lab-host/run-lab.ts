import { randomBytes } from 'node:crypto';
import { readdir, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printAddress, readAddress } from '../../base/net/text.ts';
import {
  describeSeen,
  judgeProbes,
  type Observation,
  PROBED_PORTS,
  type Probe,
  type Seen,
  type Verdict,
} from '../../reach/lab/lab-plan.ts';
import { namespaceIn, temporaryDevicePrefix } from '../../reach/lab/print-scripts.ts';
import { makeFolder } from '../disk/write-files.ts';
import { type Agent, type AgentAnswer, type AgentOrder, startAgent } from './agent.ts';
import { buildLab, linksWithoutHandshake, pairsOfRun, SOCKETS } from './build-lab.ts';
import { forgetLab, NAMESPACES, namespacesOf, recordKept, recordLab } from './lab-record.ts';
import { inside, type LabSite, runInside, TOOLS_AT_ONCE } from './lab-site.ts';
import { LabError, type LongProcess, mapConcurrently, runTool, startProcess, ToolFailure } from './run-tool.ts';

export interface LabRequest extends Pick<LabSite, 'plan' | 'parts' | 'env' | 'keep' | 'signal'> {
  /** The absolute path of a folder for recorded packets; `null` to record nothing. */
  readonly pcap: string | null;
  /** Called at the start of each step with its description. */
  readonly onStep: (label: string) => void;
}

export interface LabResult {
  readonly run: string;
  readonly verdicts: readonly Verdict[];
  /** Links whose tunnel never came up. */
  readonly silent: readonly string[];
}

/** Builds a lab, sends all probes, and removes the lab in every case; with `keep` only after a failure. */
export function runLab(request: LabRequest): Promise<LabResult> {
  const { plan, pcap, signal, onStep } = request;
  return withLab(request, async (site) => {
    await buildLab(site, pairsOfRun(plan.tunnels));
    if (pcap !== null) await startRecording(site, pcap);
    const silent = await linksWithoutHandshake(site);
    onStep(`sending ${plan.probes.length} probes`);
    const verdicts = judgeProbes(plan, await sendProbes(site));
    signal.throwIfAborted();
    return { run: site.run, verdicts, silent };
  });
}

/** Records a lab, and removes it after the work; with `keep` only after a failure. */
export async function withLab<T>(
  { plan, parts, env, keep, signal, onStep }: Omit<LabRequest, 'pcap'>,
  work: (site: LabSite) => Promise<T>,
): Promise<T> {
  const run = await freeRun();
  const namespaces = plan.namespaces.map((it) => namespaceIn(run, it.name));
  const site: LabSite = { plan, run, parts, env, keep, signal, processes: new Set() };
  let done = false;
  await recordLab(run, namespaces);
  try {
    onStep('building the lab');
    const result = await work(site);
    done = true;
    return result;
  } finally {
    onStep('cleaning up');
    const mayStay = done && keep;
    await endProcesses(site, (it) => !(mayStay && it.outlives));
    if (mayStay) await recordKept(run);
    else await removeLab(parts.ip, run);
  }
}

/** A random run id that no namespace of this machine contains. */
async function freeRun(): Promise<string> {
  const names = await readdir(NAMESPACES).catch(() => []);
  for (;;) {
    const run = randomBytes(3).toString('hex');
    if (!names.some((it) => it.startsWith(namespaceIn(run, '')))) return run;
  }
}

async function endProcesses({ processes }: LabSite, isSelected: (it: LongProcess) => boolean): Promise<void> {
  const selected = [...processes].filter(isSelected);
  await mapConcurrently(selected, selected.length, (it) => it.end());
}

const POLL_MILLISECONDS = 20;
const START_TIMEOUT_MILLISECONDS = 10_000;

/**
 * Starts a packet recorder in every namespace except the underlay's router. Each writes one file for all devices of its
 * namespace. Resolves when all of them listen.
 */
async function startRecording(site: LabSite, folder: string): Promise<void> {
  const { tcpdump, ip } = site.parts;
  if (tcpdump === null) return;
  await makeFolder(folder);
  const names = site.plan.namespaces.filter((it) => it.kind !== 'underlay').map((it) => it.name);
  const started = names.map((name) => {
    const file = join(folder, `${name}.pcap`);
    // `-U` writes each packet immediately, and `-Z` stays root, because another user could not write here.
    const args = [tcpdump, '-i', 'any', '-n', '-U', '--immediate-mode', '-Z', 'root', '-w', file];
    const recorder = startProcess(ip, [...inside(site, name), ...args], { env: site.env, outlives: false });
    site.processes.add(recorder);
    return recorder;
  });
  await mapConcurrently(started, started.length, (it) => untilListening(site, it));
}

async function untilListening({ signal }: LabSite, it: LongProcess): Promise<void> {
  for (let waited = 0; !it.errorOutput().includes('listening on'); waited += POLL_MILLISECONDS) {
    signal.throwIfAborted();
    if (it.hasEnded() || waited > START_TIMEOUT_MILLISECONDS) throw new ToolFailure('tcpdump', it.errorOutput());
    await sleep(POLL_MILLISECONDS);
  }
}

/** Signals that end a program besides Ctrl-C: from a supervisor, or from a closed terminal. */
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** Adds a listener for Ctrl-C; returns a function that removes it. */
export type OnInterrupt = (listener: () => void) => () => void;

/** Calls the listener for every request to stop weft; returns a function that removes the listener. */
export function onStop(onInterrupt: OnInterrupt, listener: () => void): () => void {
  const forget = onInterrupt(listener);
  for (const it of SIGNALS) process.on(it, listener);
  return () => {
    forget();
    for (const it of SIGNALS) process.off(it, listener);
  };
}

/** The size of an IPv4 header plus an ICMP or UDP header, without options. */
const HEADER_BYTES = 28;

/**
 * The largest number of lost exchanges that are repeated, because a packet may be late on a busy machine. More losses
 * have another cause, and waiting twice for each of them would only take longer.
 */
const MAX_RETRIED = 24;

/** Sends every probe of the plan; returns probe id -> observation. */
async function sendProbes(site: LabSite): Promise<ReadonlyMap<number, Observation>> {
  const { plan } = site;
  const agents = await unlessAborted(
    site,
    mapConcurrently(plan.hosts, plan.hosts.length, (it) => startAgent(site, it)),
  );
  const answers = await unlessAborted(site, ask(agents, plan.probes));
  const lost = plan.probes.filter((it) => !it.isRefused && answers.get(it.id)?.kind !== 'answered');
  const retried = lost.length > MAX_RETRIED ? new Map() : await unlessAborted(site, ask(agents, lost));
  await mapConcurrently(agents, agents.length, (it) => it.end());
  const pings = await seenPings(site);
  return new Map(plan.probes.map((it) => [it.id, observe(it, retried.get(it.id) ?? answers.get(it.id), pings)]));
}

/** Sends the probes of each cluster from its agent, all agents at the same time. */
async function ask(agents: readonly Agent[], probes: readonly Probe[]): Promise<ReadonlyMap<number, AgentAnswer>> {
  const answers = await mapConcurrently(agents, agents.length, (it) =>
    it.ask(
      probes
        .filter(({ flow }) => flow.from === it.cluster)
        .map(orderOf)
        .sort((a, b) => Number(a.isRefused) - Number(b.isRefused)),
    ),
  );
  return new Map(answers.flat().map((it) => [it.id, it]));
}

/**
 * Rejects as soon as the user interrupts. These waits are the only long ones of a lab, and they may be abandoned
 * because their processes are killed.
 */
export function unlessAborted<T>({ signal }: LabSite, work: Promise<T>): Promise<T> {
  // The result is no longer needed after an interrupt.
  work.catch(() => {});
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

function orderOf({ id, protocol, sizeBytes, flow, isRefused }: Probe): AgentOrder {
  const isPacket = protocol === 'icmp' || protocol === 'full';
  return {
    id,
    protocol,
    source: printAddress(flow.source),
    target: printAddress(flow.dialled),
    port: PROBED_PORTS[flow.sender],
    isRefused,
    payloadBytes: isPacket ? sizeBytes - HEADER_BYTES : sizeBytes,
  };
}

/** The pings that the pods of every cluster received. */
async function seenPings(site: LabSite): Promise<readonly SeenPing[]> {
  const texts = await mapConcurrently(site.plan.hosts, TOOLS_AT_ONCE, async ({ cluster, namespace }) => {
    const list = [site.parts.nft, 'list', 'set', 'ip', 'weft-lab', 'seen'];
    return readPings(cluster, await runInside(site, namespace, list));
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

/**
 * Removes everything of a lab: processes, namespaces with all their devices, control sockets, and the record. Only
 * namespaces that exist and that the record of the lab contains are removed. This includes a lab whose process was
 * killed early, and excludes namespaces that only have a similar name.
 */
export async function removeLab(ip: string, run: string): Promise<void> {
  const namespaces = await namespacesOf(run);
  await killProcesses(await processesIn(namespaces));
  const batch = namespaces.map((it) => `netns del ${it}\n`).join('');
  // A failure for one namespace must not stop the others; a namespace that remains is reported below.
  const problem = await runTool(ip, ['-force', '-batch', '-'], batch).catch((error: Error) => error.message);
  const sockets = (await readdir(SOCKETS).catch(() => [])).filter((it) => it.startsWith(temporaryDevicePrefix(run)));
  await mapConcurrently(sockets, 4, (it) => rm(join(SOCKETS, it), { force: true }));
  const [left] = await namespacesOf(run);
  if (left !== undefined) throw new LabError(`lab ${run} could not be removed, ${left} still exists: ${problem}`);
  await forgetLab(run);
}

/** The ids of all processes in one of the namespaces. A namespace is identified by the inode number of its file. */
async function processesIn(namespaces: readonly string[]): Promise<readonly number[]> {
  const files = await Promise.all(namespaces.map((it) => stat(join(NAMESPACES, it)).catch(() => undefined)));
  const wanted = new Set(files.flatMap((it) => (it === undefined ? [] : `net:[${it.ino}]`)));
  if (wanted.size === 0) return [];
  const pids = (await readdir('/proc')).filter((it) => /^\d+$/.test(it));
  const inside = await mapConcurrently(pids, 16, async (pid) =>
    wanted.has(await readlink(`/proc/${pid}/ns/net`).catch(() => '')) ? [Number(pid)] : [],
  );
  return inside.flat();
}

const KILL_TIMEOUT_MILLISECONDS = 3000;
const KILL_POLL_MILLISECONDS = 10;

async function killProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGKILL');
  for (let waited = 0; waited < KILL_TIMEOUT_MILLISECONDS; waited += KILL_POLL_MILLISECONDS) {
    if (!pids.some((it) => signal(it, 0))) return;
    await sleep(KILL_POLL_MILLISECONDS);
  }
}

/** Sends a signal; returns false if the process has ended. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
