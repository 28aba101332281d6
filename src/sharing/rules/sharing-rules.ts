import type { SharingRule } from './sharing-rule.ts';
import { sliceNamesAreUnique } from './slice-names-are-unique.ts';

/** Every rule about shared resources. */
export const SHARING_RULES: readonly SharingRule[] = [sliceNamesAreUnique];
