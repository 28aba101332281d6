import type { ClusterView } from '../../reach/view/cluster-view.ts';
import type { Paint } from './paint.ts';

/** `weft view CLUSTER PEER` for two clusters without a link. */
export function printWithoutLink(here: ClusterView, there: ClusterView, paint: Paint): readonly string[] {
  const names = `${paint.strong(here.cluster)} and ${paint.strong(there.cluster)} have no link`;
  const [through, ...lines] = throughLines(here, there);
  if (through === undefined) return [`${names}, and no cluster has working links to both.`];
  return [`${names}; ${through}`, ...lines];
}

/** What two clusters reach of each other through a third one; empty without such a cluster. */
export function throughLines(here: ClusterView, there: ClusterView): readonly string[] {
  const directions = [indirectTo(here, there.cluster), indirectTo(there, here.cluster)].flatMap((it) => it ?? []);
  if (directions.length === 0) return [];
  return [
    'each reaches pods of the other through another cluster',
    ...directions.flatMap(({ from, it, hub, hubExternalCIDR, seenIn, address, sourceThere }) => [
      '',
      `${from} sees pods of ${it.cluster} as ${address}, single addresses in ${seenIn}`,
      `  ${hub} gives them at run time, from its external CIDR ${hubExternalCIDR}`,
      `  and ${it.cluster} sees ${sourceThere} as the source of all that ${from} sends`,
    ]),
  ];
}

function indirectTo(from: ClusterView, to: string) {
  const it = from.indirect.find((other) => other.cluster === to);
  return it?.through.map((through) => ({ from: from.cluster, it, ...through }));
}
