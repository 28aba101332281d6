/** Labels that pictures are grouped by without being asked; the second one is that of cloud providers. */
const USUAL: readonly string[] = ['region', 'topology.kubernetes.io/region'];

/** The first of the usual labels that clusters have; `null` where they have none. */
export const groupingLabel = (labels: readonly string[]): string | null =>
  USUAL.find((it) => labels.includes(it)) ?? null;
