import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { firstLineWith, linesWith } from '../src/base/releases/traits.ts';
// @ts-expect-error The build is plain JavaScript.
import { documentTypes, generateTypes, prunedSchema } from '../src/host/build/generate.mjs';
import { editorsAjv, SOON_MADE } from './support/editors-ajv.ts';

type Schema = Record<string, unknown>;

/** `least`: so many keys must be found, lest the search for them finds nothing to complain about. */
const SCHEMAS = [
  { file: 'topology.schema.json', type: 'Topology', module: 'src/base/schema-types/topology.ts', least: 90 },
  { file: 'lock.schema.json', type: 'LockFile', module: 'src/base/schema-types/lock.ts', least: 6 },
  { file: 'keys.schema.json', type: 'KeysFile', module: 'src/base/schema-types/keys.ts', least: 2 },
  { file: 'addresses.schema.json', type: 'AddressesFile', module: 'src/base/schema-types/addresses.ts', least: 18 },
];

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const schemaOf = (file: string): Schema => JSON.parse(read(`schemas/${file}`)) as Schema;

const isText = (it: unknown): it is string => typeof it === 'string';
const isSchema = (it: unknown): it is Schema => typeof it === 'object' && it !== null && !Array.isArray(it);

/** Every key that a file can have, as `a/b`, with its schema; `$defs` are followed. */
function* keysOf(schema: Schema, root: Schema, path = ''): Generator<readonly [string, Schema]> {
  for (const part of [schema, ...partsOf(schema, root)]) {
    for (const word of ['properties', 'patternProperties']) {
      for (const [name, it] of Object.entries((part[word] ?? {}) as Record<string, Schema>)) {
        const here = `${path}/${name}`;
        const referred = referredBy(it, root);
        yield [here, { ...referred, ...it }];
        yield* keysOf(it, root, here);
      }
    }
  }
}

function partsOf(schema: Schema, root: Schema): readonly Schema[] {
  const below = [schema['items'], schema['additionalProperties'], schema['allOf'], schema['anyOf']]
    .flat()
    .filter(isSchema);
  const referred = referredBy(schema, root);
  return [...(referred ? [referred] : []), ...below].flatMap((it) => [it, ...partsOf(it, root)]);
}

function referredBy(schema: Schema, root: Schema): Schema | undefined {
  const name = /^#\/\$defs\/(.*)$/.exec(String(schema['$ref'] ?? ''))?.[1];
  return name === undefined ? undefined : (root['$defs'] as Record<string, Schema>)[name];
}

it('the types of documents are generated from their schemas, in which a definition has one meaning', async () => {
  const types: string = await documentTypes();
  for (const type of ['PlanDocument', 'ViewDocument', 'Change', 'Diagnostic'])
    expect(types).toMatch(new RegExp(`^export (interface|type) ${type}\\b`, 'm'));
});

for (const { file, type, module, least } of SCHEMAS) {
  describe(file, () => {
    const schema = schemaOf(file);
    const keys = [...keysOf(schema, schema)];

    it('is what the committed types are generated from', async () => {
      const text: string = await generateTypes(schema, type, file);
      expect(read(module)).toBe(text);
    });

    it('describes every key in a sentence and shows it in an example', () => {
      expect(keys.length).toBeGreaterThanOrEqual(least);
      for (const [path, it] of [['', schema] as const, ...keys]) {
        expect(it['description'], path).toMatch(/\.$/);
        expect(it['examples'], path).toSatisfy((them: unknown) => Array.isArray(them) && them.length > 0);
      }
    });

    it('has examples and defaults that it lets through, as a whole and key by key', () => {
      const ajv = editorsAjv();
      ajv.addSchema(schema);
      const root = ajv.getSchema(String(schema['$id']));
      for (const example of schema['examples'] as unknown[]) {
        expect(root?.(example), JSON.stringify(root?.errors)).toBe(true);
      }
      for (const [path, it] of keys) {
        const validate = ajv.compile({ ...it, $defs: schema['$defs'] });
        const samples = [...(it['examples'] as unknown[]), ...('default' in it ? [it['default']] : [])];
        for (const sample of samples) {
          expect(validate(sample), `${path} ${JSON.stringify(sample)} ${JSON.stringify(validate.errors)}`).toBe(true);
        }
      }
    });

    it('says in one sentence what is wrong where a pattern does not match', () => {
      const patterns = [...maps(schema)].filter((it) => 'pattern' in it);
      const sentences = new Map(patterns.map((it) => [it['pattern'], it['patternErrorMessage']]));
      if (file === 'topology.schema.json') for (const it of sentences.values()) expect(it).toMatch(/^[a-z].*[^.]$/);
      // One pattern, one sentence.
      for (const it of patterns) expect(it['patternErrorMessage']).toBe(sentences.get(it['pattern']));
    });

    it('closes every map with known keys', () => {
      const open = [...maps(schema)].filter((it) => 'properties' in it && it['additionalProperties'] === undefined);
      expect(open).toEqual([]);
    });
  });
}

function* maps(schema: unknown): Generator<Schema> {
  if (Array.isArray(schema)) for (const it of schema) yield* maps(it);
  if (!isSchema(schema)) return;
  if ('type' in schema) yield schema;
  for (const [word, it] of Object.entries(schema)) if (word !== 'examples' && word !== 'default') yield* maps(it);
}

describe('for editors', () => {
  const schema = schemaOf('topology.schema.json');
  const keys = new Map(keysOf(schema, schema));

  it('has a title of words for every key, and no name of a type', () => {
    const types = new Set([...maps(schema)].map((it) => it['x-weft-type']).filter(isText));
    expect(types.size).toBeGreaterThan(10);
    const titles = [...keys].map(([path, it]) => [path, it['title']] as const);
    expect(titles.filter(([, title]) => !isText(title) || types.has(title))).toEqual([]);
  });

  it('says of a key since which release it matters, and until which, as the traits of the releases do', () => {
    const said = [...keys].flatMap(([path, it]) => {
      const [since, until] = [it['x-weft-since'], it['x-weft-until']];
      return since === undefined && until === undefined ? [] : [[path, since, until]];
    });
    expect(said).toEqual([
      ['/liqo/shortcutOperator', undefined, linesWith('worksWithShortcutOperator').at(-1)],
      ['/offloading/directConnections', firstLineWith('hasDirectConnections'), undefined],
    ]);
  });

  it('has no key with only one possible value but the version of the format, which lets a later weft refuse a file', () => {
    const single = [...keys].filter(([, it]) => 'const' in it || [it['enum'] ?? []].flat().length === 1);
    expect(single.map(([path]) => path)).toEqual(['/version']);
  });

  const validate = editorsAjv().compile(schemaOf('topology.schema.json'));

  it('lets the shortest useful topology through', () => {
    const topology: unknown = parse(`
      version: 1
      name: europe
      hub: europe
      defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
      clusters:
        europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
        rome:   { podCIDR: 10.202.0.0/16 }
        milan:  { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
        turin:
      shortcuts:
        - [rome, milan]
    `);
    expect(validate(topology), JSON.stringify(validate.errors)).toBe(true);
  });

  /** Our own validator of the topology, without what it leaves to the rules. */
  let leftToRules: ValidateFunction | undefined;

  it.each([
    ['a name with a space', { name: 'my fleet' }],
    ['a release that does not exist', { liqo: { version: '2.0' } }],
    ['a CIDR without a length', { clusters: { rome: { podCIDR: '10.0.0.0' } } }],
    ['an MTU out of range', { clusters: { rome: { gateway: { mtu: 100 } } } }],
    ['a cluster name in capitals', { clusters: { Rome: {} } }],
    ['a range that is none', { clusters: { rome: { gateway: { ports: '1-2-3' } } } }],
  ])('marks %s, which our own validator leaves to the rules', (_, wrong) => {
    const topology = { version: 1, name: 'europe', clusters: {}, ...wrong };
    expect(validate(topology)).toBe(false);
    leftToRules ??= new Ajv2020({
      ...{ strict: true, allowUnionTypes: true, strictRequired: false, keywords: ['x-weft-removed'] },
      ...SOON_MADE,
    }).compile(prunedSchema(schemaOf('topology.schema.json')));
    expect(leftToRules(topology)).toBe(true);
  });
});

it('lets the validators gather errors without copying all earlier ones for each', () => {
  const code = read('src/base/generated/validators.js');
  expect(code).toContain('appended(vErrors, ');
  expect(code).not.toContain('vErrors.concat(');
});

describe('prunedSchema', () => {
  it('drops prose and what the rules check, and keeps keys that are called like keywords', () => {
    const schema = {
      description: 'x',
      properties: {
        title: { type: 'string', pattern: 'a', default: 'a' },
        pattern: { type: 'string', pattern: 'a', maxLength: 3, 'x-weft-semantic': true, default: 'a' },
      },
    };
    expect(prunedSchema(schema)).toEqual({
      properties: { title: { type: 'string', pattern: 'a' }, pattern: { type: 'string' } },
    });
  });

  it('keeps the first example, as a person writes it, for hints', () => {
    const example = { between: ['rome', 'milan'], version: '1.1', labels: {} };
    expect(prunedSchema({ examples: [example, {}] })).toEqual({
      examples: ['{ between: [rome, milan], version: "1.1", labels: {} }'],
    });
  });
});
