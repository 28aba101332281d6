// A kubectl that answers from recorded objects: `node recorded-kubectl.mjs FOLDER get RESOURCE ...`, where the folder has a file
// for each context and kind. Lists, tables and errors are as kubectl 1.35 prints them.
import { existsSync, readFileSync } from 'node:fs';

const [folder, ...args] = process.argv.slice(2);
const [verb, given] = args.filter((it) => !it.startsWith('-'));
const option = (name) => args.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Kinds whose group kubectl finds by itself. */
const SHORT = {
  deployments: 'deployments.apps',
  rolebindings: 'rolebindings.rbac.authorization.k8s.io',
  clusterrolebindings: 'clusterrolebindings.rbac.authorization.k8s.io',
};

const context = option('context');
const resources = given.split(',').map((it) => SHORT[it] ?? it);
const [resource] = resources;
const pathOf = (it) => `${folder}/${context}/${it}`;
// The operator of ForeignClusterConnections brings its own CRD; it was not there.
const isInstalled = (it) =>
  existsSync(pathOf(it)) ||
  /^[^.]+([.]networking[.]k8s[.]io)?$/.test(it) ||
  (/\.liqo\.io$/.test(it) && !/^foreignclusterc/.test(it));
const missing = resources.find((it) => !isInstalled(it));

if (verb !== 'get') fail(`error: unknown command "${verb}" for "kubectl"`);
else if (!existsSync(`${folder}/${context}`)) fail(`error: context "${context}" does not exist`);
else if (missing !== undefined) fail(`error: the server doesn't have a resource type "${missing.split('.')[0]}"`);
else
  print(
    selected(resources.flatMap((it) => (existsSync(pathOf(it)) ? JSON.parse(readFileSync(pathOf(it), 'utf8')) : []))),
  );

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function selected(items) {
  const [label, values] = selectorOf(option('selector') ?? '');
  const name = option('field-selector')?.replace('metadata.name=', '');
  const namespace = option('namespace');
  return items.filter(({ metadata: { labels = {}, ...own } }) => {
    const hasLabel = label === '' || (label in labels && (values === null || values.includes(labels[label])));
    const isInNamespace = namespace === undefined || own.namespace === namespace;
    return hasLabel && isInNamespace && (name === undefined || own.name === name);
  });
}

/** `a`, `a=b` or `a in (b,c)` as a label with the values that are wanted of it; null: any. */
function selectorOf(text) {
  const [, label, value, values] = /^([^= ]*)(?:=(.*)| in \((.*)\))?$/.exec(text);
  return [label, values?.split(',') ?? (value === undefined ? null : [value])];
}

function print(items) {
  if (option('output') === 'json') {
    const list = { apiVersion: 'v1', items: items.map(inOrder), kind: 'List', metadata: { resourceVersion: '' } };
    process.stdout.write(`${JSON.stringify(list, null, 4)}\n`);
  } else if (items.length === 0) process.stderr.write('No resources found\n');
  else if (resource === 'secrets') process.stdout.write(tableOf(items.map(secretRow)));
  else fail(`the columns of ${given} were not recorded`);
}

/** Columns that the API server sends of a Secret: of its values their number. */
function secretRow({ metadata: { namespace, name, labels }, type, data }) {
  const row = [namespace, name, type ?? 'Opaque', String(Object.keys(data ?? {}).length), '3d4h'];
  return args.includes('--show-labels') ? [...row, labelText(labels)] : row;
}

function labelText(labels = {}) {
  const pairs = Object.entries(inOrder(labels)).map((it) => it.join('='));
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

function tableOf(rows) {
  const header = ['NAMESPACE', 'NAME', 'TYPE', 'DATA', 'AGE', 'LABELS'].slice(0, rows[0].length);
  const all = args.includes('--no-headers') ? rows : [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((it) => it[column].length)) + 3);
  return all
    .map(
      (row) =>
        `${row
          .map((it, column) => it.padEnd(widths[column]))
          .join('')
          .trimEnd()}\n`,
    )
    .join('');
}

/** As Go prints maps. */
function inOrder(value) {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((it) => [it, inOrder(value[it])]));
}
