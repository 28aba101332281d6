import { countOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/** Liqo renews the certificates of a loan if both of its clusters can. One note for all that end with their first certificate. */
export const certificatesAreRenewed: SharingRule = function* ({ model }) {
  const ending = model.shares.filter((it) =>
    [it.consumer, it.provider].some(({ traits }) => !traits.renewsCertificates),
  );
  const [first] = ending;
  if (first === undefined) return;
  yield diagnostic(
    'sharing/not-renewed',
    first.at,
    `Liqo does not renew the certificates of ${countOf(ending.length, 'loan')}, and a loan ends with its certificate, usually after a year: ${pairsInWords(ending)}`,
    {
      about: subjectsOf(ending),
      hint: `run Liqo ${firstLineWith('renewsCertificates')} in both clusters; "weft explain sharing/not-renewed" has the steps to renew them by hand`,
    },
  );
};
