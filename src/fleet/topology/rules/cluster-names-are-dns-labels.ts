import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/tenant-namespace.ts';
import { labelHint } from '../formats/label-hint.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
const CLUSTER_ID = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** The prefix and the name together are the name of a namespace, of at most 63 characters. */
const LONGEST = 63 - TENANT_NAMESPACE_PREFIX.length;

/** Cluster names are Liqo cluster IDs: DNS labels that leave room for `liqo-tenant-` and do not look like integers. */
export const clusterNamesAreDnsLabels: TopologyRule = function* (topology) {
  for (const { value, at } of topology.names) {
    if (!CLUSTER_ID.test(value)) {
      yield diagnostic('topology/bad-name', at, `"${value}" is not a valid Liqo cluster ID`, {
        hint: labelHint(value),
      });
    } else if (value.length > LONGEST) {
      yield diagnostic(
        'topology/name-too-long',
        at,
        `"${value}" has ${value.length} characters; its tenant namespace would be too long`,
        {
          hint: `use at most ${LONGEST} characters: "${TENANT_NAMESPACE_PREFIX}" and the name together have at most 63`,
        },
      );
    } else if (/^\d+$/.test(value)) {
      yield diagnostic(
        'topology/name-like-integer',
        at,
        `"${value}" looks like an integer, and Liqo renders it as one`,
        {
          hint: `add a letter, like "c${value}"`,
        },
      );
    }
  }
};
