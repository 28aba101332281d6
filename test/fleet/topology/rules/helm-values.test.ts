import * as rules from '../../../../src/fleet/topology/rules/helm-values.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  helmValuesAreInTheRelease: [
    {
      code: 'topology/not-in-release',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, helmValues: { networking: { gateway: { mssclamp: { enabled: false } } } } }
          milan:
            podCIDR: 10.1.0.0/16
            liqo: { version: "1.0" }
            helmValues: { networking: { gateway: { mssclamp: { «enabled»: false } } }, webhook: { replicas: 2 } }
      `,
    },
    {
      // A patch of a release has it, and it is in `defaults`.
      code: 'topology/not-in-release',
      topology: `
        version: 1
        name: europe
        liqo: { version: 1.0.0 }
        defaults: { serviceCIDR: 10.96.0.0/12, helmValues: { «imagePullSecrets»: [{ name: mirror }] } }
        clusters:
          rome: { podCIDR: 10.0.0.0/16 }
          milan: { podCIDR: 10.1.0.0/16, liqo: { version: 1.0.1 } }
      `,
    },
    {
      // The release candidates had another name for it.
      code: 'topology/not-in-release',
      topology: `
        version: 1
        name: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          rome: { podCIDR: 10.0.0.0/16, helmValues: { telemetry: { «enable»: false } } }
      `,
    },
  ],
});
