import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { COMMANDS, type CommandSpec } from '../../src/host/cli/command-table.ts';
import { SOON_MADE } from './editors-ajv.ts';

export type Schema = Readonly<Record<string, unknown>>;

export const isMap = (it: unknown): it is Schema => typeof it === 'object' && it !== null && !Array.isArray(it);

/** Commands that print JSON when they are asked to. */
export const JSON_COMMANDS: readonly string[] = (COMMANDS as readonly CommandSpec[])
  .filter((it) => it.options.some(({ long, values }) => long === 'output' && values?.includes('json')))
  .map((it) => it.name);

export const fileOf = (command: string): string => `output/${command.replaceAll(' ', '-')}.schema.json`;

export const readSchema = (file: string): Schema =>
  JSON.parse(readFileSync(new URL(`../../schemas/${file}`, import.meta.url), 'utf8')) as Schema;

/** The keys below these keywords are names, each with a schema. */
const MAPS_OF_SCHEMAS = ['properties', '$defs'];

/**
 * The schema as a test wants it: without any key that it does not describe. The published one lets such keys through, since a later
 * weft may add some.
 */
export function closed(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((it) => closed(it, isPart));
  if (!isMap(schema)) return schema;
  const inside = Object.entries(schema).map(([word, it]) => {
    if (MAPS_OF_SCHEMAS.includes(word) && isMap(it))
      return [word, Object.fromEntries(Object.entries(it).map(([name, one]) => [name, closed(one)]))];
    // A branch describes some keys of the object around it.
    return [word, closed(it, word === 'oneOf' && 'properties' in schema)];
  });
  const closes = 'properties' in schema && !isPart && schema['additionalProperties'] === undefined;
  return { ...Object.fromEntries(inside), ...(closes ? { unevaluatedProperties: false } : {}) };
}

const validators = new Map<string, ValidateFunction>();

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true, ...SOON_MADE });

export function validatorOf(file: string): ValidateFunction {
  const known = validators.get(file);
  if (known !== undefined) return known;
  const made = ajv.compile(closed(readSchema(file)) as object);
  validators.set(file, made);
  return made;
}

/** The faults of a document; empty if it matches its schema. */
export function faultsOf(file: string, document: unknown): readonly string[] {
  const validate = validatorOf(file);
  if (validate(document)) return [];
  return (validate.errors ?? []).map((it) => `${it.instancePath} ${it.message} ${JSON.stringify(it.params)}`);
}

/** The keys that every document begins with. */
const HEAD = ['schemaVersion', 'ok', 'summary', 'diagnostics'];

interface Printed {
  readonly code: number;
  readonly stdout: string;
}

/**
 * The faults of a run with `-o json`, checked for every run in a test: stdout is one document as the schema of the
 * command describes it, `ok` is the exit code, and a failure has no answer. Empty without faults, or if nothing was to
 * be printed.
 */
export function documentFaults(argv: readonly string[], { code, stdout }: Printed): readonly string[] {
  const command = jsonCommand(argv);
  // A run that is stopped prints nothing, and --watch prints one document after another.
  if (command === undefined || code === STOPPED) return [];
  const document: unknown = JSON.parse(stdout);
  const keys = isMap(document) ? Object.keys(document) : [];
  const ok = isMap(document) && document['ok'] === true;
  const failed = keys.includes('failure');
  return [
    ...faultsOf(fileOf(command), document),
    ...(HEAD.every((it, i) => keys[i] === it) ? [] : [`begins with ${keys.slice(0, HEAD.length).join(', ')}`]),
    ...(failed && (ok || keys.length > HEAD.length + 1) ? ['has an answer beside the failure'] : []),
    ...(ok === (code === 0 || (code === DIFFERS && argv.includes('--detailed-exitcode')))
      ? []
      : [`is ${ok ? '' : 'not '}ok, and the exit code is ${code}`]),
  ];
}

const STOPPED = 130;

/** Something to do, with the exit codes of `weft plan --detailed-exitcode`. */
const DIFFERS = 2;

/** The command that has to print a document; that of `weft validate` for a command line that is none. */
function jsonCommand(argv: readonly string[]): string | undefined {
  const asks = argv.some(
    (it, i) => ['-ojson', '--output=json'].includes(it) || (['-o', '--output'].includes(it) && argv[i + 1] === 'json'),
  );
  if (!asks || argv[0] === 'completion' || ['-h', '--help'].some((it) => argv.includes(it))) return undefined;
  return jsonCommandOf(argv);
}

const isOf = (argv: readonly string[], command: string): boolean =>
  command.split(' ').every((word, i) => argv[i] === word);

export const printsJson = (argv: readonly string[]): boolean => JSON_COMMANDS.some((it) => isOf(argv, it));

export const jsonCommandOf = (argv: readonly string[]): string =>
  JSON_COMMANDS.find((it) => isOf(argv, it)) ?? 'validate';
