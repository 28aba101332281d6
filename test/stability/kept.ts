import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { CODES } from '../../src/base/diagnostics/codes.ts';
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from '../../src/host/cli/command-table.ts';
import { EXIT } from '../../src/host/front/host.ts';
import { partsOf } from '../json/parts-of-schema.ts';
import type { Schema } from '../support/json-documents.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const HERE = join(ROOT, 'test/stability');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The version of package.json, and whether the changelog has a date for it. */
export const VERSION: string = JSON.parse(read('package.json')).version;
const isReleased = read('CHANGELOG.md').includes(`\n## ${VERSION} (`);

/** True to record what the version of package.json promises. A release is never recorded again. */
export const RECORDS = process.env['UPDATE_GOLDEN'] === '1' && process.env['CI'] === undefined && !isReleased;

/** The recorded versions. */
export const versions = (): readonly string[] => readdirSync(HERE).filter((it) => /^\d+\.\d+\.\d+$/.test(it));

/** The fleets whose locks and bundles are kept, with their folders. */
export const FLEETS = {
  'three-clusters': 'topologies',
  'sharing-with-every-option': 'test/golden/sharing-with-every-option',
  'two-hubs-with-tiers': 'test/golden/two-hubs-with-tiers',
  'views-of-before-are-kept': 'test/golden/views-of-before-are-kept',
} as const;

/** Names of everything that people and programs write or read, by kind. A later weft has all of them. */
export type Names = Readonly<Record<string, readonly string[]>>;

/** The names of the weft that is tested. */
export function namesOfToday(): Names {
  const commands: readonly CommandSpec[] = COMMANDS;
  const optionsOf = (name: string, options: readonly OptionSpec[]): readonly string[] =>
    options.flatMap(({ long, values }) => [
      `${name} --${long}`,
      ...(Array.isArray(values) ? values.map((it) => `${name} --${long} ${it}`) : []),
    ]);
  const action = parse(read('action.yml'));
  return {
    commands: commands.map((it) => it.name),
    options: [...optionsOf('weft', GLOBAL_OPTIONS), ...commands.flatMap((it) => optionsOf(it.name, it.options))],
    'exit codes': Object.entries(EXIT).map(([name, code]) => `${code} ${name}`),
    'codes of diagnostics': Object.keys(CODES),
    'inputs of the Action': Object.keys(action.inputs),
    'outputs of the Action': Object.keys(action.outputs),
    'functions of the library': [
      ...read('src/host/library/liqo-weft.d.ts').matchAll(/^export declare function (\w+)/gm),
    ].map(([, name = '']) => name),
    ...namesInSchemas(),
  };
}

/** Keys of files and documents, with the values of closed sets. Definitions that documents share are listed once. */
function namesInSchemas(): Names {
  const schemaAt = (path: string): Schema => JSON.parse(read(`schemas/${path}`));
  const { $defs: common = {} } = schemaAt('common.schema.json');
  const isCommon = (part: string): boolean => Object.hasOwn(common as Schema, /^#([^/[ ]+)/.exec(part)?.[1] ?? '');
  const files = readdirSync(join(ROOT, 'schemas'), { recursive: true, encoding: 'utf8' }).filter(
    (it) => it.endsWith('.schema.json') && !it.includes('.editor.'),
  );
  return Object.fromEntries(
    files.sort().map((file) => {
      const parts = [...partsOf(schemaAt(file))];
      return [file, file.startsWith('common') ? parts : parts.filter((it) => !isCommon(it))];
    }),
  );
}

/** Records of a version: `names.json` and the files of fleets. */
export const recordAt = (version: string, path: string): string => readFileSync(join(HERE, version, path), 'utf8');

export function record(path: string, text: string): void {
  const file = join(HERE, VERSION, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The files of a fleet beside its topology, as they are recorded. */
export const filesOfFleet = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    ['topology.yaml', 'topology.keys.yaml', 'topology.identities.yaml', 'topology.lock.yaml']
      .filter((it) => existsSync(join(ROOT, folder, it)))
      .map((it) => [it, read(`${folder}/${it}`)]),
  );
