import type { ReleaseLine } from './objects.ts';
import type { LiqoctlFleet } from './simulate-liqoctl.ts';

/**
 * The fleet of the second slide deck: a hub and two leaves that all use 10.200.0.0/16, and a shortcut between the leaves.
 * Made by hand in this order the hub sees the leaves as 10.60 and 10.63, and the leaves see each other as 10.61.
 */
export function fleetOfTheSlides(release: ReleaseLine): LiqoctlFleet {
  const shortcut = { client: 'cluster2', server: 'cluster3', service: 'NodePort' } as const;
  const hasOperator = release !== '1.2';
  return {
    release,
    clusters: {
      hub: { podCIDR: '10.200.0.0/16', serviceCIDR: '10.61.0.0/16' },
      cluster2: { podCIDR: '10.200.0.0/16', serviceCIDR: '10.62.0.0/16' },
      cluster3: { podCIDR: '10.200.0.0/16', serviceCIDR: '10.63.0.0/16' },
    },
    peerings: [
      { client: 'cluster2', server: 'hub', service: 'NodePort' },
      { client: 'cluster3', server: 'hub', service: 'NodePort' },
      ...(hasOperator ? [] : [shortcut]),
    ],
    // The operator reads Networks by the names that they had before 1.2.
    ...(hasOperator ? { operator: { hub: 'hub', connections: [shortcut] } } : {}),
  };
}
