import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { judgeProbes, type Verdict } from '../../reach/lab/judge-probes.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { namespaceIn } from '../../reach/lab/print-scripts.ts';
import { buildLab, linksWithoutHandshake } from './build-lab.ts';
import type { LabParts } from './find-parts.ts';
import { recordKept, recordLab } from './lab-record.ts';
import type { LabSite } from './lab-site.ts';
import type { LongProcess } from './long-process.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { NAMESPACES } from './namespace-folder.ts';
import { startRecording } from './record-packets.ts';
import { removeLab } from './remove-lab.ts';
import { sendProbes } from './send-probes.ts';

interface LabRequest {
  readonly plan: LabPlan;
  readonly parts: LabParts;
  readonly env: NodeJS.ProcessEnv;
  readonly keep: boolean;
  /** Absolute path of a folder for recorded packets; `null` to record nothing. */
  readonly pcap: string | null;
  readonly signal: AbortSignal;
  /** Called at the start of each step with a description of it. */
  readonly onStep: (label: string) => void;
}

export interface LabResult {
  readonly run: string;
  readonly verdicts: readonly Verdict[];
  /** Links whose tunnel never came up. */
  readonly silent: readonly string[];
}

/** Builds a lab, sends all probes and removes the lab in every case; with `keep` only after a failure. */
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

/** An id that no namespace of this machine contains. */
async function freeRun(): Promise<string> {
  const names = await readdir(NAMESPACES).catch(() => []);
  for (;;) {
    const run = randomBytes(3).toString('hex');
    if (!names.some((it) => it.startsWith(namespaceIn(run, '')))) return run;
  }
}

async function endProcesses({ processes }: LabSite, isMeant: (it: LongProcess) => boolean): Promise<void> {
  const meant = [...processes].filter(isMeant);
  await mapConcurrently(meant, meant.length, (it) => it.end());
}
