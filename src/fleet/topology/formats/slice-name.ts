import { DNS_LABEL } from './dns-label.ts';
import type { TextFormat } from './text-format.ts';

/**
 * Longest name in characters: with a dash and 12 digits of a hash it is the user of the virtual kubelet, and that is the
 * value of a label on every pod.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go, pkg/webhooks/shadowpod.
 */
export const LONGEST_SLICE_NAME = 50;

/** The name of a ResourceSlice and of its virtual node. */
export const SLICE_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the name of a slice',
  hintFor: (text) =>
    DNS_LABEL.hintFor(text) ??
    (text.length > LONGEST_SLICE_NAME ? `use at most ${LONGEST_SLICE_NAME} characters` : undefined),
};
