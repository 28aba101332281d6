/** What happens to a list of networks: some are added, some are removed, some take the place of others, or only the order changes. */
export type ListChange = 'added' | 'removed' | 'replaced' | 'reordered';

export function listChange(from: readonly string[], to: readonly string[]): ListChange {
  const isRemoved = from.some((it) => !to.includes(it));
  const isAdded = to.some((it) => !from.includes(it));
  if (isRemoved && isAdded) return 'replaced';
  if (isAdded) return 'added';
  return isRemoved ? 'removed' : 'reordered';
}
