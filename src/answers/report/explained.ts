import { CODES, type Code } from '../../base/diagnostics/codes.ts';
import type { Answer } from './answer.ts';
import { alignRows, displayWidth, wrapLines, wrapText } from './layout.ts';
import type { Paint } from './paint.ts';

interface CodeRow {
  readonly code: Code;
  /** One sentence. */
  readonly summary: string;
}

interface Codes {
  readonly codes: readonly CodeRow[];
  /** The top-level keys of a topology. */
  readonly keys: readonly string[];
}

/** `weft explain`. */
export const codesAnswer: Answer<'explain', Codes> = {
  text: ({ codes, keys }, { paint }) => printCodes(codes, keys, paint),
  json: ({ codes }) => ({ codes: codes.map(({ code, summary }) => ({ code, severity: CODES[code], summary })) }),
};

interface CodePage {
  readonly kind: 'explained';
  readonly code: Code;
  readonly page: string;
}

/** `weft explain NAME`. */
export const pageAnswer: Answer<'explain', CodePage | ({ readonly kind: 'key' } & KeyPage)> = {
  text: (it, { paint }) => wrapPage(it.kind === 'key' ? printKey(it) : it.page, paint.columns),
  json: (it) =>
    it.kind === 'key' ? { key: keyRow(it) } : { code: { code: it.code, severity: CODES[it.code], page: it.page } },
};

/** All codes in columns, then the top-level keys of a topology. */
const printCodes = (codes: readonly CodeRow[], keys: readonly string[], paint: Paint): string =>
  [
    ...alignRows(
      codes.map(({ code, summary }) => [code, CODES[code], summary]),
      paint.columns,
    ),
    '',
    ...wrapLines([`keys of the topology, for instance "weft explain gateway.dial": ${keys.join(', ')}`], paint),
    '',
  ].join('\n');

/** A key of the topology, as the schema describes it. */
interface Key {
  readonly path: string;
  readonly places: readonly string[];
  readonly description: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly default?: string;
  readonly since?: string;
  readonly until?: string;
  readonly examples: readonly string[];
}

export interface KeyPage {
  /** The name as it is typed in a file, without the part that is common to all clusters: `gateway.dial`. */
  readonly name: string;
  readonly key: Key;
  /** The keys in its value, with their own names. */
  readonly below: readonly { readonly name: string; readonly summary: string }[];
  /** Keys of the same name in other places. */
  readonly others: readonly string[];
  /** The diagnostics whose pages mention it. */
  readonly codes: readonly { readonly code: string; readonly summary: string }[];
}

/** `weft explain KEY`: a page in the same form as that of a diagnostic. */
export function printKey({ name, key, below, others, codes }: KeyPage): string {
  const places = [key.path, ...key.places].map((it) => `\`${it}\``).join(', ');
  const facts = [
    `type: ${key.type}`,
    ...(key.isRequired ? ['required'] : []),
    ...(key.default === undefined ? [] : [`default: \`${key.default}\``]),
    ...(key.since === undefined ? [] : [`since Liqo ${key.since}`]),
    ...(key.until === undefined ? [] : [`until Liqo ${key.until}`]),
    `place: ${places}`,
    ...(others.length === 0 ? [] : [`another key of this name: ${others.map((it) => `\`${it}\``).join(', ')}`]),
  ];
  return [
    `# ${name}`,
    key.description,
    facts.map((it) => `- ${it}`).join('\n'),
    key.examples.length === 1 ? '## Example' : '## Examples',
    ...key.examples.map((it) => `\`\`\`yaml\n${it}\n\`\`\``),
    ...titledPart(
      '## Keys',
      below.map((it) => `- \`${it.name}\`: ${it.summary}`),
    ),
    ...titledPart(
      '## Diagnostics',
      codes.map((it) => `- \`${it.code}\`: ${it.summary}`),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const titledPart = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, lines.join('\n')];

const keyRow = ({ name, key, below, others, codes }: KeyPage): object => ({
  name,
  path: key.path,
  places: key.places,
  description: key.description,
  type: key.type,
  required: key.isRequired,
  default: key.default ?? null,
  since: key.since ?? null,
  until: key.until ?? null,
  examples: key.examples,
  keys: below.map((it) => it.name),
  others,
  codes: codes.map((it) => it.code),
});

/** Headings, list items and table rows, which are not joined with other lines. */
const OWN_LINE = /^(#|- |\d+\. |\|)/;

/** Wraps the paragraphs of a Markdown page. Code stays unchanged. */
export function wrapPage(page: string, columns: number | undefined): string {
  if (columns === undefined || page.split('\n').every((it) => displayWidth(it) <= columns)) return page;
  const blocks = page.split(/^(```[\s\S]*?^```$)/m);
  return blocks.map((it) => (it.startsWith('```') ? it : wrapProse(it, columns))).join('');
}

const wrapProse = (text: string, columns: number): string =>
  text
    .split('\n\n')
    .map((paragraph) =>
      sentencesOf(paragraph)
        .flatMap((it) => wrapped(it, columns))
        .join('\n'),
    )
    .join('\n\n');

/** Joins the lines of a paragraph; list items start new lines. */
function sentencesOf(paragraph: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of paragraph.split('\n')) {
    const before = sentences.at(-1);
    if (before === undefined || before === '' || line === '' || OWN_LINE.test(line)) sentences.push(line);
    else sentences[sentences.length - 1] = `${before} ${line.trim()}`;
  }
  return sentences;
}

/** Wraps a line; only list items have an indentation. */
const wrapped = (line: string, columns: number): readonly string[] =>
  OWN_LINE.test(line) ? wrapText(line, columns) : wrapText(line, columns).map((it) => it.replace(/^ +/, ''));
