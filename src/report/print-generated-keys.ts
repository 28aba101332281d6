import { visibleFields } from '../core/visible-text.ts';
import { countOf } from '../core/words.ts';

/** Key pairs that were generated: how many, where the Secrets are, and which file has the public halves. */
interface GeneratedKeys {
  readonly counts: { readonly secrets: number; readonly clusters: number };
  readonly delivered:
    | { readonly kind: 'folder'; readonly folder: string; readonly files: number }
    | { readonly kind: 'stream' };
  readonly files: { readonly keys: string };
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
    'Next: weft compile',
    '',
  ].join('\n');
}
