import type { ImportReport } from './import-report.ts';

/**
 * How Argo CD or Flux takes over objects that are there. Both apply to the object with the same name, with server-side apply, and
 * take the fields that a bundle has from kubectl and liqoctl; fields that it leaves out stay with their owner.
 * Source: argoproj/argo-cd v3 util/kube/kubectl.go (force-conflicts), fluxcd/pkg/ssa manager_apply.go.
 */
export const takeoverSteps = ({ files }: Pick<ImportReport, 'files'>): readonly string[] => [
  'to let Argo CD or Flux take these objects over without creating one again:',
  `  1. read ${files.topology}, then "weft compile" and commit it with the keys, the lock and out/`,
  '  2. compare again just before the first sync: "weft drift --from DUMPS"',
  '  3. leave pruning off at first (Argo CD: automated.prune: false; Flux: prune: false). Every object keeps its name and namespace,',
  '     so that the tool finds it and adds its mark, and deletes nothing that it has not applied',
  '  4. let it apply on the server (Argo CD: ServerSideApply=true, as in the entry points of weft; Flux always does): it takes the',
  '     fields of the bundle over from kubectl and liqoctl, and leaves spec.local and status to Liqo',
  '  5. if another Application or Kustomization has these objects now, turn its pruning off before they leave it',
  '  6. when "weft drift" finds nothing, turn pruning on. Tenant namespaces are never pruned; a PublicKey that liqoctl made is',
  '     deleted with its gateway, and the tool then creates it again',
];
