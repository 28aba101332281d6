// Generates modules that the sources import, below src/base/generated/ (ignored by git): ajv validators from schemas/,
// Handlebars templates, the pages and the keys of `weft explain`, the formats of texts in a topology, the hash of the schema for editors, and the
// types of documents, which only `npm run typecheck` and the package need. With --types it also generates the committed files: src/base/schema-types/*.ts
// with the types of files, the schema of the topology for editors, and the definitions that schemas of documents share.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import * as esbuild from 'esbuild';
import Handlebars from 'handlebars';
import { compile as typesOf } from 'json-schema-to-typescript';
import { withCommon } from './document-schemas.mjs';
import { editorSchema } from './editor-schema.mjs';
import { asWritten, isMap } from './json-values.mjs';
import { formatsOfTexts } from './text-formats.mjs';
import { topologyKeys } from './topology-keys.mjs';
import { writeIfChanged } from './written-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const generated = join(root, 'src', 'base', 'generated');

/** Schema file -> the name of its validator and the module with its type. */
const SCHEMAS = {
  'topology.schema.json': {
    validator: 'validateTopology',
    type: 'Topology',
    module: 'src/base/schema-types/topology.ts',
  },
  'lock.schema.json': { validator: 'validateLock', type: 'LockFile', module: 'src/base/schema-types/lock.ts' },
  'keys.schema.json': { validator: 'validateKeys', type: 'KeysFile', module: 'src/base/schema-types/keys.ts' },
  'identities.schema.json': {
    validator: 'validateIdentities',
    type: 'IdentitiesFile',
    module: 'src/base/schema-types/identities.ts',
  },
  'addresses.schema.json': {
    validator: 'validateAddresses',
    type: 'AddressesFile',
    module: 'src/base/schema-types/addresses.ts',
  },
};

/** The documents that the library returns; all of them share one module, in which each definition is one type. */
const DOCUMENTS = ['validate', 'trace', 'view', 'whois', 'ports', 'plan', 'whatif', 'verify'];

/** The values of Liqo's chart, as a schema. */
const chart = await (async () => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(root, 'src', 'base', 'releases', 'chart-values.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
})();

/** The schema of the topology with the values of Liqo's chart, which have no words of their own in it. */
export function withChart(topology) {
  const { cluster } = topology.$defs;
  const helmValues = { ...cluster.properties.helmValues, allOf: [{ $ref: '#/$defs/chart' }] };
  const withValues = { ...cluster, properties: { ...cluster.properties, helmValues } };
  return {
    ...topology,
    $defs: { ...topology.$defs, cluster: withValues, chart: chart.CHART, ...chart.CHART_DEFS },
  };
}

const BANNER = (schema) =>
  `// Generated from schemas/${schema} by \`npm run generate -- --types\`; edit that instead.\n`;

async function filesBelow(folder, ending) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((it) => it.isFile() && it.name.endsWith(ending))
    .map((it) => join(it.parentPath ?? it.path, it.name))
    .sort((a, b) => (a < b ? -1 : 1));
}

async function readSchemas() {
  const known = new Set(await readdir(join(root, 'schemas')));
  return Promise.all(
    Object.entries(SCHEMAS)
      .filter(([file]) => known.has(file))
      .map(async ([file, it]) => ({
        file,
        ...it,
        schema: JSON.parse(await readFile(join(root, 'schemas', file), 'utf8')),
      })),
  );
}

export async function generateTypes(schema, type, file) {
  const text = await typesOf(rewritten(schema, typeKeywords), type, {
    bannerComment: BANNER(file),
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 120 },
  });
  return text.replace(/\r\n/g, '\n');
}

/** Keywords below which the keys are names of schemas and not keywords. */
const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties', '$defs']);

/** A schema in which the keywords of each part are rewritten. */
function rewritten(schema, keywordsOf) {
  if (Array.isArray(schema)) return schema.map((it) => rewritten(it, keywordsOf));
  if (!isMap(schema)) return schema;
  return Object.fromEntries(
    Object.entries(keywordsOf(schema)).map(([key, value]) => [
      key,
      MAPS_OF_SCHEMAS.has(key)
        ? Object.fromEntries(Object.entries(value).map(([name, it]) => [name, rewritten(it, keywordsOf)]))
        : rewritten(value, keywordsOf),
    ]),
  );
}

/**
 * Replaces the title by `x-weft-type`: the generator of types uses titles as names, but here they are words for users.
 */
function typeKeywords({ title: _, 'x-weft-type': type, ...rest }) {
  return type === undefined ? rest : { title: type, ...rest };
}

/** Keywords that editors check; below `x-weft-semantic` a rule of weft checks the same with a better message. */
const SEMANTIC_KEYWORDS = ['enum', 'pattern', 'minimum', 'maximum', 'maxLength', 'format', 'x-weft-semantic'];

/** Keywords that only users, editors and the generated types read. */
const PROSE_KEYWORDS = [
  ...['title', 'description', 'default', 'patternErrorMessage', 'tsType'],
  ...['x-weft-type', 'x-weft-since', 'x-weft-until', 'x-weft-included', 'x-weft-reaches', 'x-weft-decides'],
  ...['x-weft-format', 'x-weft-owner', 'x-weft-names-cluster'],
];

/**
 * A schema for the validator: without the keywords that rules check, and without prose except one example, which hints
 * show.
 */
export const prunedSchema = (schema) =>
  rewritten(schema, (part) => {
    const dropped = new Set([...PROSE_KEYWORDS, ...(part['x-weft-semantic'] ? SEMANTIC_KEYWORDS : [])]);
    const kept = Object.entries(part).filter(([key]) => !dropped.has(key));
    return Object.fromEntries(kept.map(([key, it]) => [key, key === 'examples' ? it.slice(0, 1).map(asWritten) : it]));
  });

// ajv copies all errors found so far for every part it checks: minutes when each of many clusters has the same typo.
const COPYING = /vErrors\.concat\((\w+)\.errors\)/g;
const APPENDED = 'const appended = (all, more) => { for (const it of more) all.push(it); return all; };';

async function validators(schemas) {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strict: true,
    strictRequired: false,
    // Each error contains its schema, because diagnostics list its keys.
    verbose: true,
    inlineRefs: false,
    code: { source: true, esm: true },
    // Read from the error at a key that no longer exists: its name, and what to do instead.
    keywords: ['x-weft-removed'],
    schemas: schemas.map((it) => prunedSchema(it.schema)),
  });
  const exports = Object.fromEntries(schemas.map((it) => [it.validator, it.schema.$id]));
  const bundled = await esbuild.build({
    stdin: {
      contents: `${APPENDED}\n${standaloneCode(ajv, exports).replace(COPYING, 'appended(vErrors, $1.errors)')}`,
      resolveDir: root,
      loader: 'js',
    },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
  });
  const imports = schemas.map(
    ({ type, module }) => `import type { ${type} } from '${module.replace(/^src\/base/, '..')}';`,
  );
  const types = schemas.map((it) => `export declare const ${it.validator}: Validator<${it.type}>;`);
  return {
    js: bundled.outputFiles[0].text,
    inputs: Object.keys(bundled.metafile.inputs),
    dts: `import type { ErrorObject } from 'ajv';\n${imports.join('\n')}\n
export interface Validator<T> {\n  (data: unknown): data is T;\n  errors?: ErrorObject[] | null;\n}\n${types.join('\n')}\n`,
  };
}

async function templates() {
  const files = await filesBelow(join(root, 'src'), '.hbs');
  const names = files.map((it) =>
    relative(join(root, 'src'), it)
      .replaceAll('\\', '/')
      .replace(/^\w+\/|\.hbs$/g, ''),
  );
  const specs = await Promise.all(
    files.map(async (it) =>
      Handlebars.precompile(await readFile(it, 'utf8'), { noEscape: true, strict: true, knownHelpersOnly: true }),
    ),
  );
  const union = names.map((it) => `'${it}'`).join(' | ') || 'never';
  return {
    js: `export const TEMPLATES = {\n${names.map((it, i) => `'${it}': ${specs[i]},`).join('\n')}\n};\n`,
    dts: `export type TemplateName = ${union};\nexport declare const TEMPLATES: Record<TemplateName, unknown>;\n`,
  };
}

async function explainPages() {
  const folder = join(root, 'src', 'base', 'diagnostics', 'explain');
  const files = await filesBelow(folder, '.md');
  const pages = {};
  for (const file of files) {
    pages[relative(folder, file).replaceAll('\\', '/').replace(/\.md$/, '')] = await readFile(file, 'utf8');
  }
  return {
    js: `export const EXPLAIN_PAGES = ${JSON.stringify(pages, null, 1)};\n`,
    dts: 'export declare const EXPLAIN_PAGES: Readonly<Record<string, string>>;\n',
  };
}

const KEY_TYPE = `/** A key of the topology. */
export interface TopologyKey {
  /** The path from the top, with NAME for a user-defined name: clusters.NAME.gateway.dial. */
  readonly path: string;
  /** Paths of other places that accept the same key. */
  readonly places: readonly string[];
  readonly description: string;
  /** The type in words; the values if only some are possible. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The default as YAML. */
  readonly default?: string;
  /** The first release of Liqo that supports it. */
  readonly since?: string;
  /** The last release of Liqo that supports it. */
  readonly until?: string;
  /** Lines of YAML. */
  readonly examples: readonly string[];
}
`;

const keysOfTopology = (topology) => ({
  js: `export const TOPOLOGY_KEYS = ${JSON.stringify(topologyKeys(topology), null, 1)};\n`,
  dts: `${KEY_TYPE}\nexport declare const TOPOLOGY_KEYS: readonly TopologyKey[];\n`,
});

/** The places of each key by its name, for hints about a key at a wrong level: those of a cluster before `defaults`. */
function placesOfKeys(topology) {
  const places = new Map();
  for (const path of topologyKeys(topology).flatMap((it) => [it.path, ...it.places])) {
    const name = path.split('.').at(-1);
    places.set(name, [...(places.get(name) ?? []), path]);
  }
  return {
    js: `export const KEY_PLACES = ${JSON.stringify(Object.fromEntries(places))};\n`,
    dts: 'export declare const KEY_PLACES: Readonly<Record<string, readonly string[]>>;\n',
  };
}

/** The editor version of the topology schema, which `weft init` copies. */
const EDITOR_SCHEMA = 'schemas/topology.editor.schema.json';

/**
 * The hash of that schema without its last definition, the names of clusters, which differ in every copy: `weft validate`
 * recognises a copy by it.
 */
async function hashOfEditorSchema() {
  const text = `${JSON.stringify(JSON.parse(await readFile(join(root, EDITOR_SCHEMA), 'utf8')), null, 2)}\n`;
  const hash = createHash('sha256').update(text.slice(0, text.lastIndexOf('    "clusterNames": ')));
  return {
    js: `export const EDITOR_SCHEMA_HASH = '${hash.digest('hex')}';\n`,
    dts: 'export declare const EDITOR_SCHEMA_HASH: string;\n',
  };
}

export const editorSchemaText = (topology) => `${JSON.stringify(editorSchema(withChart(topology)), null, 2)}\n`;

/** Copies the common definitions into the schemas of documents; a file that is already correct keeps its layout. */
async function shareDefinitions() {
  const folder = join(root, 'schemas');
  const read = async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'));
  const { $defs } = await read('common.schema.json');
  const documents = (await readdir(join(folder, 'output'))).map((it) => join('output', it));
  for (const file of [...documents, 'plan.schema.json']) {
    const schema = await read(file);
    const text = JSON.stringify(withCommon(schema, $defs), null, 2);
    if (text !== JSON.stringify(schema, null, 2)) await writeFile(join(folder, file), `${text}\n`);
  }
}

/** All definitions in one map; fails for two with the same name that differ. */
function oneMeaningEach(all) {
  const merged = new Map();
  for (const [name, it] of all.flatMap(Object.entries)) {
    if (JSON.stringify(merged.get(name) ?? it) !== JSON.stringify(it))
      throw new Error(`two definitions are named ${name}`);
    merged.set(name, it);
  }
  return Object.fromEntries(merged);
}

/** A definition with a description beside its reference would become a type of its own. */
function describedReference({ $ref, ...rest }) {
  if ($ref === undefined) return rest;
  return Object.keys(rest).length === 0 ? { $ref } : { allOf: [{ $ref }], ...rest };
}

/** The types of the documents of the library, as one module. */
export async function documentTypes() {
  const documents = await Promise.all(
    DOCUMENTS.map(async (it) =>
      JSON.parse(await readFile(join(root, 'schemas', 'output', `${it}.schema.json`), 'utf8')),
    ),
  );
  const schema = {
    type: 'object',
    properties: Object.fromEntries(documents.map((it) => [it.title, { $ref: `#/$defs/${it.title}` }])),
    $defs: oneMeaningEach(documents.map(({ $defs, $id: _, ...it }) => ({ ...$defs, [it.title]: it }))),
  };
  return generateTypes(rewritten(schema, describedReference), 'Documents', 'output/');
}

/** Writes the modules; returns the paths, from the root, of package files that were copied into them. */
export async function generate({ withTypes = false } = {}) {
  const schemas = await readSchemas();
  const { inputs, ...validation } = await validators(schemas);
  const { schema: topology } = schemas.find((it) => it.type === 'Topology');
  if (withTypes) {
    for (const it of schemas)
      await writeIfChanged(join(root, it.module), await generateTypes(it.schema, it.type, it.file));
    await writeIfChanged(join(root, EDITOR_SCHEMA), editorSchemaText(topology));
    await shareDefinitions();
  }
  const parts = {
    validators: validation,
    templates: await templates(),
    'explain-pages': await explainPages(),
    'topology-keys': keysOfTopology(topology),
    'key-places': placesOfKeys(topology),
    'text-formats': formatsOfTexts(withChart(topology)),
    'editor-schema': await hashOfEditorSchema(),
  };
  for (const [name, { js, dts }] of Object.entries(parts)) {
    await writeIfChanged(join(generated, `${name}.js`), js);
    await writeIfChanged(join(generated, `${name}.d.ts`), dts);
  }
  return inputs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await generate({ withTypes: process.argv.includes('--types') });
  await writeIfChanged(join(generated, 'documents.d.ts'), await documentTypes());
}
