import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface Program {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Added to the environment of the test. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Running {
  readonly program: Program;
  readonly name: string;
  readonly pid: number;
  /** True while it runs. */
  isUp(): boolean;
  /** The text that it printed so far. */
  log(): string;
  stop(): Promise<void>;
}

export interface Usage {
  /** The time of the program, and of those that it started and that have ended. */
  readonly cpuSeconds: number;
  /** The most that it has held. */
  readonly peakMegabytes: number;
}

const children = new Set<ChildProcess>();
// A test that fails, or is interrupted, leaves nothing behind.
process.once('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    killAll();
    process.exit(130);
  });

/** Starts programs of one run, each with its log in `folder`, and stops them in the reverse order. */
export class Processes {
  readonly folder: string;
  readonly #running: Running[] = [];
  readonly #paused: Program[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  start(program: Program): Running {
    const { name, path, args, env, cwd } = program;
    const log = join(this.folder, `${name.replaceAll('/', '-')}.log`);
    const out = openSync(log, 'a');
    const child = spawn(path, args, {
      stdio: ['ignore', out, out],
      env: { ...process.env, ...env },
      cwd,
      detached: true,
    });
    closeSync(out);
    children.add(child);
    let isUp = true;
    const ended = new Promise<void>((resolve) => {
      const end = () => {
        isUp = false;
        children.delete(child);
        resolve();
      };
      child.once('exit', end);
      child.once('error', end);
    });
    const running: Running = {
      program,
      name,
      pid: child.pid ?? -1,
      isUp: () => isUp,
      log: () => readFileSync(log, 'utf8'),
      stop: async () => {
        const at = this.#running.indexOf(running);
        if (at >= 0) this.#running.splice(at, 1);
        if (!isUp) return;
        kill(child, 'SIGTERM');
        const late = setTimeout(() => kill(child, 'SIGKILL'), 5_000);
        await ended;
        clearTimeout(late);
      },
    };
    this.#running.push(running);
    return running;
  }

  /** Those that ended by themselves, each with the last lines that it printed. */
  dead(): readonly string[] {
    return this.#running.filter((it) => !it.isUp()).map((it) => `${it.name} ended: ${lastLines(it.log())}`);
  }

  /** The text that a program printed so far. */
  log(name: string): string {
    return this.#running.find((it) => it.name === name)?.log() ?? '';
  }

  /** The work of each program that runs. Only Linux has these figures. */
  usage(): Readonly<Record<string, Usage>> {
    return Object.fromEntries(this.#running.filter((it) => it.isUp()).map((it) => [it.name, usageOf(it.pid)]));
  }

  /** Stops the programs with such a name, until `resume`. */
  async pause(names: RegExp): Promise<void> {
    for (const it of this.#running.filter((one) => one.isUp() && names.test(one.name))) {
      await it.stop();
      this.#paused.push(it.program);
    }
  }

  resume(): void {
    for (const it of this.#paused.splice(0)) this.start(it);
  }

  async stopAll(): Promise<void> {
    for (const it of this.#running.splice(0).reverse()) await it.stop();
  }
}

/** Ports of loopback at which no program listens now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((it) => (it.address() as { readonly port: number }).port);
  await Promise.all(servers.map((it) => new Promise((resolve) => it.close(resolve))));
  return ports;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Waits until something holds, or says what did not. */
export async function until(what: string, holds: () => Promise<boolean> | boolean, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  let problem = '';
  while (Date.now() < end) {
    try {
      if (await holds()) return;
      problem = '';
    } catch (error) {
      problem = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    await pause(200);
  }
  throw new Error(`after ${seconds} s not: ${what}${problem}`);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Works once a second until the signal; what fails is tried again. */
export async function everySecond(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined);
    await pause(1_000);
  }
}

/** Source: proc_pid_stat(5), fields 14 to 17, and VmHWM in proc_pid_status(5); a tick is a hundredth of a second. */
function usageOf(pid: number): Usage {
  const [stat, status] = ['stat', 'status'].map((it) => readFileSync(`/proc/${pid}/${it}`, 'utf8'));
  const ticks = (stat ?? '')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map(Number);
  const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(status ?? '') ?? [];
  return {
    cpuSeconds: ticks.reduce((a, b) => a + b, 0) / 100,
    peakMegabytes: Math.round(Number(kilobytes) / 1_024),
  };
}

function listen(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** The whole group: a program may have started others. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

function killAll(): void {
  for (const it of children) kill(it, 'SIGKILL');
}

function lastLines(log: string): string {
  return log.trimEnd().split('\n').slice(-4).join('\n');
}
