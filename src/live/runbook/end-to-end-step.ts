import type { LinkEnd } from './link-end.ts';
import type { RunbookStep } from './runbook.ts';

/** From pod to pod. */
export const endToEndStep = (ends: readonly [LinkEnd, LinkEnd]): RunbookStep => ({
  id: 'end-to-end',
  title: 'From pod to pod',
  checks: [[ends[0], ends[1]] as const, [ends[1], ends[0]] as const].map(([from, to]) => ({
    cluster: from.name,
    command: `kubectl --context ${from.name} run weft-probe --rm -it --restart=Never --image=${from.cluster.image.registry}/gateway:${from.cluster.image.tag} --command -- ping -c 3 -W 2 ADDRESS`,
    expect: [
      { what: `ADDRESS: that of a pod of ${to.name}, with its host in`, value: from.views.join(', ') },
      { what: `${to.name} sees it come from`, value: to.views.join(', ') },
    ],
  })),
  outcomes: [
    {
      when: 'it is answered, and an application is not',
      next: `the network is not the reason; "weft trace ${ends[0].name} ${ends[1].name}" shows every address on the way`,
    },
    {
      when: 'it is not answered, and every step before was as expected',
      next: 'a NetworkPolicy or the firewall of a node drops it: Liqo isolates nothing by itself',
    },
  ],
});
