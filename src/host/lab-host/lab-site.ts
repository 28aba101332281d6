import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { listOf } from '../../base/core/words.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { namespaceIn } from '../../reach/lab/print-scripts.ts';
import { LabError, type LongProcess } from './run-tool.ts';

/** One lab: what every step needs. */
export interface LabSite {
  readonly plan: LabPlan;
  /** Id of the run: six hexadecimal digits. */
  readonly run: string;
  readonly parts: LabParts;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the lab stays up when weft ends. */
  readonly keep: boolean;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Every process that a step started and that has not ended by itself. */
  readonly processes: Set<LongProcess>;
}

/** How many programs of the system run at once: they mostly wait for locks of the kernel. */
export const TOOLS_AT_ONCE = 4;

/** Arguments of `ip` to run something inside a namespace. */
export const inside = ({ run }: LabSite, namespace: string): readonly string[] => [
  'netns',
  'exec',
  namespaceIn(run, namespace),
];

/** The programs of a lab, by their full path. */
export interface LabParts {
  readonly ip: string;
  readonly nft: string;
  readonly wireguard: string;
  /** The command that pings, with its first arguments. */
  readonly ping: readonly string[];
  /** `null` unless it is needed. */
  readonly tcpdump: string | null;
}

export interface Machine {
  readonly platform: string;
  readonly userId: number;
  /** The full path of a program; `undefined` where there is none. */
  readonly find: (program: string) => string | undefined;
}

/** Programs to the Debian package that contains them. */
const PACKAGES: Readonly<Record<string, string>> = {
  nft: 'nftables',
  ip: 'iproute2',
  'wireguard-go': 'wireguard-go',
  ping: 'iputils-ping',
  tcpdump: 'tcpdump',
};

/** Finds what the lab needs on this machine; throws a `LabError` that names what is missing. */
export function findParts({ platform, userId, find }: Machine, wanted: { readonly pcap: boolean }): LabParts {
  if (platform !== 'linux')
    throw new LabError(`the lab needs Linux, and this is ${platform}`, 'run it in a container or a virtual machine');
  const ip = find('ip');
  const nft = find('nft');
  const wireguard = find('wireguard-go');
  const ping = findPing(find);
  const tcpdump = wanted.pcap ? find('tcpdump') : null;
  if (ip === undefined || nft === undefined || wireguard === undefined || ping === undefined || tcpdump === undefined) {
    throw missing({
      nft,
      ip,
      'wireguard-go': wireguard,
      ping,
      ...(wanted.pcap ? { tcpdump } : {}),
    });
  }
  if (userId !== 0) throw new LabError('the lab needs root, for network namespaces', 'run "sudo weft lab"');
  return { ip, nft, wireguard, ping, tcpdump };
}

function missing(parts: Readonly<Record<string, unknown>>): LabError {
  const names = Object.keys(parts).filter((it) => parts[it] === undefined);
  const packages = names.map((it) => PACKAGES[it]).join(' ');
  return new LabError(`the lab needs ${listOf(names)}`, `run "apt-get install ${packages}"`);
}

/** The ping of busybox has the same options. */
function findPing(find: Machine['find']): readonly string[] | undefined {
  const own = find('ping');
  if (own !== undefined) return [own];
  const busybox = find('busybox');
  return busybox === undefined ? undefined : [busybox, 'ping'];
}

/** Folders of system programs, which may not be in the PATH of a user. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** `path`: the folders to look in first, in the form of the variable `PATH`. */
export function thisMachine(path: string | undefined): Machine {
  const folders = [...(path ?? '').split(delimiter).filter((it) => it !== ''), ...SYSTEM_FOLDERS];
  return {
    platform: process.platform,
    userId: process.getuid?.() ?? -1,
    find: (program) => folders.map((it) => join(it, program)).find(isProgram),
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
