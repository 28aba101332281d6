import { canonicalQuantity, parseQuantity } from '../../../base/core/quantity.ts';
import { quoted, shortened } from '../../../base/core/words.ts';
import { REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import { DEFAULT_SLICE_CLASS } from '../../../base/releases/slice-class.ts';
import type { Resources, SliceEntry, VirtualNodeSpec } from '../../../base/schema-types/topology.ts';
import { defaultSliceName } from '../../../fleet/sharing/default-slice-name.ts';
import { isJsonMap, type Json, textAt } from '../../dumps/json.ts';
import type { ObservedSlice, ObservedVirtualNode } from '../../observed/observed-sharing.ts';

/** A live slice as an entry of the topology, or why it is none. */
type WrittenSlice =
  | { readonly kind: 'entry'; readonly name: string; readonly entry: SliceEntry }
  | { readonly kind: 'left-out'; readonly why: string };

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
const LONGEST_NAME = 50;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Source: kubernetes/kubernetes@v1.35.0 pkg/apis/core/v1/helper (IsExtendedResourceName), staging/src/k8s.io/api/core/v1/types.go (ResourceName). */
const RESOURCE =
  /^(cpu|memory|pods|(ephemeral-)?storage|(hugepages|attachable-volumes)-[-A-Za-z0-9_.]*[A-Za-z0-9]|[a-z0-9.-]+\/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/;

/** Up to here a person writes a number, and YAML reads it as the same one. */
const PLAIN_NUMBER = /^(0|[1-9]\d{0,8})$/;

export function sliceEntry(
  slice: ObservedSlice,
  node: ObservedVirtualNode | undefined,
  provider: string,
): WrittenSlice {
  const { name } = slice;
  if (!LABEL.test(name) || name.length > LONGEST_NAME)
    return leftOut(`a slice of a topology has a DNS label of at most ${LONGEST_NAME} characters as its name`);
  if (!slice.makesNode) return leftOut('Liqo makes no virtual node of it, and of the slices of a topology it does');
  if (slice.class !== '' && !LABEL.test(slice.class))
    return leftOut(`its class ${quoted(shortened(slice.class, 40))} is no DNS label`);
  const wrong = Object.entries(slice.resources).find(
    ([key, it]) => !RESOURCE.test(key) || it.startsWith('-') || parseQuantity(it) === undefined,
  );
  if (wrong !== undefined) return leftOut(`${quoted(shortened(wrong.join(': '), 60))} is no resource with a quantity`);
  const none = ['cpu', 'memory'].find((it) => {
    const found = slice.resources[it];
    return found !== undefined && canonicalQuantity(found) === '0';
  });
  if (none !== undefined) return leftOut(`it asks for no ${none}, so that no pod can run on its virtual node`);
  const settings = node === undefined ? undefined : settingsOf(node, slice);
  return {
    kind: 'entry',
    name,
    entry: {
      ...(name === defaultSliceName(provider) ? {} : { name }),
      ...(slice.class === '' || slice.class === DEFAULT_SLICE_CLASS ? {} : { class: slice.class }),
      ...(Object.keys(slice.resources).length === 0 ? {} : { resources: resourcesOf(slice.resources) }),
      ...(settings === undefined ? {} : { virtualNode: settings }),
    },
  };
}

const leftOut = (why: string): WrittenSlice => ({ kind: 'left-out', why });

const ORDER = ['cpu', 'memory', 'pods'];

/** As a person writes them: the usual ones first. */
function resourcesOf(resources: Readonly<Record<string, string>>): Resources {
  const rank = (name: string): string => `${ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length} ${name}`;
  const names = Object.keys(resources).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return Object.fromEntries(
    names.map((it) => {
      const text = canonicalQuantity(resources[it] ?? '');
      return [it, PLAIN_NUMBER.test(text) ? Number(text) : text];
    }),
  );
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** What somebody added to the virtual node that Liqo made; `undefined` for nothing. */
function settingsOf(node: ObservedVirtualNode, { nodeLabels }: ObservedSlice): VirtualNodeSpec | undefined {
  const labels = Object.entries(node.labels).filter(
    ([key, value]) => key !== REMOTE_CLUSTER_LABEL && nodeLabels[key] !== value,
  );
  const taints = node.taints.flatMap(taintOf);
  const settings: VirtualNodeSpec = {
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    ...(Object.keys(node.annotations).length === 0 ? {} : { annotations: { ...node.annotations } }),
    ...(taints.length === 0 ? {} : { taints }),
    ...(node.createNode === false ? { createNode: false } : {}),
    ...(node.disableNetworkCheck === true ? { networkCheck: false } : {}),
    ...(node.runtimeClass === null ? {} : { runtimeClass: node.runtimeClass }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function taintOf(taint: Json): NonNullable<VirtualNodeSpec['taints']> {
  const [key, value] = [textAt(taint, 'key'), textAt(taint, 'value')];
  const effect = EFFECTS.find((it) => isJsonMap(taint) && taint['effect'] === it);
  if (key === undefined || effect === undefined) return [];
  return [{ key, ...(value === undefined || value === '' ? {} : { value }), effect }];
}
