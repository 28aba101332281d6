import { visibleFields } from '../core/visible-text.ts';
import { countOf } from '../core/words.ts';

/** Key pairs that were generated: how many, where the Secrets are, and which file has the public halves. */
interface GeneratedKeys {
  readonly counts: { readonly secrets: number; readonly clusters: number };
  readonly delivered:
    | { readonly kind: 'folder'; readonly folder: string; readonly files: number }
    | { readonly kind: 'stream' };
  readonly files: { readonly keys: string };
  /** Gateways whose key was in use. */
  readonly replaced: readonly unknown[];
}

/** Printed after `weft keys generate`. */
export function printGeneratedKeys(generated: GeneratedKeys): string {
  const { counts, delivered, files } = visibleFields(generated);
  const where =
    delivered.kind === 'stream'
      ? 'on stdout'
      : `in ${delivered.folder}/ (${countOf(delivered.files, 'file')}, mode 0600)`;
  return [
    `${countOf(counts.secrets, 'Secret')} for ${countOf(counts.clusters, 'cluster')} ${where}; public halves in ${files.keys}.`,
    'Apply each Secret in the cluster named above it. No other copy of the private keys exists: deliver them now.',
    ...(generated.replaced.length === 0
      ? []
      : [
          `${countOf(generated.replaced.length, 'key')} ${generated.replaced.length === 1 ? 'was' : 'were'} in use: a running gateway reads its Secret only when it starts, so restart the gateways`,
          'of both ends after the new PublicKeys are applied, those of the server ends first.',
        ]),
    'Next: weft compile',
    '',
  ].join('\n');
}
