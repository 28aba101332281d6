import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { Refusal } from './refusal.ts';

type SharedObject = Pick<Extract<Refusal, { kind: 'same-entry-point' }>, 'object' | 'key'>;

/** Two fleets whose entry points contain one and the same object: the one that is applied later would overwrite it. */
export function sameEntryPoint(ready: readonly ReadyTopology[]): Refusal | undefined {
  const first = new Map<string, string>();
  for (const { compiled, files } of ready) {
    for (const it of objectsOf(compiled.model.fleet)) {
      const other = first.get(it.object);
      if (other !== undefined) return { kind: 'same-entry-point', ...it, topologies: [other, files.topology] };
      first.set(it.object, files.topology);
    }
  }
  return undefined;
}

/** Objects whose names a topology can choose. Those of Argo CD and of `flux bootstrap` are not written by weft. */
function objectsOf({ gitops }: AddressedModel['fleet']): readonly SharedObject[] {
  const [argo, flux] = [gitops?.argo, gitops?.flux];
  return [
    ...(argo && argo.project !== 'default'
      ? [{ object: `the AppProject "${argo.project}" in ${argo.namespace}`, key: 'gitops.argo.project' as const }]
      : []),
    ...(flux && flux.source !== 'flux-system'
      ? [{ object: `the GitRepository "${flux.source}" in ${flux.namespace}`, key: 'gitops.flux.source' as const }]
      : []),
  ];
}
