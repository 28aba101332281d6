import * as rules from '../../../../src/fleet/sharing/rules/keys.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  consumersHaveAKey: [
    {
      code: 'sharing/key-missing',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
        sharing:
          - «{ consumer: europe, provider: rome }»
      `,
    },
  ],
  authenticationKeysAreKeys: [
    { code: 'keys/not-an-authentication-key', golden: 'invalid-authentication-key', place: 'topology.keys.yaml:12' },
  ],
  authenticationKeysAreUsedOnce: [
    {
      code: 'keys/authentication-used-twice',
      golden: 'invalid-authentication-key-of-two-clusters',
      place: 'topology.keys.yaml:10',
    },
  ],
  providersAcceptTheKey: [
    {
      code: 'keys/refused-by-release',
      golden: 'invalid-authentication-key-refused-by-release',
      place: 'topology.keys.yaml:5',
    },
  ],
  noncesAreSigned: [
    { code: 'keys/wrong-signature', golden: 'invalid-authentication-signature', place: 'topology.keys.yaml:7' },
  ],
  requestsAreForTheirCluster: [
    { code: 'keys/wrong-request', golden: 'invalid-authentication-key', place: 'topology.keys.yaml:8' },
  ],
});
