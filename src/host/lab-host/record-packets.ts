import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../disk/make-folder.ts';
import { inside, type LabSite } from './lab-site.ts';
import { type LongProcess, startProcess } from './long-process.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { ToolFailure } from './run-tool.ts';

const POLL_MILLISECONDS = 20;
const START_TIMEOUT_MILLISECONDS = 10_000;

/** Records every namespace but the underlay's router, all devices together, one file per namespace; resolves when all listen. */
export async function startRecording(site: LabSite, folder: string): Promise<void> {
  const { tcpdump, ip } = site.parts;
  if (tcpdump === null) return;
  await makeFolder(folder);
  const names = site.plan.namespaces.filter((it) => it.kind !== 'underlay').map((it) => it.name);
  const started = names.map((name) => {
    const file = join(folder, `${name}.pcap`);
    // `-U` writes each packet at once, and `-Z` stays root: another user could not write here.
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
