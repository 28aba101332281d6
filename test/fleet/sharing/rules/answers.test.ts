import * as rules from '../../../../src/fleet/sharing/rules/answers.ts';
import { ruleTable } from '../../../support/rule-table.ts';

ruleTable(rules, {
  providersHaveAnswered: [
    { code: 'sharing/answer-missing', golden: 'warns-answers-missing', place: 'topology.yaml:10' },
  ],
  answersBelongToALoan: [
    {
      code: 'sharing/answer-of-no-loan',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { gateway: 203.0.113.101 }
      `,
      identities: `
        # topology.identities.yaml
        version: 1
        identities:
          europe:
            «rome»:
              apiServer: https://rome.example:6443
              certificate: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t
      `,
    },
  ],
  answersAreForTheirConsumer: [
    {
      code: 'identities/wrong-certificate',
      golden: 'invalid-answers-of-providers',
      place: 'topology.identities.yaml:7',
    },
  ],
  answersAreForTheRecordedKey: [
    {
      code: 'sharing/answer-to-former-key',
      golden: 'warns-answer-to-a-former-key',
      place: 'topology.identities.yaml:7',
    },
  ],
  answersNameTheApiServer: [
    {
      code: 'sharing/answer-of-former-api-server',
      topology: `
        version: 1
        name: europe
        defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        hub: europe
        clusters:
          europe: { gateway: 203.0.113.100 }
          rome: { apiServer: «https://new.example:6443», gateway: 203.0.113.101 }
        sharing:
          - { consumer: europe, provider: rome }
      `,
      identities: `
        # topology.identities.yaml
        version: 1
        identities:
          europe:
            rome:
              apiServer: https://old.example:6443
              certificate: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t
      `,
    },
  ],
});
