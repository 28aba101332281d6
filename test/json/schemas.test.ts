import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { diagnosticsDocument } from '../../src/answers/report/diagnostics-document.ts';
// @ts-expect-error The build is plain JavaScript.
import { withCommon } from '../../src/host/build/document-schemas.mjs';
import type { Uncompared } from '../../src/live/drift/drift.ts';
import type { Effect, ChangeKind as ImportChange } from '../../src/live/import/changes.ts';
import type { LinkFault } from '../../src/live/problems/link-faults.ts';
import { CHANGE_KINDS } from '../../src/plan/changes/change-kinds.ts';
import type { FlowEffect } from '../../src/plan/flows.ts';
import type { FateKind } from '../../src/reach/trace/fates.ts';
import { SOON_MADE } from '../support/editors-ajv.ts';
import { faultsOf, fileOf, isMap, JSON_COMMANDS, readSchema, type Schema } from '../support/json-documents.ts';

const COMMON = 'common.schema.json';
const PLAN_FILE = 'plan.schema.json';
const FILES = [...JSON_COMMANDS.map(fileOf), PLAN_FILE];

const common = readSchema(COMMON)['$defs'] as Schema;

const FATES = {
  ...{ delivered: 1, self: 1, 'no-route': 1, 'no-keys': 1, 'tunnel-down': 1, 'no-return': 1, 'not-a-pod-address': 1 },
  ...{
    ambiguous: 1,
    'needs-run-time-address': 1,
    'needs-offloading': 1,
    refused: 1,
    'refused-by-policy': 1,
    retired: 1,
  },
} satisfies Record<FateKind, 1>;

const LINK_FAULTS = {
  ...{ 'no-gateway': 1, 'no-configuration': 1, 'no-view': 1, 'no-public-key': 1, several: 1, 'stale-view': 1 },
  ...{ 'stale-local': 1, 'unkept-view': 1, 'not-connected': 1, 'no-connection': 1, 'dials-another-port': 1 },
  ...{ 'mtu-differs': 1, 'same-role': 1 },
} satisfies Record<LinkFault['kind'], 1>;

const EFFECTS = { stops: 1, interrupted: 1, readdressed: 1, rerouted: 1, opens: 1 } satisfies Record<FlowEffect, 1>;

const IMPORT_CHANGES = {
  ...{ 'gitops-annotations': 1, 'pod-security-labels': 1, 'labels-and-annotations': 1, 'names-secret': 1 },
  ...{ 'names-node-port': 1, mtu: 1, port: 1, dials: 1, template: 1, service: 1, 'service-annotations': 1 },
  ...{ 'other-secret': 1, key: 1, 'remote-networks': 1, view: 1, created: 1, 'made-by-liqo': 1, 'secret-missing': 1 },
  ...{ extra: 1, leaving: 1, 'other-field': 1 },
} satisfies Record<ImportChange, 1>;

const IMPORT_EFFECTS = { nothing: 1, restart: 1, port: 1, view: 1, key: 1 } satisfies Record<Effect, 1>;

const UNCOMPARED = { 'not-in-dump': 1, 'not-asked': 1, forbidden: 1, 'unknown-key': 1 } satisfies Record<
  Uncompared['why'],
  1
>;

/** Every schema in a schema, with its place. */
function* schemasIn(it: unknown, at = ''): Generator<readonly [string, Schema]> {
  if (Array.isArray(it)) for (const [i, one] of it.entries()) yield* schemasIn(one, `${at}/${i}`);
  if (!isMap(it)) return;
  yield [at, it];
  for (const [word, one] of Object.entries(it)) {
    const isMapOfSchemas = (word === 'properties' || word === '$defs') && isMap(one);
    for (const [name, inner] of isMapOfSchemas ? Object.entries(one) : [['', one] as const])
      yield* schemasIn(inner, `${at}/${word}/${name}`);
  }
}

/** The closed sets of the code, of which no fleet of a test has every one. A new one does not compile before it is here. */
const VALUES: readonly (readonly [file: string, place: readonly string[], values: object])[] = [
  [COMMON, ['fate'], FATES],
  [COMMON, ['linkFault', 'properties', 'kind'], LINK_FAULTS],
  [COMMON, ['change', 'properties', 'kind'], CHANGE_KINDS],
  [COMMON, ['effect'], EFFECTS],
  [fileOf('import'), ['changeGroup', 'properties', 'kind'], IMPORT_CHANGES],
  [fileOf('import'), ['changeGroup', 'properties', 'effect'], IMPORT_EFFECTS],
  [fileOf('drift'), ['uncompared', 'properties', 'why'], UNCOMPARED],
];

const validators = new Map<string, ValidateFunction>();

const AJV = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, ...SOON_MADE });

/** A schema as programs use it. */
function published(file: string): ValidateFunction {
  const known = validators.get(file);
  if (known !== undefined) return known;
  const made = AJV.compile(readSchema(file));
  validators.set(file, made);
  return made;
}

describe('the schemas of what commands print as JSON', () => {
  it('are one for each command that prints any, and no other', () => {
    expect(JSON_COMMANDS.length).toBeGreaterThan(10);
    const files = readdirSync(new URL('../../schemas/output/', import.meta.url)).map((it) => `output/${it}`);
    expect(files.sort()).toEqual(JSON_COMMANDS.map(fileOf).sort());
  });

  it.each(FILES)('%s is a strict schema under its own name, complete in one file', (file) => {
    const schema = readSchema(file);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://weft.dev/schemas/${file}`,
      title: expect.stringMatching(/^([A-Z][a-z]+)+$/),
    });
    expect(published(file)).toBeTypeOf('function');
    expect(JSON.stringify(schema)).not.toMatch(/"\$ref":"(?!#\/\$defs\/)/);
  });

  it.each(FILES)('%s has the common definitions as they are written once: npm run generate -- --types', (file) => {
    const schema = readSchema(file);
    expect(schema).toEqual(withCommon(schema, common));
  });

  it('refer to every common definition', () => {
    const used = new Set(FILES.flatMap((file) => Object.keys(readSchema(file)['$defs'] as Schema)));
    expect(Object.keys(common).filter((name) => !used.has(name))).toEqual([]);
  });

  it.each([...FILES, COMMON])('%s describes everything in a sentence', (file) => {
    for (const [at, it] of schemasIn(readSchema(file))) {
      const isDescribed = /\/(properties|\$defs)\/[^/]+$/.test(at) && it['$ref'] === undefined;
      if (isDescribed) expect(it['description'], at).toMatch(/^\S.*\.$/s);
    }
  });

  it.each(FILES)('%s lets keys through that a later weft may add, which its test does not', (file) => {
    for (const [at, it] of schemasIn(readSchema(file))) expect(it['additionalProperties'], at).not.toBe(false);
    const { schemaVersion } = common;
    expect(schemaVersion).toMatchObject({ const: 1 });
    const document = { ...diagnosticsDocument([]), more: 1 };
    if (file === PLAN_FILE) return;
    expect(published(file)(document)).toBe(true);
    expect(faultsOf(file, document)).toEqual([expect.stringContaining('"more"')]);
  });

  it('are named in docs/json.md, with every key of the answer', () => {
    const page = readFileSync(new URL('../../docs/json.md', import.meta.url), 'utf8');
    const head = ['schemaVersion', 'ok', 'summary', 'diagnostics', 'failure'];
    for (const command of JSON_COMMANDS) {
      const [, answer = ''] =
        new RegExp(`^\\| \`${command}\` \\|(.*)\\| \`schemas/${fileOf(command)}\` \\|$`, 'm').exec(page) ?? [];
      const named = [...answer.matchAll(/`(\w+)`/g)].map(([, key = '']) => key);
      const keys = Object.keys(readSchema(fileOf(command))['properties'] as Schema).filter((it) => !head.includes(it));
      expect(named.sort(), command).toEqual(keys.sort());
    }
  });

  it('begin with the same keys', () => {
    for (const command of JSON_COMMANDS) {
      const { properties, required } = readSchema(fileOf(command)) as { properties: Schema; required: unknown };
      expect(required).toEqual(['schemaVersion', 'ok', 'summary', 'diagnostics']);
      expect(Object.keys(properties).slice(0, 4)).toEqual(required);
      expect(properties['failure']).toEqual({ $ref: '#/$defs/failure' });
    }
  });

  it.each(VALUES)('%s lists what the code knows: %j', (file, place, values) => {
    const found = place.reduce<unknown>((it, word) => (isMap(it) ? it[word] : undefined), readSchema(file)['$defs']);
    expect([...((found as Schema)['enum'] as readonly string[])].sort()).toEqual(Object.keys(values).sort());
  });
});
