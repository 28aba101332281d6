import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Rule } from './rule.ts';

/** What is allowed, and still worth knowing before an outage teaches it. */
export const settingsAreWorthAWord: Rule = function* (topology) {
  for (const cluster of topology.clusters) {
    const [, second] = cluster.gateway.addresses;
    if (second) {
      yield diagnostic(
        'topology/several-addresses',
        second.at,
        `peers of "${cluster.name}" dial its first gateway address only`,
        {
          hint: 'the default gateway template takes one; use a DNS name or a virtual address that fails over',
        },
      );
    }
    if (cluster.reserved.length === 0 && !cluster.retired) {
      yield diagnostic(
        'topology/nothing-reserved',
        cluster.at,
        `"${cluster.name}" reserves nothing, so a remap may shadow its node subnet`,
        {
          hint: 'list node subnets and whatever else is routed there in `reserved`',
        },
      );
    }
  }
  if (!topology.gitops) {
    yield diagnostic(
      'topology/no-gitops-repository',
      topology.name.at,
      'no entry points for Argo CD and Flux are written',
      {
        hint: 'set `gitops.repository` to the URL of the repository that holds `out/`',
      },
    );
  }
};
