import { both } from './plain-words.ts';

/** Words for steps that several kinds of change ask for. */
export const APPLY_BOTH_ENDS = { what: 'apply both ends at the same time', on: both } as const;

export const RECREATE_CONFIGURATION = {
  what: 'delete the Configuration and let the GitOps tool recreate it',
  on: ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): string => `${peer} in ${cluster}`,
} as const;

export const UPGRADE_CHART = "upgrade Liqo's chart with the new helm-values.yaml";
