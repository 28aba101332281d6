import * as rules from '../../../../src/fleet/model/rules/keys.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  keysNameKnownClusters: [
    {
      code: 'keys/unknown-cluster',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters: { europe: { gateway: 203.0.113.100 }, rome: { gateway: 203.0.113.101 }, milan: { gateway: 203.0.113.102 } }
      `,
      keys: `
        # topology.keys.yaml
        version: 1
        keys:
          «roma»: { europe: HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw= }
      `,
    },
  ],
  keysAreUsedOnce: [
    {
      code: 'keys/used-twice',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters: { europe: { gateway: 203.0.113.100 }, rome: { gateway: 203.0.113.101 }, milan: { gateway: 203.0.113.102 } }
      `,
      keys: `
        # topology.keys.yaml
        version: 1
        keys:
          europe: { rome: HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=, milan: «HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=» }
      `,
    },
  ],
  keysDifferAtBothEnds: [
    {
      code: 'keys/same-at-both-ends',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters: { europe: { gateway: 203.0.113.100 }, rome: { gateway: 203.0.113.101 }, milan: { gateway: 203.0.113.102 } }
      `,
      keys: `
        # topology.keys.yaml
        version: 1
        keys:
          europe: { rome: HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw= }
          rome: { europe: «HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=» }
      `,
    },
  ],
});
