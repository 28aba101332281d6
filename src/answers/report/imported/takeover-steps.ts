import type { ImportReport } from './import-report.ts';

/**
 * How Argo CD or Flux takes over objects that are there. Both apply to the object with the same name, with server-side apply, and
 * take the fields that a bundle has from kubectl and liqoctl; fields that it leaves out stay with their owner.
 * Source: argoproj/argo-cd v3 util/kube/kubectl.go (force-conflicts), fluxcd/pkg/ssa manager_apply.go. That a Configuration is
 * reconciled at any change, and its rules are written again without the names that a webhook gave them:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go.
 */
export const takeoverSteps = ({ files, pauses }: Pick<ImportReport, 'files' | 'pauses'>): readonly string[] => [
  'to let Argo CD or Flux take these objects over without creating one again:',
  `  1. read ${files.topology}, then "weft compile" and commit it with the keys, the lock and out/`,
  '  2. compare again just before the first sync: "weft drift --from DUMPS"',
  '  3. pruning deletes only what the tool has applied itself, so the first sync deletes nothing. Every object keeps its name and',
  '     namespace, and the tool adds its mark. From then on an object that leaves git is deleted: do not revert this commit',
  '  4. let it apply on the server (Argo CD: ServerSideApply=true, as in the entry points of weft; Flux always does): it takes the',
  '     fields of the bundle over from kubectl and liqoctl, and leaves spec.local and status to Liqo. It marks every object once, and',
  '     Liqo then writes the NAT rules of each Configuration again: a few new connections may wait a second',
  ...(pauses.tunnels === 0
    ? []
    : [
        '     Let it apply the clusters that serve tunnels first, and their clients directly after: a change of the PublicKey in the',
        '     cluster of the client makes it connect at once, instead of after 15 seconds',
      ]),
  '  5. if another Application or Kustomization has these objects now, turn its pruning off before they leave it',
  '  6. when "weft drift" finds nothing, it is done. Tenant namespaces are never pruned; a PublicKey that liqoctl made is',
  '     deleted with its gateway, and the tool then creates it again',
];
