import { sortedUnique } from '../../base/core/collections.ts';
import { EDITOR_SCHEMA_HASH } from '../../base/generated/editor-schema.js';
import { sha256 } from '../disk/tree/tree-path.ts';

/** The definition with which editors complete the names of clusters: the last one of the schema for editors. */
interface ClusterOffers {
  readonly defaultSnippets: readonly { readonly label: string; readonly body: string }[];
}

export const clusterOffers = (names: readonly string[]): { defaultSnippets: { label: string; body: string }[] } => ({
  defaultSnippets: sortedUnique(names).map((it) => ({ label: it, body: it })),
});

/** The names of clusters in a schema for editors. */
export function namesOffered(document: object): readonly string[] {
  const { $defs } = document as { readonly $defs?: { readonly clusterNames?: Partial<ClusterOffers> } };
  const offers = $defs?.clusterNames?.defaultSnippets;
  return Array.isArray(offers) ? offers.flatMap((it) => (typeof it?.label === 'string' ? [it.label] : [])) : [];
}

/** The start of that definition in a schema that is laid out as weft writes it. */
const OFFERS_START = '    "clusterNames": ';

/**
 * The names of clusters in the schema of this version, as weft writes it; `undefined` for any other file. The hash of
 * the rest is compared, because the schema itself takes longer to load than a small fleet to compile.
 */
export function namesAsWritten(text: string): readonly string[] | undefined {
  const at = text.lastIndexOf(OFFERS_START);
  if (at === -1 || sha256(text.slice(0, at)) !== EDITOR_SCHEMA_HASH) return undefined;
  const start = '{\n  "$defs": {\n';
  const offers = start + text.slice(at);
  try {
    const names = namesOffered(JSON.parse(offers) as object);
    const written = { $defs: { clusterNames: clusterOffers(names) } };
    return `${JSON.stringify(written, null, 2)}\n` === offers ? names : undefined;
  } catch {
    return undefined;
  }
}
