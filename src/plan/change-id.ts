import type { Difference } from './change.ts';

/** Names a difference within a plan; no two of a plan have the same. */
export function changeId(it: Difference): string {
  switch (it.kind) {
    case 'link-added':
    case 'link-removed':
      return `${it.kind} ${it.link.pair}`;
    case 'link-kind-changed':
    case 'role-changed':
    case 'port-changed':
    case 'address-changed':
    case 'service-changed':
    case 'mtu-changed':
      return `${it.kind} ${it.ends.join('/')}`;
    case 'template-changed':
    case 'key-added':
    case 'key-changed':
    case 'key-removed':
      return `${it.kind} ${it.cluster}/${it.peer}`;
    case 'announced-changed':
      return `${it.kind} ${it.cluster}/${it.peer}/${it.cidr}`;
    case 'view-moved':
    case 'history-changed':
      return `${it.kind} ${it.cluster}/${it.peer}/${it.cidr}/${it.index}`;
    case 'block-carved':
    case 'block-returned':
      return `${it.kind} ${it.cluster}/${it.block}`;
    case 'own-cidr-changed':
      return `${it.kind} ${it.cluster}/${it.role}`;
    case 'template-edited':
      return `${it.kind} ${it.cluster}/${it.action}`;
    case 'setting-changed':
      return `${it.kind} ${it.cluster ?? '*'}/${it.setting}`;
    case 'gitops-changed':
      return `${it.kind} ${it.tool}/${it.action}`;
    case 'files-changed':
      return `${it.kind} ${it.cluster ?? '*'}`;
    case 'lock-changed':
      return it.kind;
    default:
      return `${it.kind} ${it.cluster}`;
  }
}
