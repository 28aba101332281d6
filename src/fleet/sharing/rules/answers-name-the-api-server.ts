import { decodeBase64 } from '../../../base/core/base64.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { withoutNulls } from '../../certificates/pem.ts';
import type { Share } from '../shared-model.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/**
 * A recorded answer names the API server that the topology has for its provider, and its authority. It is a warning: after a change
 * in the topology the provider can give another answer only once its Helm values are applied.
 */
export const answersNameTheApiServer: SharingRule = function* ({ model }) {
  const former = model.shares.filter((it) => it.auth === 'handshake' && isFormer(it));
  const [first] = former;
  if (first === undefined) return;
  const [is, answer] = former.length === 1 ? ['is', 'recorded answer'] : ['are', 'recorded answers'];
  yield diagnostic(
    'sharing/answer-of-former-api-server',
    first.provider.apiServer?.address.at ?? first.at,
    `${former.length} ${answer} ${is} for another API server or authority than the topology has: ${pairsInWords(former)}`,
    {
      about: subjectsOf(former),
      hint: 'upgrade Liqo in these providers with the compiled Helm values, then run "weft identities collect"',
    },
  );
};

function isFormer({ identity, provider: { apiServer } }: Share): boolean {
  if (identity === null || apiServer === null) return false;
  if (identity.apiServer !== apiServer.url) return true;
  const wanted = apiServer.trustedCA ? '' : apiServer.ca;
  return wanted !== null && textOf(wanted) !== textOf(identity.ca ?? '');
}

/** Without what may follow a PEM: Liqo pads the one that it is given with NUL bytes. */
const textOf = (base64: string): string =>
  withoutNulls(
    decodeBase64(base64)
      .bytes.map((it) => String.fromCharCode(it))
      .join(''),
  ).trim();
