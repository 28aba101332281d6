import { basename, join } from 'node:path';
import type { ReadResult } from '../disk/read-text-file.ts';
import { gitLabJobs } from './init/gitlab-jobs.ts';
import { driftFile, initFiles } from './init/init-files.ts';
import { schemaCopyOf } from './init/schema-copy.ts';
import { type InitForge, workflowFile } from './init/workflow-file.ts';
import type { Refusal } from './refusal.ts';

export interface StartPorts {
  /** Absolute path of a folder that a user named. */
  readonly absolute: (folder: string) => string;
  readonly read: (path: string) => Promise<ReadResult>;
  /** Creates its parent folders as well. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  readonly append: (path: string, text: string) => Promise<void>;
  /** The clusters of the topologies below a folder, as far as they can be read. */
  readonly clustersIn: (folder: string) => Promise<readonly string[]>;
}

type StartResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'started';
      readonly folder: string;
      readonly written: readonly string[];
      /** Files that were there, and have more lines now. */
      readonly extended: readonly string[];
    };

interface StartRequest {
  readonly folder: string;
  /** Whether the workflow that looks for drift is written, too. */
  readonly withDrift: boolean;
  /** Whose CI runs weft. */
  readonly forge: InitForge;
}

/** Writes a starter topology, its schema for editors, a workflow that checks pull requests, and what git has to know. */
export async function startFleet(ports: StartPorts, { folder, withDrift, forge }: StartRequest): Promise<StartResult> {
  const name = fleetName(ports.absolute(folder));
  // A fleet that is there has a topology, whatever it is called.
  const hasTopology = (await ports.read(join(folder, 'topologies'))).kind !== 'missing';
  const jobs = forge === 'gitlab' ? await gitLabJobs((path) => ports.read(join(folder, path))) : workflowFile(forge);
  const around = initFiles(name, jobs).filter((it) => !(hasTopology && it.path.startsWith('topologies/')));
  const wanted = [
    ...(hasTopology && withDrift ? [] : around),
    ...(withDrift ? [driftFile(await ports.clustersIn(folder))] : []),
  ];
  const files = wanted.map((it) => ({
    ...it,
    target: join(folder, it.path),
    otherNames: (it.orThere ?? []).map((name) => join(folder, name)),
  }));
  const before = new Map<string, ReadResult>();
  for (const it of files.flatMap(({ target, otherNames }) => [target, ...otherNames]))
    before.set(it, await ports.read(it));
  const isThere = (target: string): boolean => before.get(target)?.kind !== 'missing';
  const existing = files.filter((it) => it.ifThere === 'refuse' && isThere(it.target)).map((it) => it.target);
  if (existing.length > 0)
    return { kind: 'refused', refusal: { kind: 'files-exist', paths: existing, command: 'init' } };
  const isOutdated = (target: string): boolean => {
    const read = before.get(target);
    return read?.kind === 'ok' && schemaCopyOf(read.text) === 'other-version';
  };
  const written = files.filter(
    ({ target, otherNames, ifThere }) =>
      ![target, ...otherNames].some(isThere) || (ifThere === 'refresh' && isOutdated(target)),
  );
  for (const { target, text } of written) await ports.writeFile(target, text);
  const extended: string[] = [];
  for (const { target, text, ifThere } of files) {
    const read = before.get(target);
    if (ifThere !== 'append' || read?.kind !== 'ok' || read.text.includes(text)) continue;
    await ports.append(target, separatedFrom(read.text, text));
    extended.push(target);
  }
  return { kind: 'started', folder, written: written.map((it) => it.target), extended };
}

/** In git's attributes the last line that matches counts, so the lines of weft come last. */
const separatedFrom = (before: string, text: string): string =>
  before === '' ? text : `${before.endsWith('\n') ? '' : '\n'}\n${text}`;

/** The name of the folder if it is a valid fleet name, so that fleets have different names from the start. */
function fleetName(folder: string): string {
  const name = basename(folder).toLowerCase();
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= 40 ? name : 'europe';
}
