import { groupBy } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, firstLines, listOf, moreLine, someOf } from '../../base/core/words.ts';
import { placeAt } from '../../base/source/source.ts';
import { printTraced } from '../../reach/trace/address.ts';
import { endNames, type Part, printPart } from '../../reach/whatif/parts.ts';
import type { SingleFailure, SingleFailures } from '../../reach/whatif/single-failures.ts';
import {
  type BrokenAssertion,
  type CutPair,
  type Detour,
  dialledOn,
  type LostEndpoint,
  type WhatIf,
} from '../../reach/whatif/what-if.ts';
import type { Answer } from './answer.ts';
import { printLines, printTable, wrapLines } from './layout.ts';
import { markdownTable, markdownText } from './markdown-text.ts';
import type { Paint } from './paint.ts';
import { addressRow } from './trace-document.ts';

/** Every single failure, or the consequences of some failures at the same time. */
type WhatIfAnswer =
  | { readonly asked: 'each'; readonly found: SingleFailures }
  | { readonly asked: 'some'; readonly found: WhatIf };

/** `weft whatif`. */
export const whatIfAnswer: Answer<'whatif', WhatIfAnswer> = {
  text: (it, { paint, verbose }) => printSections(whatIfSections(it, verbose), paint),
  markdown: (it) => printSectionsMarkdown(whatIfSections(it, false)),
  json: (it) => (it.asked === 'each' ? failuresDocument(it.found) : { whatIf: whatIfDocument(it.found) }),
};

/** Sentences and a table. */
interface Section {
  readonly sentences: readonly string[];
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The words of an answer, for a page that lays them out itself, too. */
export const whatIfSections = (it: WhatIfAnswer, verbose: boolean): readonly Section[] =>
  it.asked === 'each' ? failureSections(it.found, verbose) : consequenceSections(it.found, verbose);

const said = (...sentences: readonly string[]): Section => ({ sentences, titles: [], rows: [] });

function printSections(sections: readonly Section[], paint: Paint): string {
  const blocks = sections.map(({ sentences, titles, rows }) => [
    ...wrapLines(sentences.map(visibleText), paint),
    ...printTable(titles, rows, paint),
  ]);
  return printLines(blocks.filter((it) => it.length > 0).flatMap((it, i) => (i === 0 ? it : ['', ...it])));
}

function printSectionsMarkdown(sections: readonly Section[]): string {
  const blocks = sections.map(({ sentences, titles, rows }) => {
    const table = markdownTable(
      titles.map((it) => it.toLowerCase()),
      rows.map((row) => row.map(markdownText)),
    );
    const lines = sentences.map((it) => (it.startsWith('  ') ? `- ${markdownText(it.trim())}` : markdownText(it)));
    const list = lines.findIndex((it) => it.startsWith('- '));
    return [
      ...lines.slice(0, Math.max(0, list)),
      ...(list > 0 ? [''] : []),
      ...lines.slice(Math.max(0, list)),
      ...(lines.length === 0 ? table.slice(1) : table),
    ];
  });
  return printLines(blocks.filter((it) => it.length > 0).flatMap((it, i) => (i === 0 ? it : ['', ...it])));
}

// Every single failure.

/** The most rows: with the lines around them, they fit a screen. */
const MOST_ROWS = 14;

/** The most names in a cell or a sentence. */
const NAMED = 3;

function failureSections({ failures, pairs }: SingleFailures, verbose: boolean): readonly Section[] {
  const harmful = failures.filter(isHarmful);
  const folded = [...groupBy(harmful, (it) => [foldKey(it)]).values()];
  const shown = verbose ? folded : folded.slice(0, MOST_ROWS);
  const left = folded.length - shown.length;
  return [
    {
      sentences: [
        `${countOf(pairs, 'pair')} of clusters ${pairs === 1 ? 'reaches' : 'reach'} each other. Each part alone, those that cut most first:`,
      ],
      titles: ['WITHOUT', 'CUTS', 'CUT OFF', 'GO ROUND', 'BREAKS'],
      rows: shown.flatMap(failureRow),
    },
    said(
      ...moreLine(left, '; -v lists them', 'kind of failure').map((it) =>
        it.replace('kind of failures', 'kinds of failures'),
      ),
      ...harmlessLine(failures.filter((it) => !isHarmful(it))),
    ),
  ];
}

const isHarmful = ({ cut, broken, endpoints }: SingleFailure): boolean => cut + broken.length + endpoints > 0;

/** Failures with one key are one row. */
const foldKey = ({ part, cut, around, isolated, broken, endpoints, namespaces }: SingleFailure): string =>
  JSON.stringify([
    ...[part.kind, part.kind === 'link' ? busyEnd(part) : '', cut, around, isolated.length, endpoints],
    ...[broken.map((it) => it.at.start), namespaces.map((it) => it.namespace)],
  ]);

/** The end of a link that links have in common: the one that serves. */
const busyEnd = ({ links: [link] }: Extract<Part, { readonly kind: 'link' }>): string => endNames(link)[0];

function failureRow(all: readonly SingleFailure[]): readonly (readonly string[])[] {
  const [first] = all;
  if (first === undefined) return [];
  const { cut, around, isolated, broken, endpoints, namespaces } = first;
  const each = all.length > 1 ? ' each' : '';
  const names = isolated.length === 1 && all.length > 1 ? all.flatMap((it) => it.isolated) : isolated;
  const off = all.length > 1 && isolated.length > 1 ? [] : [...new Set(names)];
  return [
    [
      partsText(all.map((it) => it.part)),
      cut === 0 ? 'nothing' : `${countOf(cut, 'pair')}${each}`,
      off.length === 0 ? (isolated.length === 0 ? '' : `${isolated.length} each`) : someOf(off, NAMED),
      around === 0 ? '' : countOf(around, 'pair'),
      [
        ...(broken.length === 0 ? [] : [countOf(broken.length, 'assertion')]),
        ...(endpoints === 0
          ? []
          : [
              `${countOf(endpoints, 'endpoint')} of ${someOf([...new Set(namespaces.map((it) => it.namespace))], NAMED)}`,
            ]),
      ].join(', '),
    ],
  ];
}

/** `link milan/rome`, or `99 links of europe, like europe/rome`. */
function partsText(parts: readonly Part[]): string {
  const [first, ...others] = parts;
  if (first === undefined) return '';
  const { kind } = first;
  if (others.length === 0) return `${kind} ${printPart(first)}`;
  if (kind === 'link') return `${parts.length} links of ${busyEnd(first)}, like ${printPart(first)}`;
  return `${parts.length} ${kind}s: ${someOf(parts.map(printPart), NAMED)}`;
}

/** One line for all parts without which nothing is lost. */
function harmlessLine(harmless: readonly SingleFailure[]): readonly string[] {
  if (harmless.length === 0) return [];
  const around = harmless.filter((it) => it.around > 0).length;
  const round =
    around === 0 ? '' : `; ${around} of them ${around === 1 ? 'makes' : 'make'} pairs go round at other addresses`;
  return [
    `Nothing is cut without ${harmless.length === 1 ? '' : 'any one of '}${kindsText(harmless.map((it) => it.part))}${round}.`,
  ];
}

function kindsText(parts: readonly Part[]): string {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return `${only.kind} ${printPart(only)}`;
  return listOf([...groupBy(parts, (it) => [it.kind])].map(([kind, all]) => countOf(all.length, kind)));
}

// Some failures at the same time.

/** The most rows of one kind of consequence. */
const MOST_NAMED = 20;

function consequenceSections(found: WhatIf, verbose: boolean): readonly Section[] {
  const { parts, cut, around, isolated, broken, endpoints } = found;
  const most = verbose ? Number.POSITIVE_INFINITY : MOST_NAMED;
  const alone = new Set(isolated);
  const others = foldPairs(cut.filter((it) => !alone.has(it.from.name) && !alone.has(it.to.name)));
  const round = foldDetours(around);
  const rest = (left: number) => `... and ${left} more; -v lists them`;
  return [
    said(`Without ${listOf(parts.map((it) => `${it.kind} ${printPart(it)}`))}: ${summaryText(found)}.`),
    ...(isolated.length === 0
      ? []
      : [said(`Cut off from all others: ${verbose ? isolated.join(', ') : someOf(isolated, MOST_NAMED)}.`)]),
    ...(others.length === 0
      ? []
      : [
          said(
            'Cut:',
            ...firstLines(
              others.map((it) => `  ${it}`),
              most,
              (left) => `  ${rest(left)}`,
            ),
          ),
        ]),
    ...(round.length === 0
      ? []
      : [
          { sentences: [], titles: ['GO ROUND', 'DIALLED BEFORE', 'DIALLED NOW'], rows: round.slice(0, most) },
          ...(round.length > most ? [said(rest(round.length - most))] : []),
        ]),
    ...(broken.length === 0 ? [] : [said('Assertions that break:', ...broken.map((it) => `  ${brokenText(it)}`))]),
    ...(endpoints.length === 0
      ? []
      : [
          said(
            'Services that lose endpoints:',
            ...firstLines(endpointLines(endpoints), most, (left) => `  ${rest(left)}`),
          ),
        ]),
  ];
}

function summaryText({ failed, cut, around, broken, endpoints }: WhatIf): string {
  const parts = [
    ...(around.length === 0
      ? []
      : [`${countOf(around.length, 'pair')} ${around.length === 1 ? 'goes' : 'go'} round at another address`]),
    ...(broken.length === 0
      ? []
      : [`${countOf(broken.length, 'assertion')} ${broken.length === 1 ? 'breaks' : 'break'}`]),
    ...(endpoints.length === 0
      ? []
      : [`${countOf(endpoints.length, 'endpoint')} of Services ${endpoints.length === 1 ? 'is' : 'are'} lost`]),
  ];
  const nothing = failed.size === 0 ? 'nothing is cut' : 'nothing else is cut';
  const first = cut.length === 0 ? nothing : `${countOf(cut.length, 'pair')} ${cut.length === 1 ? 'is' : 'are'} cut`;
  return [first, ...parts].join(', ');
}

/** Pairs by their first cluster: `rome and milan, oslo`; `rome to milan` when the other direction is not in the list. */
function foldPairs(pairs: readonly CutPair[]): readonly string[] {
  const all = new Set(pairs.map(({ from, to }) => `${from.name} ${to.name}`));
  const words = pairs.flatMap(({ from, to }) => {
    if (!all.has(`${to.name} ${from.name}`)) return [{ lead: `${from.name} to`, to: to.name }];
    return from.name < to.name ? [{ lead: `${from.name} and`, to: to.name }] : [];
  });
  return [...groupBy(words, (it) => [it.lead])].map(
    ([lead, found]) =>
      `${lead} ${someOf(
        found.map((it) => it.to),
        NAMED,
      )}`,
  );
}

/** One row for all pairs that dial the same addresses. */
function foldDetours(around: readonly Detour[]): readonly (readonly string[])[] {
  const rows = around.map((it) => ({
    pair: `${it.from.name} to ${it.to.name}`,
    before: wayText(it, it.before),
    after: `${wayText(it, it.after)}${it.letIn === null ? '' : `; only ${it.letIn.join(', ')} may enter`}`,
  }));
  return [...groupBy(rows, (it) => [`${it.before} ${it.after}`]).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    return [
      [
        all.length > 2 ? `${all.length} pairs, like ${first.pair}` : all.map((it) => it.pair).join(', '),
        first.before,
        first.after,
      ],
    ];
  });
}

function wayText({ from, to }: CutPair, path: Detour['before']): string {
  const address = dialledOn(from, to, path);
  const text = address === null ? '' : printTraced(address);
  return path.kind === 'through' ? `${text} through ${path.hub}` : `${text} direct`;
}

function brokenText({ assertion, from, to, others }: BrokenAssertion): string {
  const more = others === 0 ? '' : `, and ${countOf(others, 'other pair')}`;
  return `${linePlace(assertion)}: ${from} does not reach ${'of' in assertion.to ? `the pods in ${to}` : to}${more}`;
}

function linePlace({ at: { source, start } }: BrokenAssertion['assertion']): string {
  return `${source.path}:${placeAt(source, start).line}`;
}

function endpointLines(endpoints: readonly LostEndpoint[]): readonly string[] {
  const bySender = groupBy(endpoints, ({ namespace, from }) => [
    `${namespace.namespace} of ${namespace.cluster.name} ${from}`,
  ]);
  return [...bySender.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { namespace, from } = first;
    return [
      `  ${namespace.namespace} of ${namespace.cluster.name}: ${from} loses the pods in ${someOf(
        all.map((it) => it.to),
        NAMED,
      )}`,
    ];
  });
}

// Documents. Programs rely on them: keys are added, never removed or given another meaning.

function failuresDocument({ pairs, failures }: SingleFailures): object {
  return {
    pairs,
    failures: failures.map((it) => ({
      without: partRow(it.part),
      cut: it.cut,
      around: it.around,
      isolated: it.isolated,
      broken: it.broken.map(assertionRow),
      endpoints: it.endpoints,
      namespaces: it.namespaces.map((one) => ({ cluster: one.cluster.name, namespace: one.namespace })),
    })),
  };
}

const partRow = (part: Part) => ({ kind: part.kind, name: printPart(part) });

function assertionRow({ at: { source, start } }: BrokenAssertion['assertion']) {
  const { line, column } = placeAt(source, start);
  return { file: source.path, line, column };
}

function whatIfDocument({ parts, cut, around, isolated, broken, endpoints }: WhatIf): object {
  return {
    without: parts.map(partRow),
    cut: cut.map(pairNames),
    around: around.map((it) => ({
      ...{ ...pairNames(it), before: wayRow(it, it.before), after: wayRow(it, it.after), letIn: it.letIn },
    })),
    isolated,
    broken: broken.map(({ assertion, from, to, others }) => ({ ...assertionRow(assertion), from, to, others })),
    endpoints: endpoints.map(({ namespace, from, to }) => ({
      cluster: namespace.cluster.name,
      namespace: namespace.namespace,
      from,
      to,
    })),
  };
}

const pairNames = ({ from, to }: CutPair) => ({ from: from.name, to: to.name });

function wayRow({ from, to }: CutPair, path: Detour['before']) {
  const address = dialledOn(from, to, path);
  return { hub: path.kind === 'through' ? path.hub : null, address: address && addressRow(address) };
}
