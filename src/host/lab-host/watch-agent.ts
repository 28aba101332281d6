import { printAddress } from '../../base/net/text.ts';
import type { PodHost } from '../../reach/lab/lab-plan.ts';
import type { LabSite } from './lab-site.ts';
import { type Basics, type PodProgram, startProgram } from './pod-program.ts';

/** Traffic that a pod sends all the time. */
interface WatchedFlow {
  readonly id: number;
  readonly source: string;
  readonly target: string;
}

/** The silences of a flow since its counters were reset. Times are in milliseconds. */
export interface WatchedTraffic {
  readonly id: number;
  /** The longest time without an answer to a packet. */
  readonly packets: number;
  /** The longest time without an answer in a connection that sends all the time. */
  readonly connection: number;
  /** The number of times that this connection has ended. */
  readonly ended: number;
  /** The longest time that a new connection took. */
  readonly newConnections: number;
  /** The number of connections that have waited for longer than a moment. */
  readonly waiting: number;
  /** The time since the last answer to a packet, and in the connection. */
  readonly quiet: number;
  /** True when both have been answered at least once. */
  readonly isUp: boolean;
}

/** The answer of a watcher to each order. */
export interface Watched {
  /** The longest time by which the program itself was late: what a busy machine adds to the others. */
  readonly lateness: number;
  readonly traffic: readonly WatchedTraffic[];
}

/** `watch`: sends these flows, and no others, from now on. */
type WatchOrder =
  | { readonly kind: 'watch'; readonly flows: readonly WatchedFlow[] }
  | { readonly kind: 'report'; readonly reset: boolean };

export type Watcher = PodProgram<WatchOrder, Watched>;

const HEAP_MEGABYTES = 48;

/** Starts a watcher; resolves when its pods answer. */
export const startWatcher = (site: LabSite, host: PodHost): Promise<Watcher> =>
  startProgram(site, host, { run: watcher, settings: host.pods.map(printAddress), heapMegabytes: HEAP_MEGABYTES });

function watcher(pods: readonly string[], basics: Basics<WatchOrder, Watched>): void {
  const { net, dgram, write, serve, onOrder } = basics;

  const PORT = 7003;
  /** The time between two packets of a flow; a silence is measured as exactly as that. */
  const EVERY_MILLISECONDS = 50;
  const CONNECT_EVERY_MILLISECONDS = 250;
  const WAITING_MILLISECONDS = 500;

  interface Silence {
    last: number | null;
    longest: number;
  }
  interface Running {
    readonly id: number;
    readonly packets: Silence;
    readonly connection: Silence;
    ended: number;
    slowest: number;
    /** The start of each connection that is being made. */
    readonly pending: Set<number>;
    readonly stop: () => void;
  }

  const now = (): number => performance.now();
  const answered = (it: Silence): void => {
    const time = now();
    if (it.last !== null) it.longest = Math.max(it.longest, time - it.last);
    it.last = time;
  };
  const age = (it: Silence): number => (it.last === null ? 0 : now() - it.last);

  const start = ({ id, source, target }: WatchedFlow): Running => {
    let stopped = false;
    const packets: Silence = { last: null, longest: 0 };
    const udp = dgram.createSocket('udp4');
    udp.on('error', () => {});
    udp.on('message', () => answered(packets));
    udp.bind(0, source);

    const connection: Silence = { last: null, longest: 0 };
    let socket: import('node:net').Socket | undefined;
    const connect = (): void => {
      if (stopped) return;
      const made = net.connect({ host: target, port: PORT, localAddress: source, noDelay: true });
      socket = made;
      let wasUp = false;
      made.on('connect', () => {
        wasUp = true;
      });
      made.on('data', () => answered(connection));
      made.on('error', () => {});
      made.on('close', () => {
        if (wasUp && !stopped) running.ended += 1;
        setTimeout(connect, EVERY_MILLISECONDS);
      });
    };

    const pending = new Set<number>();
    const connectOnce = (): void => {
      const began = now();
      pending.add(began);
      const attempt = (): void => {
        const made = net.connect({ host: target, port: PORT, localAddress: source });
        made.on('connect', () => {
          pending.delete(began);
          running.slowest = Math.max(running.slowest, now() - began);
          made.destroy();
        });
        made.on('error', () => {
          if (!stopped) setTimeout(attempt, EVERY_MILLISECONDS);
        });
      };
      attempt();
    };

    const timers = [
      setInterval(() => {
        udp.send('x', PORT, target, () => {});
        if (socket?.readyState === 'open') socket.write('x');
      }, EVERY_MILLISECONDS),
      setInterval(connectOnce, CONNECT_EVERY_MILLISECONDS),
    ];
    const stop = (): void => {
      stopped = true;
      for (const it of timers) clearInterval(it);
      udp.close();
      socket?.destroy();
    };
    const running: Running = { id, packets, connection, ended: 0, slowest: 0, pending, stop };
    connect();
    return running;
  };

  let all: Running[] = [];
  let lateness = 0;
  let expected = now() + EVERY_MILLISECONDS;
  setInterval(() => {
    lateness = Math.max(lateness, now() - expected);
    expected = now() + EVERY_MILLISECONDS;
  }, EVERY_MILLISECONDS);

  const report = (reset: boolean): void => {
    const traffic = all.map(({ id, packets, connection, ended, slowest, pending }) => ({
      id,
      packets: Math.max(packets.longest, age(packets)),
      connection: Math.max(connection.longest, age(connection)),
      ended,
      newConnections: slowest,
      waiting: [...pending].filter((it) => now() - it > WAITING_MILLISECONDS).length,
      quiet: Math.max(age(packets), age(connection)),
      isUp: packets.last !== null && connection.last !== null,
    }));
    write({ lateness, traffic });
    if (!reset) return;
    lateness = 0;
    for (const it of all) {
      it.packets.longest = 0;
      it.connection.longest = 0;
      it.ended = 0;
      it.slowest = 0;
    }
  };

  onOrder((order) => {
    if (order.kind === 'watch') {
      for (const it of all) it.stop();
      all = order.flows.map(start);
    }
    report(order.kind === 'report' && order.reset);
  });
  const onSocket = (socket: import('node:net').Socket): void => {
    socket.setNoDelay(true);
    socket.pipe(socket);
  };
  serve({ pods, ports: [PORT], onSocket, answerTo: (message) => message });
}
