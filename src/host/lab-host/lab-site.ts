import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { listOf } from '../../base/core/words.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { namespaceIn } from '../../reach/lab/print-scripts.ts';
import { LabError, type LongProcess, runTool } from './run-tool.ts';

/** One lab, with everything that its steps need. */
export interface LabSite {
  readonly plan: LabPlan;
  /** The id of the run: six hexadecimal digits. */
  readonly run: string;
  readonly parts: LabParts;
  readonly env: NodeJS.ProcessEnv;
  /** True when the lab stays up after weft ends. */
  readonly keep: boolean;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** All processes that a step started and that have not ended by themselves. */
  readonly processes: Set<LongProcess>;
}

/** The number of system programs that run at the same time: they mostly wait for locks of the kernel. */
export const TOOLS_AT_ONCE = 4;

/** The arguments of `ip` that run a command inside a namespace. */
export const inside = ({ run }: LabSite, namespace: string): readonly string[] => [
  'netns',
  'exec',
  namespaceIn(run, namespace),
];

export const runInside = (
  site: LabSite,
  namespace: string,
  command: readonly string[],
  input?: string,
): Promise<string> => runTool(site.parts.ip, [...inside(site, namespace), ...command], input);

/** The command that reads a script from its input, and ends where a line of it fails. */
export const SHELL = ['sh', '-eu'] as const;

/** The full paths of the programs that a lab uses. */
export interface LabParts {
  readonly ip: string;
  readonly nft: string;
  readonly wireguard: string;
  /** The ping command with its first arguments. */
  readonly ping: readonly string[];
  /** `null` unless packets are recorded. */
  readonly tcpdump: string | null;
}

export interface Machine {
  readonly platform: string;
  readonly userId: number;
  /** The full path of a program; `undefined` when it is not installed. */
  readonly find: (program: string) => string | undefined;
}

/** Program -> the Debian package that contains it. */
const PACKAGES: Readonly<Record<string, string>> = {
  nft: 'nftables',
  ip: 'iproute2',
  'wireguard-go': 'wireguard-go',
  ping: 'iputils-ping',
  tcpdump: 'tcpdump',
};

/** Finds the programs that the lab needs on this machine; throws a `LabError` that names the missing ones. */
export function findParts({ platform, userId, find }: Machine, wanted: { readonly pcap: boolean }): LabParts {
  if (platform !== 'linux')
    throw new LabError(`the lab needs Linux, and this is ${platform}`, 'run it in a container or a virtual machine');
  const ip = find('ip');
  const nft = find('nft');
  const wireguard = find('wireguard-go');
  const ping = findPingCommand(find);
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

/** The ping of busybox is used as a fallback; it has the same options. */
function findPingCommand(find: Machine['find']): readonly string[] | undefined {
  const own = find('ping');
  if (own !== undefined) return [own];
  const busybox = find('busybox');
  return busybox === undefined ? undefined : [busybox, 'ping'];
}

/** Folders of system programs, which may be missing in the PATH of a user. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/**
 * Describes this machine.
 *
 * @param path the folders that are searched first, in the form of the variable `PATH`.
 */
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
