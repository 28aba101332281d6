import type { Span } from '../../base/source/source.ts';

/** One cluster by name, or all that have these labels. */
export type Selector =
  | { readonly kind: 'cluster'; readonly name: string; readonly at: Span }
  | { readonly kind: 'labels'; readonly labels: Readonly<Record<string, string>>; readonly at: Span };
