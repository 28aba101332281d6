import type { BorrowedSlice, LentSlice, SharedView } from '../../reach/view/shared-view.ts';

export const BORROWS_TITLES = ['BORROWS FROM', 'SLICE', 'RESOURCES', ''] as const;
export const LENDS_TITLES = ['LENDS TO', 'SLICE', 'RESOURCES', ''] as const;
export const OFFLOADS_TITLES = ['NAMESPACE', 'PODS', 'PROVIDERS', 'NAME THERE'] as const;

type Rows = readonly (readonly string[])[];

export const borrowRows = (view: SharedView | undefined): Rows =>
  (view?.borrows ?? []).map((it) => [it.provider, it.slice, resourcesOf(it), remarksOf(it)]);

export const lendRows = (view: SharedView | undefined): Rows =>
  (view?.lends ?? []).map((it) => [it.consumer, it.slice, resourcesOf(it), remarksOf(it)]);

export const offloadRows = (view: SharedView | undefined): Rows =>
  (view?.offloads ?? []).map((it) => [
    it.namespace,
    it.pods,
    it.providers.length === 0 ? 'no cluster' : it.providers.join(', '),
    it.remoteName,
  ]);

type SliceView = BorrowedSlice | LentSlice;

function resourcesOf({ resources }: SliceView): string {
  const parts = Object.entries(resources).map(([name, quantity]) => `${name} ${quantity}`);
  return parts.length === 0 ? "the provider's defaults" : parts.join(', ');
}

const HANDSHAKE = {
  'no-key': 'waits for a key: weft keys generate',
  'unknown-key': 'its key is not known here',
  'no-answer': 'waits for the answer: weft identities collect',
  complete: '',
  credentials: 'by credentials',
} as const satisfies Readonly<Record<SliceView['handshake'], string>>;

const remarksOf = ({ handshake, condition, linked, ...it }: SliceView): string =>
  [
    HANDSHAKE[handshake],
    condition === 'Active' ? '' : condition.toLowerCase(),
    it.class === 'default' ? '' : `class ${it.class}`,
    linked ? '' : 'no link',
  ]
    .filter((text) => text !== '')
    .join(', ');
