import { printAddress } from '../../base/net/text.ts';
import { type PodHost, PROBED_PORTS, type Protocol } from '../../reach/lab/lab-plan.ts';
import type { LabSite } from './lab-site.ts';
import { type Basics, type PodProgram, startProgram } from './pod-program.ts';

/** The settings of an agent. Addresses are texts, because an agent only passes them to the kernel. */
interface AgentSettings {
  readonly cluster: string;
  /** The addresses on which the agent answers. */
  readonly pods: readonly string[];
  readonly ports: readonly number[];
  /** The ping command with its first arguments. */
  readonly ping: readonly string[];
}

export interface AgentOrder {
  readonly id: number;
  readonly protocol: Protocol;
  readonly source: string;
  readonly target: string;
  readonly port: number;
  readonly payloadBytes: number;
  /** True when no answer is expected. */
  readonly isRefused: boolean;
}

export type AgentAnswer =
  | {
      readonly kind: 'answered';
      readonly id: number;
      readonly milliseconds: number;
      /**
       * The cluster that received the probe, as the receiver reports it; absent for a ping, which no program reports.
       */
      readonly by?: string;
      readonly source?: string;
      readonly destination?: string;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string };

export type Agent = PodProgram<AgentOrder, AgentAnswer>;

/** The limit of Node's heap; an agent holds only a few messages. */
const HEAP_MEGABYTES = 32;

/** Starts an agent, which sends probes; resolves when its pods answer. */
export function startAgent(site: LabSite, host: PodHost): Promise<Agent> {
  const settings = {
    cluster: host.cluster,
    pods: host.pods.map(printAddress),
    ports: Object.values(PROBED_PORTS),
    ping: site.parts.ping,
  };
  return startProgram(site, host, { run: agent, settings, heapMegabytes: HEAP_MEGABYTES });
}

function agent({ cluster, pods, ports, ping }: AgentSettings, basics: Basics<AgentOrder, AgentAnswer>): void {
  const { net, dgram, write, serve, onOrder } = basics;
  const { execFile } = process.getBuiltinModule('node:child_process');

  const TCP_TIMEOUT_MILLISECONDS = 3000;
  const UDP_TRY_MILLISECONDS = 700;
  const TRIES = 3;
  const WAITING_AT_ONCE = 16;

  const padded = (it: object, bytes: number): string => JSON.stringify(it).padEnd(bytes);
  const seenBy = (id: number, source: string | undefined, destination: string): object => ({
    id,
    by: cluster,
    source,
    destination,
  });

  const answerTcp = (socket: import('node:net').Socket): void => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      if (!text.endsWith('\n')) return;
      const { id } = JSON.parse(text) as { id: number };
      socket.end(`${padded(seenBy(id, socket.remoteAddress, socket.localAddress ?? ''), text.length - 1)}\n`);
    });
  };

  const answerUdp = (message: Buffer, from: string, address: string): string => {
    const { id } = JSON.parse(message.toString()) as { id: number };
    return padded(seenBy(id, from, address), message.length);
  };

  const sendTcp = (order: AgentOrder): Promise<object> =>
    new Promise((resolve, reject) => {
      const socket = net.connect({ host: order.target, port: order.port, localAddress: order.source });
      let text = '';
      socket.setEncoding('utf8');
      socket.setTimeout(TCP_TIMEOUT_MILLISECONDS, () => socket.destroy(new Error('no answer')));
      socket.once('error', reject);
      socket.once('connect', () => socket.write(`${padded({ id: order.id }, order.payloadBytes)}\n`));
      socket.on('data', (part: string) => {
        text += part;
      });
      socket.once('end', () => {
        try {
          resolve(JSON.parse(text) as object);
        } catch {
          reject(new Error(`the answer ended after ${text.length} bytes`));
        }
      });
    });

  const sendUdp = (order: AgentOrder): Promise<object> =>
    new Promise((resolve, reject) => {
      const socket = dgram.createSocket('udp4');
      let tries = 0;
      let timer: NodeJS.Timeout | undefined;
      const end = (act: () => void): void => {
        clearTimeout(timer);
        socket.close();
        act();
      };
      const send = (): void => {
        if (tries === TRIES) {
          end(() => reject(new Error('no answer')));
          return;
        }
        tries += 1;
        socket.send(padded({ id: order.id }, order.payloadBytes));
        timer = setTimeout(send, UDP_TRY_MILLISECONDS);
      };
      socket.once('error', (error) => end(() => reject(error)));
      // The socket is connected, so packets from addresses other than the dialled one are not accepted as an answer.
      socket.on('message', (message) => {
        const it = JSON.parse(message.toString()) as { id: number };
        if (it.id === order.id) end(() => resolve(it));
      });
      socket.bind(0, order.source, () => socket.connect(order.port, order.target, send));
    });

  const sendPing = (order: AgentOrder, left = TRIES): Promise<object> =>
    new Promise((resolve, reject) => {
      const [command = 'ping', ...first] = ping;
      const args = ['-n', '-c', '1', '-W', '1', '-s', String(order.payloadBytes), '-I', order.source, order.target];
      const usable = first.length === 0 ? args : args.slice(1);
      execFile(command, [...first, ...usable], (error, stdout, stderr) => {
        const time = /time=([\d.]+) ms/.exec(stdout)?.[1];
        if (time !== undefined) resolve({ milliseconds: Number(time) });
        else if (left > 1) sendPing(order, left - 1).then(resolve, reject);
        else
          reject(new Error(stderr.trim().split('\n').at(-1) || (error === null ? 'it printed nothing' : 'no answer')));
      });
    });

  const send = { tcp: sendTcp, udp: sendUdp, full: sendUdp, icmp: sendPing };

  const carryOut = async (order: AgentOrder): Promise<void> => {
    const began = performance.now();
    try {
      const answer = await send[order.protocol](order);
      write({ kind: 'answered', id: order.id, milliseconds: performance.now() - began, ...answer } as AgentAnswer);
    } catch (error) {
      write({ kind: 'failed', id: order.id, why: (error as Error).message });
    }
  };

  // Orders are carried out one after the other, so that latency is that of the network and not of a queue in this
  // process. Those behind them that must get no answer wait for it side by side.
  let last = Promise.resolve();
  const waiting = Array.from({ length: WAITING_AT_ONCE }, () => Promise.resolve());
  let refused = 0;
  onOrder((order) => {
    if (order.isRefused) {
      const lane = refused++ % WAITING_AT_ONCE;
      waiting[lane] = Promise.all([last, waiting[lane]]).then(() => carryOut(order));
    } else last = last.then(() => carryOut(order));
  });
  serve({ pods, ports, onSocket: answerTcp, answerTo: answerUdp });
}
