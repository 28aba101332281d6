import type { ChartSettings } from '../../src/fleet/topology/sharing-declaration.ts';

/** The chart settings of a cluster that sets no value. */
export const NO_CHART_SETTINGS: ChartSettings = {
  lending: {
    nodeLabels: {},
    defaultResources: [],
    storageClass: null,
    ingressClasses: [],
    loadBalancerClasses: [],
    limits: null,
    enforceResources: null,
  },
  virtualKubelet: { replicas: null, args: [], labels: {}, annotations: {}, nodeLabels: {}, nodeAnnotations: {} },
  reflection: { ips: null, skipLabels: [], skipAnnotations: [], reflectors: {} },
};
