import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printPrefix } from '../../src/base/net/text.ts';
import { type Compiled, compile } from '../../src/compile.ts';
import { COMMANDS } from '../../src/host/cli/command-table.ts';
import { fleetOfTheSlides } from '../live/simulated/fleet-of-the-slides.ts';
import { simulateLiqoctl } from '../live/simulated/simulate-liqoctl.ts';
import { EDITS, FLEET, type Replacement } from '../plan/edits.ts';
import { withKeysFiles } from '../support/keys-of.ts';
import { readVector, vectorFiles, vectorFolders } from '../support/vectors.ts';
import type { Call } from './freeze.ts';

type Files = Readonly<Record<string, string>>;

/** A folder with files, and the commands that are run in it one after the other. */
interface FrozenFleet {
  readonly name: string;
  readonly files: Files;
  readonly calls: readonly Call[];
}

const ROOT = process.cwd();

export function* frozenFleets(): Generator<FrozenFleet> {
  yield { name: 'no fleet', files: {}, calls: callsWithoutFleet() };
  for (const name of foldersIn(join(ROOT, 'test/golden'))) yield golden(name);
  for (const edit of EDITS) yield editedFleet(edit);
  for (const fleet of vectorFolders('live'))
    for (const release of vectorFolders(`live/${fleet}`)) yield* recorded(fleet, release);
  for (const release of ['1.0', '1.2'] as const) yield simulated(release);
}

const call = (...argv: readonly string[]): Call => ({ argv });

/** The formats of a command, from the table. */
const formatsOf = (command: string): readonly string[] => {
  const spec = COMMANDS.find((it) => it.name === command);
  const option = spec?.options.find((it) => it.long === 'output');
  return option !== undefined && 'values' in option ? (option.values as readonly string[]) : [];
};

/** A command in each of its formats. */
const inAll = (...argv: readonly string[]): readonly Call[] => {
  const command = COMMANDS.find((it) => it.name === argv[0] || it.name === argv.slice(0, 2).join(' '))?.name ?? '';
  return formatsOf(command).map((it) => call(...argv, '-o', it));
};

function callsWithoutFleet(): readonly Call[] {
  return [
    call(),
    call('--help'),
    call('--version'),
    call('nonsense'),
    ...COMMANDS.flatMap((it) => [call(...it.name.split(' '), '--help'), call(...it.name.split(' '), '--nonsense')]),
    ...inAll('explain'),
    ...codes().flatMap((it) => inAll('explain', it)),
    ...['gateway.dial', 'hub', 'defaults.mtu', 'directConnections', 'nothing-like-it'].flatMap((it) =>
      inAll('explain', it),
    ),
    ...['bash', 'zsh', 'fish', 'powershell'].map((it) => call('completion', it)),
    ...inAll('validate'),
    ...inAll('compile'),
    call('import', '--print-commands'),
    call('init', 'github'),
    call('init', 'gitlab', '--forge', 'gitlab'),
    call('init', 'gitea', '--forge', 'gitea', '--drift'),
  ];
}

const codes = (): readonly string[] => {
  const pages = join(ROOT, 'src/base/diagnostics/explain');
  return readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('.md'))
    .map((it) => it.slice(0, -'.md'.length))
    .sort();
};

function golden(name: string): FrozenFleet {
  const folder = join(ROOT, 'test/golden', name);
  const given = ['topology.yaml', 'topology.keys.yaml', 'topology.identities.yaml'];
  const files = Object.fromEntries([
    ...given.filter((it) => existsSync(join(folder, it))).map((it) => [`topologies/${it}`, read(folder, it)]),
    ...filesIn(join(folder, 'regions')).map((it) => [`topologies/regions/${it}`, read(folder, `regions/${it}`)]),
    ...(existsSync(join(folder, 'before.lock.yaml'))
      ? [['topologies/topology.lock.yaml', read(folder, 'before.lock.yaml')]]
      : []),
  ]) as Files;
  return { name: `golden/${name}`, files, calls: callsOf(files) };
}

/** The usual commands for a fleet: look, compile, look at one cluster and at a pair, prove. */
function callsOf(files: Files): readonly Call[] {
  const first = [...inAll('validate'), call('validate', '-v'), ...inAll('plan'), ...inAll('compile', '--check')];
  const compiled = compiledFrom(files);
  if (compiled === null) return [...first, ...['compile', 'view', 'ports', 'verify'].map((it) => call(it))];
  const clusters = [...compiled.model.clusters.values()];
  const [one, other = one] = clusters;
  if (one === undefined || other === undefined) return first;
  const pod = one.podCIDRs[0] === undefined ? '10.0.0.1' : printPrefix(one.podCIDRs[0].value).replace(/\/.*/, '');
  return [
    ...first,
    call('compile'),
    call('compile', '--frozen-lock'),
    ...inAll('compile', '--check'),
    ...inAll('plan'),
    call('compile', '--cluster', one.name),
    ...inAll('verify'),
    ...inAll('view'),
    ...inAll('view', 'links'),
    ...inAll('view', 'forecast'),
    ...inAll('view', 'forecast', one.name),
    ...clusters.slice(0, 4).map((it) => call('view', it.name)),
    ...inAll('view', one.name),
    ...inAll('view', one.name, other.name),
    ...inAll('view', one.name, other.name, '--recreated', '--runbook'),
    ...inAll('trace', one.name, other.name),
    ...inAll('trace', other.name, `${one.name}:443`),
    ...inAll('trace', '--all'),
    ...inAll('whois', pod),
    call('whois', '203.0.113.10', '--in', other.name),
    ...inAll('ports'),
    ...inAll('ports', one.name),
    ...inAll('graph'),
    call('graph', one.name, '-o', 'dot'),
    ...['text', 'yaml', 'json'].map(
      (it): Call => ({
        argv: ['translate', '--in', one.name, '--for', other.name, '--explain', '-o', it],
        stdin: `${pod.replace(/\d+$/, '9')} 10.70.0.4`,
      }),
    ),
    call('lab', '--cluster', 'nowhere'),
  ];
}

function compiledFrom(files: Files): Compiled | null {
  const source = (path: string) => {
    const text = files[`topologies/${path}`];
    return text === undefined ? undefined : { path, text };
  };
  const topology = source('topology.yaml');
  if (topology === undefined) return null;
  const included = Object.keys(files)
    .filter((it) => it.startsWith('topologies/regions/'))
    .map((it) => ({ path: it.slice('topologies/'.length), text: files[it] ?? '' }));
  const sources = {
    topology,
    included,
    keys: source('topology.keys.yaml'),
    identities: source('topology.identities.yaml'),
  };
  const outcome = compile({ ...sources, lock: source('topology.lock.yaml') }, { relock: [], only: null });
  return outcome.ok ? outcome.value : null;
}

/** The edits that plans are tested with, as a person makes them: compile, edit, plan. */
function editedFleet(edit: (typeof EDITS)[number]): FrozenFleet {
  const versions = [edit.fleet ?? FLEET];
  for (const replacements of [...(edit.earlier ?? []), edit.topology ?? []])
    versions.push(replacements.reduce(replaced, versions.at(-1) ?? ''));
  const last = versions.pop() ?? '';
  const relock = (edit.relock ?? []).flatMap((it) => ['--relock', it]);
  const write = (text: string): Call => ({
    argv: ['compile', '--allow-destroy'],
    files: withKeysFiles({ [PATH]: text }),
  });
  const edited = { [PATH]: last };
  return {
    name: `edits/${edit.name}`,
    files: {},
    calls: [
      ...versions.map(write),
      { argv: ['plan', ...relock], files: edit.keysOfAll === true ? withKeysFiles(edited) : edited },
      ...inAll('plan', ...relock),
      call('plan', ...relock, '--detailed-exitcode', '--diff', 'diff', '-v'),
      call('graph', '--plan'),
      call('compile', ...relock),
    ],
  };
}

const PATH = 'topologies/topology.yaml';

const replaced = (text: string, [from, to]: Replacement): string => text.replace(from, () => to);

/** A recorded fleet, as it was and after each of its disturbances. */
function* recorded(fleet: string, release: string): Generator<FrozenFleet> {
  const folder = `live/${fleet}/${release}`;
  const given = Object.fromEntries(
    vectorFiles(folder)
      .filter((it) => it.endsWith('.yaml'))
      .map((it) => [`topologies/${it}`, readVector(`${folder}/${it}`)]),
  );
  const dumps = Object.fromEntries(
    vectorFiles(folder)
      .filter((it) => it.endsWith('.json'))
      .map((it) => [`dumps/${it}`, readVector(`${folder}/${it}`)]),
  );
  const name = `live/${fleet} ${release}`;
  yield { name: `${name} imported`, files: dumps, calls: imported() };
  if (given[PATH] === undefined) return;
  const [one = '', other = one] = Object.keys(dumps).map((it) => it.slice('dumps/'.length, -'.json'.length));
  yield {
    name,
    files: { ...given, ...dumps },
    calls: [call('compile'), ...inAll('drift', '--live', 'dumps/'), ...lookups(one, other)],
  };
  for (const it of vectorFiles(`${folder}/after`)) {
    const [cluster = ''] = it.split('.');
    yield {
      name: `${name} ${it}`,
      files: { ...given, ...dumps, [`dumps/${cluster}.json`]: readVector(`${folder}/after/${it}`) },
      calls: [call('compile'), call('drift', '--live', 'dumps/'), call('drift', '--live', 'dumps/', '-o', 'json')],
    };
  }
}

const imported = (): readonly Call[] => [
  ...inAll('import', 'dumps/', '--name', 'fleet', '--check'),
  call('import', 'dumps/', '--name', 'fleet'),
  call('compile'),
  call('drift', '--live', 'dumps/'),
  call('plan', '--live', 'dumps/'),
];

const lookups = (one: string, other: string): readonly Call[] => [
  ...inAll('plan', '--live', 'dumps/'),
  ...inAll('view', one, '--live', 'dumps/'),
  call('view', one, other, '--runbook', '--live', 'dumps/'),
  ...inAll('trace', one, other, '--live', 'dumps/'),
  call('trace', '--all', '--live', 'dumps/'),
  call('whois', '10.71.0.4', '--live', 'dumps/'),
];

function simulated(release: '1.0' | '1.2'): FrozenFleet {
  const lists = [...simulateLiqoctl(fleetOfTheSlides(release))];
  const files = Object.fromEntries(lists.map(([id, list]) => [`dumps/${id}.json`, JSON.stringify(list)]));
  return { name: `simulated/slides ${release}`, files, calls: imported() };
}

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .map((it) => it.name)
    .sort();

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((it) => it.isFile())
        .map((it) => it.name)
        .sort()
    : [];
