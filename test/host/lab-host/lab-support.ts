import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findParts, thisMachine } from '../../../src/host/lab-host/lab-site.ts';
import { type LabResult, runLab } from '../../../src/host/lab-host/run-lab.ts';
import type { LabPlan } from '../../../src/reach/lab/lab-plan.ts';
import { memoryHost } from '../cli/memory-host.ts';

const partsOfThisMachine = () => findParts(thisMachine(memoryHost('/').host.env['PATH']), { pcap: false });

/** The reason why no lab can run here; `null` if one can. In CI on Linux it must run, so there is no reason. */
export function whyNoLab(): string | null {
  if (process.env['CI'] && process.platform === 'linux') return null;
  try {
    partsOfThisMachine();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The settings of every lab besides its plan. */
export const aroundLab = () => ({
  parts: partsOfThisMachine(),
  env: {},
  signal: new AbortController().signal,
  onStep: () => {},
});

/** Builds what a plan says, sends, and takes it down. */
export const carryOut = (plan: LabPlan): Promise<LabResult> =>
  runLab({ ...aroundLab(), plan, keep: false, pcap: null });

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Everything on this machine that is, or could be, of a lab, without those that tests in other processes run. */
export function labsOnMachine(): readonly string[] {
  const others = entriesOf('/run/weft-lab').flatMap((it) => {
    const [run = '', pid = ''] = it.split('.');
    return /^\d+$/.test(pid) && isOfAnother(pid) ? [run] : [];
  });
  const all = [
    ...entriesOf('/var/run/netns').filter((it) => it.startsWith('weft-')),
    ...entriesOf('/var/run/wireguard').filter((it) => it.startsWith('wl')),
    ...entriesOf('/run/weft-lab'),
    ...entriesOf('/proc').flatMap(labProcess),
    ...entriesOf('/sys/class/net').filter((it) => /^(wl|gw|liqo)/.test(it)),
  ];
  return all.filter((it) => !others.some((run) => it.includes(run)));
}

/** Tunnels, agents, and whatever was on its way into a namespace. */
function labProcess(pid: string): readonly string[] {
  if (!/^\d+$/.test(pid)) return [];
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 100);
    const isOfLab = /wireguard-go -f wl|netns exec weft-|--max-old-space-size=(32|48) -e/.test(command);
    return isOfLab && !isOfAnother(pid) ? [`${pid} ${command}`] : [];
  } catch {
    return [];
  }
}

/** True for a process that another running one has started, and not this one; false for an orphan. */
function isOfAnother(pid: string): boolean {
  const parents: string[] = [];
  for (let at = pid; at !== '0' && at !== '1'; at = parentOf(at)) parents.push(at);
  return !parents.includes(String(process.pid)) && parents.length > 1;
}

/** The id of the parent of a process, which is the fourth field of its state; `0` for a process that has ended. */
function parentOf(pid: string): string {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S+ /s, '')
        .split(' ')[0] ?? '0'
    );
  } catch {
    return '0';
  }
}

export interface StartedWeft {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<{
    readonly status: number | string | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

const WEFT = fileURLToPath(new URL('../../../dist/weft.cjs', import.meta.url));

/** Starts the built program as a process of its own, in a folder of its own. */
export function startWeft(args: readonly string[]): StartedWeft {
  const folder = mkdtempSync(join(tmpdir(), 'weft-started-'));
  const child = spawn(process.execPath, [WEFT, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => {
    said.stdout += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    said.stderr += part.toString();
  });
  const ended = new Promise<Awaited<StartedWeft['ended']>>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      rmSync(folder, { recursive: true, force: true });
      resolve({ status: code ?? signal, ...said });
    });
  });
  return { kill: (signal) => void child.kill(signal), ended };
}
