import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { LiveObject } from './kube.ts';
import type { LiqoFleet } from './liqo-fleet.ts';
import { program } from './programs.ts';

/** A file of a recorded fleet, or an object of one of its dumps, with the moments at which it was so. */
interface RecordedPart {
  readonly at: string[];
  readonly path: string;
  readonly text?: string;
  readonly item?: LiveObject;
}

/**
 * Writes what a run of a fleet looks like at its moments to `RUN.jsonl.gz` in the folder that `WEFT_ENGINES_RECORD` names, if it names
 * one: the files of people, and a dump of each cluster by the script that weft prints. `test/live/dumps/engine-runs.ts` reads it.
 */
export class Recorder {
  readonly #run: string;
  /** By their content, in the order in which they came. */
  readonly #parts = new Map<string, RecordedPart>();

  constructor(run: string) {
    this.#run = run.toLowerCase().replaceAll(' ', '-');
  }

  /** Records the fleet as it is now. */
  async at(moment: string, fleet: LiqoFleet): Promise<void> {
    const folder = process.env['WEFT_ENGINES_RECORD'];
    if (folder === undefined) return;
    const topologies = join(fleet.repository.folder, 'topologies');
    for (const it of readdirSync(topologies).sort())
      this.#add(moment, { path: `topologies/${it}`, text: readFileSync(join(topologies, it), 'utf8') });
    for (const [cluster, items] of await dumpsOf(fleet))
      for (const item of items) this.#add(moment, { path: `dumps/${cluster}.json`, item: withoutOwners(item) });
    // States of an object are beside each other, which compresses well; the last one in a dump counts.
    const parts = [...this.#parts.values()].sort((a, b) =>
      placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0,
    );
    const lines = parts.map((it) => `${JSON.stringify(it)}\n`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${this.#run}.jsonl.gz`), gzipSync(lines.join(''), { level: 9 }));
  }

  #add(moment: string, part: Omit<RecordedPart, 'at'>): void {
    const key = JSON.stringify(part);
    const known = this.#parts.get(key);
    if (known === undefined) this.#parts.set(key, { at: [moment], ...part });
    else if (!known.at.includes(moment)) known.at.push(moment);
  }
}

/** The objects of each cluster, as the dump script that weft prints for it lists them. */
async function dumpsOf(fleet: LiqoFleet): Promise<ReadonlyMap<string, readonly LiveObject[]>> {
  const script = await fleet.weft('import', '--print-commands', ...fleet.contexts());
  const cwd = mkdtempSync(join(fleet.folder, 'dumps-'));
  const env = {
    ...process.env,
    KUBECONFIG: fleet.kubeconfig(),
    PATH: `${dirname(program('kubectl'))}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  await promisify(execFile)('bash', ['-c', script.stdout], { cwd, env });
  const read = (cluster: string) => readFileSync(join(cwd, 'dumps', `${cluster}.json`), 'utf8');
  return new Map([...fleet.clusters.keys()].map((it) => [it, itemsIn(read(it))]));
}

/** The items of several lists of kubectl in one text. */
function itemsIn(dump: string): readonly LiveObject[] {
  return dump
    .split(/(?<=^\})\n/m)
    .filter((it) => it.trim() !== '')
    .flatMap((it) => (JSON.parse(it) as { readonly items: readonly LiveObject[] }).items);
}

function withoutOwners(item: LiveObject): LiveObject {
  const { managedFields: _, ...metadata } = item.metadata;
  return { ...item, metadata };
}

/** Files first, then objects by kind and name, whatever their cluster. */
function placeOf({ item, path }: RecordedPart): string {
  if (item === undefined) return ` ${path}`;
  const { kind, metadata } = item;
  return `${kind} ${metadata.name} ${metadata.namespace ?? ''} ${path}`;
}
