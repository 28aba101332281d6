/** What happens to a list of networks: some are added, some are removed, some take the place of others, or only the order changes. */
export type ListChange = 'added' | 'removed' | 'replaced' | 'reordered';

export function listChange(from: readonly string[], to: readonly string[]): ListChange {
  const [was, is] = [new Set(from), new Set(to)];
  const isRemoved = from.some((it) => !is.has(it));
  const isAdded = to.some((it) => !was.has(it));
  if (isRemoved && isAdded) return 'replaced';
  if (isAdded) return 'added';
  return isRemoved ? 'removed' : 'reordered';
}
