import { printAddress } from '../../base/net/text.ts';
import { type PodHost, PROBED_PORTS, type Protocol } from '../../reach/lab/lab-plan.ts';
import { inside, type LabSite } from './lab-site.ts';
import { startProcess, ToolFailure } from './run-tool.ts';

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
  | { readonly kind: 'ready' }
  | { readonly kind: 'unable'; readonly why: string }
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

/** The program that answers and sends probes for the pods of a cluster. */
export interface Agent {
  readonly cluster: string;
  /** Sends all orders; returns one answer for each, also for a failed order. */
  readonly send: (orders: readonly AgentOrder[]) => Promise<readonly AgentAnswer[]>;
  readonly end: () => Promise<void>;
}

/** The limit of Node's heap; an agent holds only a few messages. */
const HEAP_MEGABYTES = 32;

/** Starts an agent; resolves when its pods answer. */
export function startAgent(site: LabSite, { cluster, namespace, pods }: PodHost): Promise<Agent> {
  const settings = {
    cluster,
    pods: pods.map(printAddress),
    ports: Object.values(PROBED_PORTS),
    ping: site.parts.ping,
  };
  const node = [process.execPath, `--max-old-space-size=${HEAP_MEGABYTES}`, '-e', agentProgram(settings)];
  // NODE_OPTIONS of the user is meant for weft only; LC_ALL fixes the language of ping, whose output is parsed.
  const env = { ...site.env, NODE_OPTIONS: '', LC_ALL: 'C' };
  const started = startProcess(site.parts.ip, [...inside(site, namespace), ...node], { env, outlives: false });
  site.processes.add(started);

  let listener: (answer: AgentAnswer) => void = () => {};
  let onEnd: () => void = () => {};
  let unread = '';
  started.child.stdout?.on('data', (part: Buffer) => {
    const lines = (unread + part.toString()).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) listener(JSON.parse(line) as AgentAnswer);
  });
  started.child.once('close', () => onEnd());

  const send: Agent['send'] = (orders) =>
    new Promise((resolve, reject) => {
      const answers: AgentAnswer[] = [];
      if (orders.length === 0) resolve(answers);
      if (started.hasEnded()) reject(new ToolFailure(`the pods of ${cluster}`, started.errorOutput()));
      onEnd = () => reject(new ToolFailure(`the pods of ${cluster}`, started.errorOutput()));
      listener = (answer) => {
        answers.push(answer);
        if (answers.length === orders.length) resolve(answers);
      };
      started.child.stdin?.write(orders.map((it) => `${JSON.stringify(it)}\n`).join(''));
    });

  return new Promise((resolve, reject) => {
    onEnd = () => reject(new ToolFailure(`the pods of ${cluster}`, started.errorOutput()));
    listener = (answer) => {
      if (answer.kind === 'unable') reject(new ToolFailure(`the pods of ${cluster}`, answer.why));
      else resolve({ cluster, send, end: started.end });
    };
  });
}

/**
 * The source text of the program that runs in the namespace of a cluster's pods: it answers on their addresses and
 * sends probes. Orders are read from stdin and answers are written to stdout, one JSON document per line; the program
 * ends when stdin ends.
 *
 * It is passed to `node -e` as text, so that a lab starts only one Node process per cluster. Therefore the function
 * must contain everything that it needs.
 */
const agentProgram = (settings: AgentSettings): string => `(${agent.toString()})(${JSON.stringify(settings)})`;

function agent({ cluster, pods, ports, ping }: AgentSettings): void {
  const net = process.getBuiltinModule('node:net');
  const dgram = process.getBuiltinModule('node:dgram');
  const { execFile } = process.getBuiltinModule('node:child_process');

  const TCP_TIMEOUT_MILLISECONDS = 3000;
  const UDP_TRY_MILLISECONDS = 700;
  const TRIES = 3;
  const WAITING_AT_ONCE = 16;

  const write = (it: AgentAnswer): void => void process.stdout.write(`${JSON.stringify(it)}\n`);
  const padded = (it: object, bytes: number): string => JSON.stringify(it).padEnd(bytes);
  const seenBy = (id: number, source: string | undefined, destination: string): object => ({
    id,
    by: cluster,
    source,
    destination,
  });

  const answerTcp = (address: string, port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const server = net.createServer((socket) => {
        let text = '';
        socket.setEncoding('utf8');
        socket.on('error', () => socket.destroy());
        socket.on('data', (part: string) => {
          text += part;
          if (!text.endsWith('\n')) return;
          const { id } = JSON.parse(text) as { id: number };
          socket.end(`${padded(seenBy(id, socket.remoteAddress, socket.localAddress ?? ''), text.length - 1)}\n`);
        });
      });
      server.once('error', reject);
      server.listen(port, address, resolve);
    });

  const answerUdp = (address: string, port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = dgram.createSocket('udp4');
      socket.once('error', reject);
      socket.on('message', (message, from) => {
        const { id } = JSON.parse(message.toString()) as { id: number };
        socket.send(padded(seenBy(id, from.address, address), message.length), from.port, from.address);
      });
      socket.bind(port, address, resolve);
    });

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
  let unread = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (part: string) => {
    const all = (unread + part).split('\n');
    unread = all.pop() ?? '';
    for (const line of all) {
      const order = JSON.parse(line) as AgentOrder;
      if (order.isRefused) {
        const lane = refused++ % WAITING_AT_ONCE;
        waiting[lane] = Promise.all([last, waiting[lane]]).then(() => carryOut(order));
      } else last = last.then(() => carryOut(order));
    }
  });
  process.stdin.on('end', () => process.exit(0));

  const servers = pods.flatMap((address) =>
    ports.flatMap((port) => [answerTcp(address, port), answerUdp(address, port)]),
  );
  Promise.all(servers).then(
    () => write({ kind: 'ready' }),
    (error: Error) => write({ kind: 'unable', why: error.message }),
  );
}
