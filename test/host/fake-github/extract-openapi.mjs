// Makes openapi-subset.json: what GitHub's official OpenAPI description says of the calls that weft makes, and of nothing
// else. Run it by hand when the list of calls or the version changes: node test/host/fake-github/extract-openapi.mjs.
// The package holds 400 MB of JSON, so it is unpacked in a scratch folder and never becomes a dependency.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = '@octokit/openapi';
const VERSION = '23.0.2';
const FILE = 'generated/api.github.com.json';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TARGET = fileURLToPath(new URL('openapi-subset.json', import.meta.url));

const OPERATIONS = [
  'git/create-blob',
  'git/create-commit',
  'git/create-ref',
  'git/create-tree',
  'git/delete-ref',
  'git/get-blob',
  'git/get-commit',
  'git/get-ref',
  'git/get-tree',
  'git/update-ref',
  'issues/add-assignees',
  'issues/add-labels',
  'issues/create-comment',
  'issues/delete-comment',
  'issues/list-comments',
  'issues/update-comment',
  'pulls/create',
  'pulls/get',
  'pulls/list',
  'pulls/request-reviewers',
  'pulls/update',
  'repos/compare-commits-with-basehead',
  'repos/get',
  'users/get-authenticated',
];

/** Keywords that say nothing about a value. They are dropped where a schema is meant, never from the names of properties. */
const PROSE = [
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'title',
  'headers',
  'deprecated',
];
const isProse = (name) => PROSE.includes(name) || name.startsWith('x-github');

/** The keywords whose value is a map from names that somebody chose to schemas. */
const MAPS = ['properties', 'patternProperties', 'schemas', 'parameters', 'responses', 'content'];

function withoutProse(value, isMap = false) {
  if (Array.isArray(value)) return value.map((it) => withoutProse(it));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => isMap || !isProse(name));
  return Object.fromEntries(kept.map(([name, it]) => [name, withoutProse(it, MAPS.includes(name) && !isMap)]));
}

function operationsOf({ paths }) {
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, it]) => OPERATIONS.includes(it.operationId))
      .map(([method, it]) => ({ path, method, operation: withoutProse(it) })),
  );
  const missing = OPERATIONS.filter((id) => !found.some((it) => it.operation.operationId === id));
  if (missing.length > 0) throw new Error(`the description has no ${missing.join(', ')}`);
  return found.sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
}

/** Adds the component behind each reference, and those that it refers to. */
function collect(value, components, into) {
  if (typeof value !== 'object' || value === null) return;
  for (const it of Object.values(value)) collect(it, components, into);
  const reference = typeof value.$ref === 'string' ? /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref) : null;
  if (reference === null) return;
  const [, kind, name] = reference;
  into[kind] ??= {};
  if (name in into[kind]) return;
  into[kind][name] = withoutProse(components[kind][name]);
  collect(into[kind][name], components, into);
}

const sorted = (map) => Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));

const scratch = mkdtempSync(join(tmpdir(), 'weft-openapi-'));
try {
  const pack = ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', scratch];
  const archive = execFileSync('npm', pack, { cwd: scratch, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', archive, `package/${FILE}`, 'package/LICENSE'], { cwd: scratch });
  const bytes = readFileSync(join(scratch, 'package', FILE));
  const description = JSON.parse(bytes.toString('utf8'));
  const paths = {};
  for (const { path, method, operation } of operationsOf(description)) {
    paths[path] = { ...paths[path], [method]: operation };
  }
  const components = {};
  collect(paths, description.components, components);
  const subset = {
    source: {
      package: PACKAGE,
      version: VERSION,
      file: FILE,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      license: readFileSync(join(scratch, 'package', 'LICENSE'), 'utf8')
        .trim()
        .split(/\n{2,}/),
      note: 'A subset, without descriptions and examples. Made by extract-openapi.mjs; do not edit.',
    },
    openapi: description.openapi,
    paths: sorted(paths),
    components: sorted(Object.fromEntries(Object.entries(components).map(([kind, it]) => [kind, sorted(it)]))),
  };
  writeFileSync(TARGET, `${JSON.stringify(subset, null, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
execFileSync(join(ROOT, 'node_modules', '.bin', 'biome'), ['format', '--write', '--config-path=.biome.json', TARGET], {
  cwd: ROOT,
});
