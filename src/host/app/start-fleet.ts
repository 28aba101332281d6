import { basename, join } from 'node:path';
import { addAll } from '../../base/core/collections.ts';
import { render } from '../../base/text/render.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import {
  type CiFile,
  gitLabFile,
  type InitForge,
  type RunningWeft,
  type Scheduled,
  scheduledFile,
  workflowFile,
} from './ci-files.ts';
import { lacksSchema, namesOfFleet, SCHEMA_PATH } from './editor-schema.ts';
import { schemaCopyOf, schemaText } from './editor-schema-text.ts';
import { topologiesOfFleet } from './find-topology.ts';
import { type FileReader, type TextReader, TOPOLOGIES, TOPOLOGY } from './ports.ts';
import type { Refusal } from './refusal.ts';
import { parseTopologyAt } from './topology-files.ts';

export interface StartPorts {
  /** The absolute path of a folder that a user named. */
  readonly absolute: (folder: string) => string;
  readonly read: (path: string) => Promise<ReadResult>;
  /** Writes a file and creates missing parent folders. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  readonly append: (path: string, text: string) => Promise<void>;
  /** Reads the topologies of a fleet that is there. */
  readonly files: FileReader;
}

type StartResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'started';
      readonly folder: string;
      readonly written: readonly string[];
      /** Existing files to which lines were added. */
      readonly extended: readonly string[];
      /** The package of weft that the jobs need in the repository; `null` if they run a release. */
      readonly tarball: string | null;
      /** A topology that editors do not check yet, and the line that names their schema; `null` without one. */
      readonly unchecked: { readonly topology: string; readonly line: string } | null;
    };

interface StartRequest {
  readonly folder: string;
  /** Workflows that read clusters in a schedule, to be written too. */
  readonly scheduled: readonly Scheduled[];
  /** The forge whose CI runs weft. */
  readonly forge: InitForge;
  /** The weft that the jobs run. */
  readonly weft: RunningWeft;
}

/**
 * Writes a starter topology, its schema for editors, a workflow that checks pull requests, and the attributes for git.
 */
export async function startFleet(ports: StartPorts, request: StartRequest): Promise<StartResult> {
  const { folder, scheduled, forge, weft } = request;
  const name = fleetName(ports.absolute(folder));
  // An existing fleet has a topology, whatever its name is.
  const own = await ports.read(join(folder, TOPOLOGY));
  const isAtRoot = own.kind !== 'missing' && own.kind !== 'is-directory';
  const hasTopology = isAtRoot || (await ports.read(join(folder, TOPOLOGIES))).kind !== 'missing';
  const jobs =
    forge === 'gitlab'
      ? gitLabFile(await gitLabPath((path) => ports.read(join(folder, path))), weft, isAtRoot)
      : workflowFile(forge, weft, isAtRoot);
  const names = hasTopology ? await namesOfFleet(ports.files, folder) : STARTERS;
  const around = initFiles(name, { jobs, names }).filter(
    (it) => !(hasTopology && it.path.startsWith(`${TOPOLOGIES}/`)),
  );
  const wanted = [...(hasTopology && scheduled.length > 0 ? [] : around), ...(await scheduledFiles(ports, request))];
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
  const line = own.kind === 'ok' && lacksSchema(own.text) ? `# yaml-language-server: $schema=${SCHEMA_PATH}` : null;
  return {
    kind: 'started',
    folder,
    written: written.map((it) => it.target),
    extended,
    tarball: jobs.tarball,
    unchecked: line === null ? null : { topology: join(folder, TOPOLOGY), line },
  };
}

/** In git attributes the last matching line wins, so the lines of weft are added at the end. */
const separatedFrom = (before: string, text: string): string =>
  before === '' ? text : `${before.endsWith('\n') ? '' : '\n'}\n${text}`;

/** The name of the folder if it is a valid fleet name, so that fleets have different names from the start. */
function fleetName(folder: string): string {
  const name = basename(folder).toLowerCase();
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= 40 ? name : 'europe';
}

/** A file of a new fleet; its path is relative to the folder. */
interface InitFile {
  readonly path: string;
  readonly text: string;
  /**
   * The action when the file exists already: refuse to write any file, keep it, replace it if it is a schema of another
   * weft version, or append the text.
   */
  readonly ifThere: 'refuse' | 'keep' | 'refresh' | 'append';
  /** Other names for the same file: if one of them exists, nothing is written. */
  readonly orThere?: readonly string[];
}

/**
 * The configuration files that yamllint reads when there is no `.yamllint`. Source: adrienverge/yamllint@v1.29.0
 * yamllint/cli.py (find_project_config_filepath).
 */
const YAMLLINT_NAMES = ['.yamllint.yaml', '.yamllint.yml'];

/** The clusters of `topology.hbs`. */
const STARTERS = ['europe', 'rome', 'milan'];

async function scheduledFiles(
  ports: Pick<StartPorts, 'files'>,
  { folder, scheduled, weft }: StartRequest,
): Promise<readonly InitFile[]> {
  if (scheduled.length === 0) return [];
  const clusters = await clustersInUse(ports.files, folder);
  const read = clusters.length === 0 ? STARTERS : clusters;
  return scheduled.map((kind) => ({ ...scheduledFile(kind, read, weft), ifThere: 'refuse' }));
}

interface InitParts {
  /** The CI file of the forge. */
  readonly jobs: CiFile;
  /** The clusters of the fleet. */
  readonly names: readonly string[];
}

/** The files that `weft init` writes for a fleet of that name. */
const initFiles = (name: string, { jobs: { path, text }, names }: InitParts): readonly InitFile[] => [
  { path: `${TOPOLOGIES}/${TOPOLOGY}`, text: render('app/init/topology', { name }), ifThere: 'refuse' },
  { path, text, ifThere: 'refuse' },
  { path: SCHEMA_PATH, text: schemaText(names), ifThere: 'refresh' },
  { path: '.gitattributes', text: gitAttributes(), ifThere: 'append' },
  { path: '.prettierignore', text: render('app/init/prettierignore', {}), ifThere: 'append' },
  { path: '.yamllint', text: render('app/init/yamllint', {}), ifThere: 'keep', orThere: YAMLLINT_NAMES },
];

/** The attributes that git needs for the files of a fleet. */
export const gitAttributes = (): string => render('app/init/gitattributes', {});

/** The file that GitLab reads. If a project already has one, weft's jobs become a file that it can include. */
const GITLAB_CI = '.gitlab-ci.yml';

const INCLUDED = '.gitlab/ci/weft.yml';

/** GitLab's file, or one to include. */
async function gitLabPath(read: (path: string) => Promise<ReadResult>): Promise<string> {
  const there = await read(GITLAB_CI);
  // A file with the jobs of weft is refused like every file of an earlier run.
  return there.kind === 'ok' && !there.text.includes('weft pr ') ? INCLUDED : GITLAB_CI;
}

/** The clusters of all topologies of a fleet that are not retired. A topology with errors contributes none. */
async function clustersInUse(files: TextReader, folder: string): Promise<readonly string[]> {
  const clusters: string[] = [];
  for (const path of await topologiesOfFleet(files, folder)) {
    const document = await parseTopologyAt(files, path);
    const checked = document && checkTopology(document);
    if (checked?.ok)
      addAll(
        clusters,
        checked.value.clusters.filter((it) => !it.retired).map((it) => it.name),
      );
  }
  return clusters;
}
