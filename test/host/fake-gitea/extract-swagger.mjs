// Makes swagger-subset.json: what Gitea's own description says of the calls that weft makes, and of nothing else. Run it by
// hand when the list of calls or the version changes, with Go installed: node test/host/fake-gitea/extract-swagger.mjs.
// No npm package ships the description; Gitea's Go module does, as the template of what a server answers at /swagger.v1.json.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = 'code.gitea.io/gitea';
const VERSION = 'v1.26.0';
const FILE = 'templates/swagger/v1_json.tmpl';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TARGET = fileURLToPath(new URL('swagger-subset.json', import.meta.url));

const OPERATIONS = [
  'getUserSettings',
  'issueAddLabel',
  'issueCreateComment',
  'issueCreateLabel',
  'issueDeleteComment',
  'issueEditComment',
  'issueGetComments',
  'repoCreatePullRequest',
  'repoCreatePullReviewRequests',
  'repoEditPullRequest',
  'repoGet',
  'repoGetAssignees',
  'repoGetPullRequest',
  'repoListGitRefs',
  'repoListPullRequests',
  'userGetCurrent',
];

/** Keywords that say nothing about a value. They are dropped where a schema is meant, never from the names of properties. */
const PROSE = ['description', 'summary', 'example', 'tags', 'title', 'headers', 'consumes', 'produces'];
const isProse = (name) => PROSE.includes(name) || name.startsWith('x-');

/** The keywords whose value is a map from names that somebody chose to schemas. */
const MAPS = ['properties', 'definitions', 'responses'];

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

/** Adds the definition or the response behind each reference, and those that it refers to. */
function collect(value, description, into) {
  if (typeof value !== 'object' || value === null) return;
  for (const it of Object.values(value)) collect(it, description, into);
  const reference = typeof value.$ref === 'string' ? /^#\/(definitions|responses)\/(.+)$/.exec(value.$ref) : null;
  if (reference === null) return;
  const [, kind, name] = reference;
  if (name in into[kind]) return;
  into[kind][name] = withoutProse(description[kind][name]);
  collect(into[kind][name], description, into);
}

const sorted = (map) => Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));

const { Dir } = JSON.parse(
  execFileSync('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], { encoding: 'utf8' }),
);
const bytes = readFileSync(join(Dir, FILE));
// A server fills in its version and the folder of its address; neither says anything about a call.
const description = JSON.parse(bytes.toString('utf8').replace(/\{\{[^}]*\}\}/g, ''));
const paths = {};
for (const { path, method, operation } of operationsOf(description)) {
  paths[path] = { ...paths[path], [method]: operation };
}
const used = { definitions: {}, responses: {} };
collect(paths, description, used);
const subset = {
  source: {
    module: MODULE,
    version: VERSION,
    file: FILE,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    license: readFileSync(join(Dir, 'LICENSE'), 'utf8')
      .trim()
      .split(/\n{2,}/),
    note: 'A subset, without descriptions and examples. Made by extract-swagger.mjs; do not edit.',
  },
  swagger: description.swagger,
  paths: sorted(paths),
  definitions: sorted(used.definitions),
  responses: sorted(used.responses),
};
writeFileSync(TARGET, `${JSON.stringify(subset, null, 2)}\n`);
execFileSync(join(ROOT, 'node_modules', '.bin', 'biome'), ['format', '--write', '--config-path=.biome.json', TARGET], {
  cwd: ROOT,
});
