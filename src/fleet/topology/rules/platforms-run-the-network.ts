import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/**
 * Liqo's network works on the platforms. On OpenShift it is work in progress.
 * Source: liqotech/liqo@v1.2.0 docs/installation/compatibility.md.
 */
export const platformsRunTheNetwork: TopologyRule = function* ({ clusters }) {
  for (const { name, platform, retired } of clusters) {
    if (platform?.value !== 'openshift' || retired) continue;
    const message = `"${name}" runs on OpenShift, where Liqo's network is work in progress and not supported`;
    yield diagnostic('topology/platform-in-progress', platform.at, message, {
      about: [[name]],
      hint: 'try it before you rely on it: a tunnel that comes up does not prove that packets pass the nodes',
    });
  }
};
