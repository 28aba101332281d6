import { printAddress } from '../../base/net/text.ts';
import type { PodHost } from '../../reach/lab/lab-plan.ts';
import { inside, type LabSite } from './lab-site.ts';
import { startProcess, ToolFailure } from './run-tool.ts';

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

interface Watched {
  readonly flows: readonly WatchedFlow[];
  /** The longest time by which the program itself was late: what a busy machine adds to the others. */
  readonly lateness: number;
  readonly traffic: readonly WatchedTraffic[];
}

type WatchOrder =
  | { readonly kind: 'watch'; readonly flows: readonly WatchedFlow[] }
  | { readonly kind: 'report'; readonly reset: boolean };

/** A program that sends and answers for the pods of a cluster, until it ends. */
export interface Watcher {
  readonly cluster: string;
  /** Sends these flows, and no others, from now on. */
  readonly watch: (flows: readonly WatchedFlow[]) => void;
  readonly report: (reset: boolean) => Promise<Pick<Watched, 'lateness' | 'traffic'>>;
}

interface WatcherSettings {
  readonly pods: readonly string[];
  readonly port: number;
  readonly everyMilliseconds: number;
  readonly connectEveryMilliseconds: number;
  readonly waitingMilliseconds: number;
}

/** The port of pods in a lab that is watched. */
const WATCHED_PORT = 7003;

/** The time between two packets of a flow; a silence is measured as exactly as that. */
const EVERY_MILLISECONDS = 50;

const CONNECT_EVERY_MILLISECONDS = 250;

const WAITING_MILLISECONDS = 500;

const HEAP_MEGABYTES = 48;

/** Starts a watcher; resolves when its pods answer. */
export function startWatcher(site: LabSite, { cluster, namespace, pods }: PodHost): Promise<Watcher> {
  const settings: WatcherSettings = {
    pods: pods.map(printAddress),
    port: WATCHED_PORT,
    everyMilliseconds: EVERY_MILLISECONDS,
    connectEveryMilliseconds: CONNECT_EVERY_MILLISECONDS,
    waitingMilliseconds: WAITING_MILLISECONDS,
  };
  const program = `(${watcher.toString()})(${JSON.stringify(settings)})`;
  const node = [process.execPath, `--max-old-space-size=${HEAP_MEGABYTES}`, '-e', program];
  const env = { ...site.env, NODE_OPTIONS: '' };
  const started = startProcess(site.parts.ip, [...inside(site, namespace), ...node], { env, outlives: false });
  site.processes.add(started);
  const failure = (): ToolFailure => new ToolFailure(`the pods of ${cluster}`, started.errorOutput());

  const waiting: { resolve: (it: Watched) => void; reject: (error: Error) => void }[] = [];
  let unread = '';
  started.child.stdout?.on('data', (part: Buffer) => {
    const lines = (unread + part.toString()).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) waiting.shift()?.resolve(JSON.parse(line) as Watched);
  });
  started.child.once('close', () => {
    for (const it of waiting.splice(0)) it.reject(failure());
  });
  const next = (): Promise<Watched> =>
    new Promise((resolve, reject) => {
      if (started.hasEnded()) reject(failure());
      else waiting.push({ resolve, reject });
    });
  const order = (it: WatchOrder): void => void started.child.stdin?.write(`${JSON.stringify(it)}\n`);
  return next().then(() => ({
    cluster,
    watch: (flows) => order({ kind: 'watch', flows }),
    report: (reset) => {
      order({ kind: 'report', reset });
      return next();
    },
  }));
}

/**
 * The program that runs in the namespace of a cluster's pods. Like `agent`, it is passed to `node -e` as text, so it must
 * contain everything that it needs. It prints one line when its pods answer, and one per report.
 */
function watcher(settings: WatcherSettings): void {
  const { pods, port, everyMilliseconds, connectEveryMilliseconds, waitingMilliseconds } = settings;
  const net = process.getBuiltinModule('node:net');
  const dgram = process.getBuiltinModule('node:dgram');

  interface Silence {
    last: number | null;
    longest: number;
  }
  interface Running extends WatchedFlow {
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
      const made = net.connect({ host: target, port, localAddress: source, noDelay: true });
      socket = made;
      let wasUp = false;
      made.on('connect', () => {
        wasUp = true;
      });
      made.on('data', () => answered(connection));
      made.on('error', () => {});
      made.on('close', () => {
        if (wasUp && !stopped) running.ended += 1;
        setTimeout(connect, everyMilliseconds);
      });
    };

    const pending = new Set<number>();
    const connectOnce = (): void => {
      const began = now();
      pending.add(began);
      const attempt = (): void => {
        const made = net.connect({ host: target, port, localAddress: source });
        made.on('connect', () => {
          pending.delete(began);
          running.slowest = Math.max(running.slowest, now() - began);
          made.destroy();
        });
        made.on('error', () => {
          if (!stopped) setTimeout(attempt, everyMilliseconds);
        });
      };
      attempt();
    };

    const timers = [
      setInterval(() => {
        udp.send('x', port, target, () => {});
        if (socket?.readyState === 'open') socket.write('x');
      }, everyMilliseconds),
      setInterval(connectOnce, connectEveryMilliseconds),
    ];
    const stop = (): void => {
      stopped = true;
      for (const it of timers) clearInterval(it);
      udp.close();
      socket?.destroy();
    };
    const running: Running = { id, source, target, packets, connection, ended: 0, slowest: 0, pending, stop };
    connect();
    return running;
  };

  let all: Running[] = [];
  let lateness = 0;
  let expected = now() + everyMilliseconds;
  setInterval(() => {
    lateness = Math.max(lateness, now() - expected);
    expected = now() + everyMilliseconds;
  }, everyMilliseconds);

  const report = (reset: boolean): void => {
    const traffic = all.map(({ id, packets, connection, ended, slowest, pending }) => ({
      id,
      packets: Math.max(packets.longest, age(packets)),
      connection: Math.max(connection.longest, age(connection)),
      ended,
      newConnections: slowest,
      waiting: [...pending].filter((it) => now() - it > waitingMilliseconds).length,
      quiet: Math.max(age(packets), age(connection)),
      isUp: packets.last !== null && connection.last !== null,
    }));
    process.stdout.write(`${JSON.stringify({ lateness, traffic })}\n`);
    if (!reset) return;
    lateness = 0;
    for (const it of all) {
      it.packets.longest = 0;
      it.connection.longest = 0;
      it.ended = 0;
      it.slowest = 0;
    }
  };

  let unread = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (part: string) => {
    const lines = (unread + part).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const order = JSON.parse(line) as WatchOrder;
      if (order.kind === 'report') {
        report(order.reset);
        continue;
      }
      for (const it of all) it.stop();
      all = order.flows.map(start);
    }
  });
  process.stdin.on('end', () => process.exit(0));

  const servers = pods.flatMap((address) => [
    new Promise<void>((resolve, reject) => {
      const server = net.createServer({ noDelay: true }, (socket) => {
        socket.on('error', () => socket.destroy());
        socket.pipe(socket);
      });
      server.once('error', reject);
      server.listen(port, address, resolve);
    }),
    new Promise<void>((resolve, reject) => {
      const socket = dgram.createSocket('udp4');
      socket.once('error', reject);
      socket.on('message', (message, from) => socket.send(message, from.port, from.address, () => {}));
      socket.bind(port, address, resolve);
    }),
  ]);
  Promise.all(servers).then(
    () => process.stdout.write('{}\n'),
    (error: Error) => {
      process.stderr.write(error.message);
      process.exit(1);
    },
  );
}
