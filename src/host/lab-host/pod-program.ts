import type { PodHost } from '../../reach/lab/lab-plan.ts';
import { inside, type LabSite } from './lab-site.ts';
import { startProcess, ToolFailure } from './run-tool.ts';

/** A program that sends and answers for the pods of a cluster, until it ends. */
export interface PodProgram<Order, Answer> {
  readonly cluster: string;
  /** Gives it all orders; resolves to one answer for each, in the order in which they come. */
  readonly ask: (orders: readonly Order[]) => Promise<readonly Answer[]>;
  readonly end: () => Promise<void>;
}

interface ProgramRequest<Settings, Order, Answer> {
  /**
   * The program. It is passed to `node -e` as text, so that a lab starts only one Node process per cluster. Therefore the
   * function must contain everything that it needs besides its arguments.
   */
  readonly run: (settings: Settings, basics: Basics<Order, Answer>) => void;
  readonly settings: Settings;
  /** The limit of Node's heap. */
  readonly heapMegabytes: number;
}

/** Starts a program in the namespace of a cluster's pods; resolves when they answer. */
export async function startProgram<Settings, Order, Answer>(
  site: LabSite,
  { cluster, namespace }: PodHost,
  { run, settings, heapMegabytes }: ProgramRequest<Settings, Order, Answer>,
): Promise<PodProgram<Order, Answer>> {
  const text = `(${run.toString()})(${JSON.stringify(settings)}, (${basics.toString()})())`;
  const node = [process.execPath, `--max-old-space-size=${heapMegabytes}`, '-e', text];
  // NODE_OPTIONS of the user is meant for weft only; LC_ALL fixes the language of ping, whose output is parsed.
  const env = { ...site.env, NODE_OPTIONS: '', LC_ALL: 'C' };
  const started = startProcess(site.parts.ip, [...inside(site, namespace), ...node], { env, outlives: false });
  site.processes.add(started);
  const failure = (problem = started.errorOutput()): ToolFailure => new ToolFailure(`the pods of ${cluster}`, problem);

  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let unread = '';
  started.child.stdout?.on('data', (part: Buffer) => {
    const lines = (unread + part.toString()).split('\n');
    unread = lines.pop() ?? '';
    for (const it of lines) waiting.shift()?.resolve(it);
  });
  started.child.once('close', () => {
    for (const it of waiting.splice(0)) it.reject(failure());
  });
  const next = (): Promise<string> =>
    new Promise((resolve, reject) => {
      if (started.hasEnded()) reject(failure());
      else waiting.push({ resolve, reject });
    });

  const { problem } = JSON.parse(await next()) as Ready;
  if (problem !== undefined) throw failure(problem);
  return {
    cluster,
    ask: async (orders) => {
      started.child.stdin?.write(orders.map((it) => `${JSON.stringify(it)}\n`).join(''));
      const lines = await Promise.all(orders.map(next));
      return lines.map((it) => JSON.parse(it) as Answer);
    },
    end: started.end,
  };
}

/** The first line of a program. */
interface Ready {
  /** Why its pods cannot answer. */
  readonly problem?: string;
}

/** The functions that each program gets. They are passed as text too. */
export type Basics<Order, Answer> = ReturnType<typeof basics<Order, Answer>>;

/**
 * Orders are read from stdin and answers are written to stdout, one JSON document per line; the program ends when stdin
 * ends.
 */
function basics<Order, Answer>() {
  const net = process.getBuiltinModule('node:net');
  const dgram = process.getBuiltinModule('node:dgram');
  const write = (it: Answer | Ready): void => void process.stdout.write(`${JSON.stringify(it)}\n`);

  interface Servers {
    readonly pods: readonly string[];
    readonly ports: readonly number[];
    readonly onSocket: (socket: import('node:net').Socket) => void;
    readonly answerTo: (message: Buffer, from: string, address: string) => Buffer | string;
  }
  const serve = ({ pods, ports, onSocket, answerTo }: Servers): void => {
    const servers = pods.flatMap((address) =>
      ports.flatMap((port) => [
        new Promise<void>((resolve, reject) => {
          const server = net.createServer((socket) => {
            socket.on('error', () => socket.destroy());
            onSocket(socket);
          });
          server.once('error', reject);
          server.listen(port, address, resolve);
        }),
        new Promise<void>((resolve, reject) => {
          const socket = dgram.createSocket('udp4');
          socket.once('error', reject);
          socket.on('message', (message, from) =>
            socket.send(answerTo(message, from.address, address), from.port, from.address, () => {}),
          );
          socket.bind(port, address, resolve);
        }),
      ]),
    );
    Promise.all(servers).then(
      () => write({}),
      (error: Error) => write({ problem: error.message }),
    );
  };

  const onOrder = (act: (order: Order) => void): void => {
    let unread = '';
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (part: string) => {
      const lines = (unread + part).split('\n');
      unread = lines.pop() ?? '';
      for (const it of lines) act(JSON.parse(it) as Order);
    });
    process.stdin.on('end', () => process.exit(0));
  };

  return { net, dgram, write, serve, onOrder };
}
