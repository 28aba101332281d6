import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { judgeProbes, type Verdict } from '../../reach/lab/judge-probes.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { namespaceIn } from '../../reach/lab/print-scripts.ts';
import { makeFolder } from '../disk/write-files.ts';
import { buildLab, linksWithoutHandshake } from './build-lab.ts';
import { NAMESPACES, recordKept, recordLab } from './lab-record.ts';
import { inside, type LabParts, type LabSite } from './lab-site.ts';
import { removeLab } from './remove-lab.ts';
import { type LongProcess, mapConcurrently, startProcess, ToolFailure } from './run-tool.ts';
import { sendProbes } from './send-probes.ts';

interface LabRequest {
  readonly plan: LabPlan;
  readonly parts: LabParts;
  readonly env: NodeJS.ProcessEnv;
  readonly keep: boolean;
  /** The absolute path of a folder for recorded packets; `null` to record nothing. */
  readonly pcap: string | null;
  readonly signal: AbortSignal;
  /** Called at the start of each step with its description. */
  readonly onStep: (label: string) => void;
}

export interface LabResult {
  readonly run: string;
  readonly verdicts: readonly Verdict[];
  /** Links whose tunnel never came up. */
  readonly silent: readonly string[];
}

/** Builds a lab, sends all probes, and removes the lab in every case; with `keep` only after a failure. */
export async function runLab(request: LabRequest): Promise<LabResult> {
  const { plan, parts, env, keep, signal, onStep } = request;
  const run = await freeRun();
  const namespaces = plan.namespaces.map((it) => namespaceIn(run, it.name));
  const site: LabSite = { plan, run, parts, env, keep, signal, processes: new Set() };
  let done = false;
  await recordLab(run, namespaces);
  try {
    onStep('building the lab');
    await buildLab(site);
    if (request.pcap !== null) await startRecording(site, request.pcap);
    const silent = await linksWithoutHandshake(site);
    onStep(`sending ${plan.probes.length} probes`);
    const verdicts = judgeProbes(plan, await sendProbes(site));
    signal.throwIfAborted();
    done = true;
    return { run, verdicts, silent };
  } finally {
    onStep('cleaning up');
    const mayStay = done && keep;
    await endProcesses(site, (it) => !(mayStay && it.outlives));
    if (mayStay) await recordKept(run);
    else await removeLab(parts.ip, run);
  }
}

/** A random run id that no namespace of this machine contains. */
async function freeRun(): Promise<string> {
  const names = await readdir(NAMESPACES).catch(() => []);
  for (;;) {
    const run = randomBytes(3).toString('hex');
    if (!names.some((it) => it.startsWith(namespaceIn(run, '')))) return run;
  }
}

async function endProcesses({ processes }: LabSite, isSelected: (it: LongProcess) => boolean): Promise<void> {
  const selected = [...processes].filter(isSelected);
  await mapConcurrently(selected, selected.length, (it) => it.end());
}

const POLL_MILLISECONDS = 20;
const START_TIMEOUT_MILLISECONDS = 10_000;

/**
 * Starts a packet recorder in every namespace except the underlay's router. Each writes one file for all devices of its
 * namespace. Resolves when all of them listen.
 */
async function startRecording(site: LabSite, folder: string): Promise<void> {
  const { tcpdump, ip } = site.parts;
  if (tcpdump === null) return;
  await makeFolder(folder);
  const names = site.plan.namespaces.filter((it) => it.kind !== 'underlay').map((it) => it.name);
  const started = names.map((name) => {
    const file = join(folder, `${name}.pcap`);
    // `-U` writes each packet immediately, and `-Z` stays root, because another user could not write here.
    const args = [tcpdump, '-i', 'any', '-n', '-U', '--immediate-mode', '-Z', 'root', '-w', file];
    const recorder = startProcess(ip, [...inside(site, name), ...args], { env: site.env, outlives: false });
    site.processes.add(recorder);
    return recorder;
  });
  await mapConcurrently(started, started.length, (it) => untilListening(site, it));
}

async function untilListening({ signal }: LabSite, it: LongProcess): Promise<void> {
  for (let waited = 0; !it.errorOutput().includes('listening on'); waited += POLL_MILLISECONDS) {
    signal.throwIfAborted();
    if (it.hasEnded() || waited > START_TIMEOUT_MILLISECONDS) throw new ToolFailure('tcpdump', it.errorOutput());
    await sleep(POLL_MILLISECONDS);
  }
}

/** Signals that end a program besides Ctrl-C: from a supervisor, or from a closed terminal. */
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** Adds a listener for Ctrl-C; returns a function that removes it. */
export type OnInterrupt = (listener: () => void) => () => void;

/** Calls the listener for every request to stop weft; returns a function that removes the listener. */
export function onStop(onInterrupt: OnInterrupt, listener: () => void): () => void {
  const forget = onInterrupt(listener);
  for (const it of SIGNALS) process.on(it, listener);
  return () => {
    forget();
    for (const it of SIGNALS) process.off(it, listener);
  };
}
