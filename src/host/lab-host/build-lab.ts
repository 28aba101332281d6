import { access, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tunnel } from '../../reach/lab/lab-plan.ts';
import {
  cablesBatch,
  hasShakenHands,
  namespaceIn,
  namespaceScript,
  namespacesBatch,
  type TunnelKeys,
  temporaryDevice,
  tunnelSettings,
} from '../../reach/lab/print-scripts.ts';
import { newKeyPair } from '../disk/secrets.ts';
import { recordNumbers } from './lab-record.ts';
import { inside, type LabSite, runInside, SHELL, TOOLS_AT_ONCE } from './lab-site.ts';
import { mapConcurrently, runTool, startProcess, ToolFailure } from './run-tool.ts';

type KeysOf = (tunnel: Tunnel) => TunnelKeys | undefined;

/** Creates namespaces, cables, tunnels, addresses, routes and rules: everything except traffic. */
export async function buildLab(site: LabSite, keysOf: KeysOf): Promise<void> {
  const { plan, run, parts, signal } = site;
  await runTool(parts.ip, ['-batch', '-'], namespacesBatch(plan, run));
  await recordNumbers(
    run,
    plan.namespaces.map((it) => namespaceIn(run, it.name)),
  );
  signal.throwIfAborted();
  const tunnels = plan.tunnels.map((tunnel, index) => startTunnel(site, tunnel, temporaryDevice(run, index)));
  await runTool(parts.ip, ['-batch', '-'], cablesBatch(plan, run));
  await mapConcurrently(tunnels, tunnels.length, (it) => untilReady(site, it));
  await mapConcurrently(plan.namespaces, TOOLS_AT_ONCE, async (it) => {
    signal.throwIfAborted();
    await runInside(site, it.name, SHELL, namespaceScript(plan, it, run));
  });
  await setTunnels(site, keysOf);
}

/** Starts a tunnel that is not running; resolves when its device can be set up under its temporary name. */
export async function startAnotherTunnel(site: LabSite, tunnel: Tunnel, device: string): Promise<void> {
  await untilReady(site, startTunnel(site, tunnel, device));
}

/** Ends a running tunnel; its device and all routes through it disappear. */
export async function endTunnel({ processes }: LabSite, device: string): Promise<void> {
  for (const it of processes) {
    if (it.child.spawnargs.at(-1) !== device) continue;
    processes.delete(it);
    await it.end();
  }
  await rm(socketOf(device), { force: true });
}

interface StartedTunnel {
  readonly device: string;
  readonly hasEnded: () => boolean;
  readonly errorOutput: () => string;
}

function startTunnel(site: LabSite, tunnel: Tunnel, device: string): StartedTunnel {
  const args = [...inside(site, tunnel.namespace), site.parts.wireguard, '-f', device];
  const env = { ...site.env, LOG_LEVEL: 'error' };
  const started = startProcess(site.parts.ip, args, { env, outlives: site.keep });
  site.processes.add(started);
  return { device, hasEnded: started.hasEnded, errorOutput: started.errorOutput };
}

const POLL_MILLISECONDS = 10;
const START_TIMEOUT_MILLISECONDS = 15_000;

async function untilReady({ signal }: LabSite, { device, hasEnded, errorOutput }: StartedTunnel): Promise<void> {
  for (let waited = 0; !(await socketExists(device)); waited += POLL_MILLISECONDS) {
    signal.throwIfAborted();
    // The output of wireguard-go starts with a box about the kernel's own WireGuard; the error follows.
    if (hasEnded())
      throw new ToolFailure(
        'wireguard-go',
        errorOutput()
          .replace(/^[┌│└].*\n?/gm, '')
          .trim(),
      );
    if (waited > START_TIMEOUT_MILLISECONDS) throw new ToolFailure('wireguard-go', 'it does not start');
    await sleep(POLL_MILLISECONDS);
  }
}

/** Configures servers first: a client that starts its handshake too early waits five seconds for the next one. */
async function setTunnels({ plan, run, signal }: LabSite, keysOf: KeysOf): Promise<void> {
  for (const kind of ['server', 'client'] as const) {
    signal.throwIfAborted();
    await mapConcurrently(plan.tunnels, plan.tunnels.length, async (it, index) => {
      const keys = keysOf(it);
      if (it.end.kind === kind && keys) await setTunnel(temporaryDevice(run, index), it, keys);
    });
  }
}

/** Gives a tunnel its settings, which replace those that it has. */
export async function setTunnel(device: string, tunnel: Tunnel, keys: TunnelKeys): Promise<void> {
  await requestTunnel(device, tunnelSettings(tunnel, keys));
}

/** New keys for both ends of each link. They exist only in memory and in the tunnels. */
export function pairsOfRun(tunnels: readonly Tunnel[]): KeysOf {
  const pairs = new Map(tunnels.map((it) => [it, newKeyPair()]));
  return (tunnel) => {
    const own = pairs.get(tunnel);
    const other = tunnels.find((far) => far !== tunnel && far.link === tunnel.link);
    const peer = other === undefined ? undefined : pairs.get(other);
    return own && peer ? { privateKey: own.privateKey, peerPublicKey: peer.publicKey } : undefined;
  };
}

/** The time to wait for handshakes. A handshake takes milliseconds; a lost one is repeated after five seconds. */
const HANDSHAKE_TIMEOUT_MILLISECONDS = 8000;

/** Waits for the handshake of every tunnel; returns the links that had none in time. */
export async function linksWithoutHandshake({ plan, run, signal }: LabSite): Promise<readonly string[]> {
  let silent = plan.tunnels.flatMap((it, index) => (it.end.kind === 'client' ? [{ it, index }] : []));
  for (let waited = 0; waited < HANDSHAKE_TIMEOUT_MILLISECONDS; waited += POLL_MILLISECONDS) {
    signal.throwIfAborted();
    const shaken = await mapConcurrently(silent, TOOLS_AT_ONCE, async ({ index }) =>
      hasShakenHands(await requestTunnel(temporaryDevice(run, index), 'get=1\n\n')),
    );
    silent = silent.filter((_, at) => !shaken[at]);
    if (silent.length === 0) return [];
    await sleep(POLL_MILLISECONDS);
  }
  return silent.map(({ it }) => it.link);
}

/** The folder of wireguard-go's control sockets for all devices, regardless of their namespace. */
export const SOCKETS = '/var/run/wireguard';

const RESPONSE_TIMEOUT_MILLISECONDS = 5000;

const socketOf = (device: string): string => join(SOCKETS, `${device}.sock`);

const socketExists = (device: string): Promise<boolean> =>
  access(socketOf(device)).then(
    () => true,
    () => false,
  );

/** Sends one request to the tunnel that was created under this device name; returns the answer. */
function requestTunnel(device: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketOf(device));
    let answer = '';
    const fail = (problem: string) => {
      socket.destroy();
      reject(new ToolFailure(`wireguard-go ${device}`, problem));
    };
    socket.setEncoding('utf8');
    socket.setTimeout(RESPONSE_TIMEOUT_MILLISECONDS, () => fail('no answer'));
    socket.on('error', (error) => fail(error.message));
    socket.on('connect', () => socket.write(request));
    socket.on('data', (part: string) => {
      answer += part;
      if (!answer.endsWith('\n\n')) return;
      if (!answer.includes('errno=0\n')) return fail(answer.trim());
      socket.end();
      resolve(answer);
    });
    socket.on('end', () => fail('it closed the connection'));
  });
}
