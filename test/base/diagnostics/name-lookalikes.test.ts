import { READERS } from '../../../src/compile.ts';
import { checker } from '../../support/check-diagnostics.ts';

const check = checker((source) => READERS.topology(source, []).diagnostics);
const fleet = (cluster: string) => `version: 1\nname: e\nclusters:\n  rome:\n    serviceCIDR: 10.96.0.0/12\n${cluster}`;

check('a no-break space behind a network', fleet('    podCIDR: «10.202.0.0/16\u00a0»\n'), {
  code: 'topology/bad-cidr',
  hint: 'it contains a no-break space (U+00A0); write 10.202.0.0/16',
});
check('a no-break space behind a colon', fleet('    «podCIDR:\u00a010.202.0.0/16»\n'), {
  code: 'source/yaml-syntax',
  hint: 'it contains a no-break space (U+00A0); write podCIDR: 10.202.0.0/16',
});
check(
  'a no-break space between a cluster and its braces',
  'version: 1\nname: e\ndefaults: { serviceCIDR: 10.96.0.0/12 }\nclusters:\n  rome:\u00a0{ podCIDR: «10.0.0.0/16 }»\n',
  {
    code: 'topology/wrong-type',
    hint: 'it contains a no-break space (U+00A0); write rome: { podCIDR: 10.0.0.0/16 }',
  },
);
check(
  'a typographic dash in a name',
  'version: 1\nname: «a–b»\nclusters: { rome: { podCIDR: 10.0.0.0/16, serviceCIDR: 10.96.0.0/12 } }\n',
  {
    code: 'topology/bad-name',
    hint: 'it contains an en dash (U+2013); write a-b',
  },
);
