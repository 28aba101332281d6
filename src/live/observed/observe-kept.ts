import { APP_MANAGED_BY_LABEL } from '../../base/releases/labels.ts';
import { type Json, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import { placeOf } from './field.ts';
import type { KeptObject } from './observed-cluster.ts';

/** Kinds that people apply; all others are made by Liqo, with the labels of its chart. */
const APPLIED = ['Namespace', 'Configuration', 'GatewayServer', 'GatewayClient', 'PublicKey', 'Secret'];

/** The marks that tools leave on what they apply, on one object. */
export function observeKept(object: KubernetesObject): readonly KeptObject[] {
  if (!APPLIED.includes(object.kind)) return [];
  const mark = trackedBy(object) ?? managedBy(object) ?? ownedBy(object);
  return mark === undefined ? [] : [{ ...placeOf(object), kind: object.kind, ...mark }];
}

type Mark = Pick<KeptObject, 'tool' | 'group'>;

/** Source: argoproj/argo-cd common/common.go, fluxcd/pkg runtime and kustomize-controller api/v1. */
function trackedBy({ metadata }: KubernetesObject): Mark | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const tracking = annotations['argocd.argoproj.io/tracking-id']?.split(':')[0];
  const application = tracking ?? labels['argocd.argoproj.io/instance'];
  if (application !== undefined) return { tool: 'Argo CD', group: application };
  const flux = labels['kustomize.toolkit.fluxcd.io/name'] ?? labels['helm.toolkit.fluxcd.io/name'];
  return flux === undefined ? undefined : { tool: 'Flux', group: flux };
}

function managedBy({ metadata }: KubernetesObject): Mark | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const tool = labels[APP_MANAGED_BY_LABEL];
  return tool === undefined ? undefined : { tool, group: annotations['meta.helm.sh/release-name'] ?? null };
}

/** An owner that is no object of Liqo. */
function ownedBy({ metadata }: KubernetesObject): Mark | undefined {
  const owners = metadata['ownerReferences'];
  const [owner] = (Array.isArray(owners) ? (owners as readonly Json[]) : []).filter(
    (it) => !/(^|\.)liqo\.io\//.test(textAt(it, 'apiVersion') ?? ''),
  );
  const kind = textAt(owner, 'kind');
  return kind === undefined ? undefined : { tool: kind, group: textAt(owner, 'name') ?? null };
}
