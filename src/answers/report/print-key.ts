import { diagnosticsDocument } from './diagnostics-document.ts';

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

interface KeyPage {
  readonly name: string;
  readonly key: Key;
  readonly below: readonly { readonly name: string; readonly summary: string }[];
  readonly others: readonly string[];
  readonly codes: readonly { readonly code: string; readonly summary: string }[];
}

/** `weft explain KEY`: a page with the same look as that of a diagnostic. */
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
    ...section(
      '## Keys',
      below.map((it) => `- \`${it.name}\`: ${it.summary}`),
    ),
    ...section(
      '## Diagnostics',
      codes.map((it) => `- \`${it.code}\`: ${it.summary}`),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, lines.join('\n')];

/** `weft explain KEY -o json`. */
export const explainedKeyDocument = ({ name, key, below, others, codes }: KeyPage): object => ({
  ...diagnosticsDocument([]),
  key: {
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
  },
});
