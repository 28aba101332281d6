import { meantHint } from '../../../base/diagnostics/did-you-mean.ts';
import { LABEL_KEY } from './qualified-name.ts';
import type { TextFormat } from './text-format.ts';

/** What nodes have without a domain. Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/types.go (ResourceName). */
const NATIVE: readonly string[] = ['cpu', 'memory', 'pods', 'ephemeral-storage', 'storage'];

/** Families of them: `hugepages-2Mi`. */
const NATIVE_PREFIXES: readonly string[] = ['hugepages-', 'attachable-volumes-'];

/**
 * A resource that a pod can ask for: one of Kubernetes itself, or one with a domain.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (validateContainerResourceName).
 */
export const RESOURCE_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a resource of Kubernetes',
  hintFor: (text) => {
    const hint = LABEL_KEY.hintFor(text);
    if (hint !== undefined || text.includes('/')) return hint;
    if (NATIVE.includes(text) || NATIVE_PREFIXES.some((it) => text.startsWith(it))) return undefined;
    // A letter away from cpu, and never meant so.
    const meant = /gpu/i.test(text) ? undefined : meantHint(text, NATIVE);
    return meant ?? 'write cpu, memory, pods, ephemeral-storage, or a name with a domain: nvidia.com/gpu';
  },
};
