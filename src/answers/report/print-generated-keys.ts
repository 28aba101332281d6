import { readUnknownKeys } from '../../base/core/unknown-key.ts';
import { visibleFields } from '../../base/core/visible-text.ts';
import { countOf, listOf, quotedNames } from '../../base/core/words.ts';
import { REPLACE_SECRET } from '../../plan/changes/plain-words.ts';

/** Keys that were generated: how many, where the Secrets are, and which file has the public halves. */
interface GeneratedKeys {
  readonly counts: { readonly gateways: number; readonly consumers: number; readonly clusters: number };
  readonly delivered:
    | { readonly kind: 'folder'; readonly folder: string; readonly files: number }
    | { readonly kind: 'stream' };
  readonly files: { readonly keys: string };
  /** Gateways and consumers whose key was in use. */
  readonly replaced: { readonly gateways: readonly unknown[]; readonly consumers: readonly string[] };
  /** Gateways and consumers that keep a key which is not known here. */
  readonly left: { readonly gateways: readonly { readonly peer: string }[]; readonly consumers: readonly string[] };
  /** Consumers whose former key was for their former name. */
  readonly renamed: readonly { readonly cluster: string; readonly former: string }[];
}

/** Printed after `weft keys generate`. */
export function printGeneratedKeys(generated: GeneratedKeys): string {
  const { counts, delivered, files, replaced, left, renamed } = visibleFields(generated);
  const where =
    delivered.kind === 'stream'
      ? 'on stdout'
      : `in ${delivered.folder}/ (${countOf(delivered.files, 'file')}, mode 0600)`;
  return [
    `${secretsOf(counts)} for ${countOf(counts.clusters, 'cluster')} ${where}; public halves in ${files.keys}.`,
    'Apply each Secret in the cluster named above it. No other copy of the private keys exists: deliver them now.',
    ...(counts.consumers === 0
      ? []
      : [
          'Apply authentication keys before Liqo is installed; for a cluster where it runs, read the comment above its key.',
        ]),
    ...renamed.map(
      ({ cluster, former }) =>
        `${quotedNames([cluster])} has a new authentication key: the requests of the old one are for ${quotedNames([former])}.`,
    ),
    ...replacedGateways(replaced.gateways.length),
    ...replacedConsumers(replaced.consumers),
    ...keptKeys(left, files.keys),
    'Next: weft compile',
    '',
  ].join('\n');
}

/** Both kinds with their counts, where there are both. */
function secretsOf({ gateways, consumers }: GeneratedKeys['counts']): string {
  if (consumers === 0) return countOf(gateways, 'Secret');
  const authentication = countOf(consumers, 'authentication key');
  const all = countOf(gateways + consumers, 'Secret');
  return gateways === 0
    ? `${all} (${authentication})`
    : `${all} (${countOf(gateways, 'WireGuard key pair')}, ${authentication})`;
}

function keptKeys({ gateways, consumers }: GeneratedKeys['left'], file: string): readonly string[] {
  const count = gateways.length + consumers.length;
  if (count === 0) return [];
  const [are, hint] = [count === 1 ? 'is' : 'are', gateways.length > 0 ? ` ${upper(readUnknownKeys(gateways))}.` : ''];
  return [`${countOf(count, 'other key')} ${are} in use and not known in ${file}; no new one was made.${hint}`];
}

const upper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const replacedGateways = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${countOf(count, 'key')} ${count === 1 ? 'was' : 'were'} in use: ${REPLACE_SECRET}.`,
        'Run "weft plan" for the steps of both ends and their order.',
      ];

const replacedConsumers = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        `The authentication ${names.length === 1 ? 'key' : 'keys'} of ${listOf(names)} ${names.length === 1 ? 'was' : 'were'} in use: providers refuse the new ${names.length === 1 ? 'one' : 'ones'} until they have forgotten the old.`,
        'Run "weft plan" for the steps and their order.',
      ];
