import { groupBy } from '../../../src/base/core/collections.ts';
import { answeringKubectl } from './answering-kubectl.ts';
import { optionOf, type RecordedClusters, type RecordedItem, recordedAnswers } from './recorded-kubectl.ts';

/** Another form of what kubectl answers, or a failure in its words, of lists with one resource or of all. */
export type Unusual = { readonly form: keyof typeof FORMS } | { readonly fails: string; readonly at?: string };

/** The environment of a kubectl that answers from recorded objects, but in an unusual way for one context. */
export function unusualKubectl(
  clusters: RecordedClusters,
  context: string,
  unusual: Unusual,
): Readonly<Record<string, string>> {
  const answerTo = recordedAnswers(clusters);
  return answeringKubectl((args) => {
    const answer = answerTo(args);
    if (optionOf(args, 'context') !== context) return answer;
    if ('form' in unusual) return answer.ok ? { ...answer, text: inForm(unusual.form, answer.text) } : answer;
    const { fails, at = '' } = unusual;
    const isAbout = args.some((arg) => arg.split(',').some((it) => it.startsWith(at)));
    return isAbout ? { ok: false, text: `${fails}\n` } : answer;
  });
}

function inForm(form: keyof typeof FORMS, text: string): string {
  if (!text.startsWith('{')) return form === 'empty-lists' ? '' : text;
  return `${JSON.stringify(FORMS[form](JSON.parse(text)), null, 4)}\n`;
}

interface List {
  readonly kind: string;
  readonly items: readonly RecordedItem[];
}

const FORMS = {
  'typed-lists': typedLists,
  'empty-lists': (it: List) => ({ ...it, items: it.items.filter((one) => one.kind === 'ConfigMap') }),
  'without-kind': ({ kind: _, ...it }: List) => it,
  'one-page': (it: List) => ({
    ...it,
    items: it.items.slice(0, 2),
    metadata: { continue: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ' },
  }),
  table: ({ items }: List) => ({
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

/** The form of an API server: the items have no kind of their own. */
function typedLists({ items }: List) {
  const lists = [...groupBy(items, (it) => [`${it.apiVersion} ${it.kind}`]).values()].map((own) => ({
    apiVersion: own[0]?.apiVersion,
    kind: `${own[0]?.kind}List`,
    metadata: { resourceVersion: '7' },
    items: own.map(({ apiVersion: _, kind: __, ...item }) => item),
  }));
  return { apiVersion: 'v1', kind: 'List', metadata: {}, items: lists };
}
