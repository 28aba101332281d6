// Passes on what a kubectl answers, in another form: `node unusual-kubectl.mjs FORM < ANSWER`.
import { readFileSync } from 'node:fs';

const [form] = process.argv.slice(2);
const text = readFileSync(0, 'utf8');
const isJson = text.startsWith('{');
const list = isJson ? JSON.parse(text) : undefined;

/** As an API server prints lists: the items have no kind of their own. */
function typedLists({ items }) {
  const kinds = new Map();
  for (const { apiVersion, kind, ...item } of items) {
    const key = `${apiVersion} ${kind}`;
    kinds.set(key, [...(kinds.get(key) ?? []), item]);
  }
  const lists = [...kinds].map(([key, own]) => {
    const [apiVersion, kind] = key.split(' ');
    return { apiVersion, kind: `${kind}List`, metadata: { resourceVersion: '7' }, items: own };
  });
  return { apiVersion: 'v1', kind: 'List', metadata: {}, items: lists };
}

const FORMS = {
  'typed-lists': typedLists,
  'empty-lists': (it) => ({ ...it, items: it.items.filter((one) => one.kind === 'ConfigMap') }),
  'without-kind': ({ kind: _, ...it }) => it,
  'one-page': (it) => ({
    ...it,
    items: it.items.slice(0, 2),
    metadata: { continue: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ' },
  }),
  table: ({ items }) => ({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '7' },
    columnDefinitions: [{ name: 'Name', type: 'string' }],
    rows: items.map(({ metadata }) => ({
      cells: [metadata.name],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
    })),
  }),
};

process.stdout.write(isJson ? `${JSON.stringify(FORMS[form](list), null, 4)}\n` : form === 'empty-lists' ? '' : text);
