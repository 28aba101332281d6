import { parseQuantity } from '../../../base/core/quantity.ts';
import { meantHint } from '../../../base/diagnostics/did-you-mean.ts';
import { isDnsSubdomain } from './dns-names.ts';
import type { TextFormat } from './text-format.ts';

/** Longest part after the slash in characters. */
const LONGEST_QUALIFIED_NAME = 63;

const NAME_PATTERN = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * `gateway` or `example.com/gateway`.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsQualifiedName).
 */
function qualifiedNameHint(text: string): string | undefined {
  const slash = text.indexOf('/');
  const [prefix, name] = slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
  if (prefix !== undefined && !isDnsSubdomain(prefix))
    return 'write a DNS name before the slash, like example.com/gateway';
  if (name.length > LONGEST_QUALIFIED_NAME)
    return `use at most ${LONGEST_QUALIFIED_NAME} characters${prefix === undefined ? '' : ' after the slash'}`;
  if (NAME_PATTERN.test(name)) return undefined;
  return 'use letters, digits, dashes, dots and underscores, with a letter or digit at both ends, like example.com/gateway';
}

/**
 * The class of a load balancer.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (validateLoadBalancerClassField).
 */
export const LOAD_BALANCER_CLASS: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the class of a load balancer',
  hintFor: qualifiedNameHint,
};

/** The key of a label or of a taint. */
export const LABEL_KEY: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the key of a label',
  hintFor: qualifiedNameHint,
};

/**
 * The key of an annotation: capitals are allowed before the slash, too. Source: kubernetes/kubernetes@v1.32.0
 * staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go (ValidateAnnotations).
 */
export const ANNOTATION_KEY: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the key of an annotation',
  hintFor: (text) => qualifiedNameHint(text.toLowerCase()),
};

/** Longest value of a label in characters. */
const LONGEST_LABEL_VALUE = 63;

/**
 * The value of a label or of a taint; it may be empty.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsValidLabelValue).
 */
export const LABEL_VALUE: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the value of a label',
  hintFor: (text) => {
    if (text.length > LONGEST_LABEL_VALUE) return `use at most ${LONGEST_LABEL_VALUE} characters`;
    if (/^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text)) return undefined;
    return 'use letters, digits, dashes, dots and underscores, with a letter or digit at both ends';
  },
};

/** Resources of nodes without a domain. Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/types.go (ResourceName). */
const NATIVE: readonly string[] = ['cpu', 'memory', 'pods', 'ephemeral-storage', 'storage'];

/** Families of such resources: `hugepages-2Mi`. */
const NATIVE_PREFIXES: readonly string[] = ['hugepages-', 'attachable-volumes-'];

/**
 * A resource that a pod can request: one of Kubernetes itself, or one with a domain. Source:
 * kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (validateContainerResourceName).
 */
export const RESOURCE_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a resource of Kubernetes',
  hintFor: (text) => {
    const hint = LABEL_KEY.hintFor(text);
    if (hint !== undefined || text.includes('/')) return hint;
    if (NATIVE.includes(text) || NATIVE_PREFIXES.some((it) => text.startsWith(it))) return undefined;
    // One letter differs from cpu, but it is never a typo of it.
    const meant = /gpu/i.test(text) ? undefined : meantHint(text, NATIVE);
    return meant ?? 'write cpu, memory, pods, ephemeral-storage, or a name with a domain: nvidia.com/gpu';
  },
};

/** A quantity of Kubernetes. Source: kubernetes/apimachinery@v0.35.0 pkg/api/resource/quantity.go. */
export const QUANTITY: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a quantity',
  hintFor: (text) => {
    if (parseQuantity(text) !== undefined) return undefined;
    if (text.startsWith('-')) return 'write 0 or more';
    const [, bytes, unit] = /^(\d+(?:\.\d+)?) ?([KMGT])i?B$/i.exec(text) ?? [];
    if (bytes !== undefined) return `write ${bytes}${unit?.toUpperCase()}i`;
    const [, count] = /^(\d+(?:\.\d+)?) ?(?:cores?|v?cpus?)$/i.exec(text) ?? [];
    if (count !== undefined) return `write ${count}`;
    return 'write a number with one of the suffixes m, k, M, G, T, Ki, Mi, Gi, Ti, or none: 4, 2500m, 8Gi';
  },
};

/** The key of a value in a secret store, with these names filled in; its form depends on the kind of store. */
const storeKey = (...names: readonly [string, string]): TextFormat => ({
  code: 'topology/wrong-value',
  noun: 'a key of a store',
  hintFor: (text) => {
    if (!/^\S/.test(text)) return 'write what the store calls it, without a space in front';
    const others = [...text.matchAll(/\{([a-z]+)\}/gi)].filter(([, name = '']) => !names.includes(name));
    return others.length > 0
      ? `write {${names[0]}} and {${names[1]}} for the two clusters; nothing else is filled in`
      : undefined;
  },
});

export const STORE_KEY = storeKey('consumer', 'provider');

export const KEY_PAIR_KEY = storeKey('cluster', 'peer');

/** The chart has values for these, and weft relies on them. */
const OF_REFLECTION = /^--([a-z]+-reflection-(workers|type)|disable-ip-reflection)(=|$)/;

/** Liqo sets these for each virtual node. The last of two equal arguments counts, and that would be this one. */
const OF_VIRTUAL_NODES =
  /^--(foreign-cluster-id|home-cluster-id|nodename|node-ip|tenant-namespace|liqo-namespace|local-podcidrs?|foreign-kubeconfig-secret-name|enable-(storage|ingress|loadbalancer)|remote-real-[a-z-]+-class-name|metrics-(enabled|address))(=|$)/;

/**
 * An argument of every virtual kubelet of a cluster. Source: liqotech/liqo@v1.2.0 pkg/vkMachinery/forge/forge.go
 * (forgeVKContainers appends these to its own).
 */
export const KUBELET_ARGUMENT: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'an argument that every virtual kubelet may have',
  hintFor: (text) => {
    if (OF_REFLECTION.test(text))
      return 'use `offloading.reflection` and `networking.reflectIPs` of `helmValues`, which set it';
    return OF_VIRTUAL_NODES.test(text) ? 'remove it: Liqo sets it for each virtual node' : undefined;
  },
};
