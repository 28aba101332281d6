import { groupBy } from '../../../base/core/group-by.ts';
import { firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { signsClientCertificates } from '../../../base/releases/platforms.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/** How many consumers a message names. */
const SHOWN = 3;

/**
 * A provider signs the certificates of its consumers. On EKS, Liqo makes users of AWS for them instead, and the secret key of such
 * a user is a part of the answer, which git must never contain. With credentials a Secret carries it; what slices need is handed over
 * by Liqo itself.
 * Source: liqotech/liqo@v1.2.0 pkg/identityManager/iamIdentityProvider.go.
 */
export const providersSignCertificates: SharingRule = function* ({ model }) {
  const lent = groupBy(
    model.shares.filter(
      (it) => it.auth === 'handshake' && !signsClientCertificates(it.provider.platform?.value ?? null),
    ),
    (it) => [it.provider.name],
  );
  for (const shares of lent.values()) {
    const [first] = shares;
    if (first === undefined) continue;
    const { provider } = first;
    const consumers = shares.map((it) => quoted(it.consumer.name));
    yield diagnostic(
      'sharing/answers-with-a-secret',
      provider.platform?.at ?? first.at,
      `${quoted(provider.name)} on ${provider.platform?.value} answers ${firstOf(consumers, SHOWN)} with a secret access key instead of a certificate, which weft does not carry`,
      {
        about: subjectsOf(shares),
        hint: 'set `auth: credentials`, and hand the kubeconfig to the consumer as a Secret',
      },
    );
  }
};
