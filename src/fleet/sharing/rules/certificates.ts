import { groupBy } from '../../../base/core/collections.ts';
import { countOf, firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { signsClientCertificates } from '../../../base/releases/platforms.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import { namespaceOfProvider, type Share } from '../shared-model.ts';
import { pairsInWords, SHOWN_CONSUMERS, type SharingRule, subjectsOf } from './sharing-rule.ts';

/**
 * A provider signs the certificates of its consumers. On EKS, Liqo creates AWS users for them instead, and the secret
 * key of such a user is a part of the answer, which git must never contain. With credentials a Secret contains it, and
 * Liqo itself transfers the data that slices need. Source: liqotech/liqo@v1.2.0
 * pkg/identityManager/iamIdentityProvider.go.
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
      `${quoted(provider.name)} on ${provider.platform?.value} answers ${firstOf(consumers, SHOWN_CONSUMERS)} with a secret access key instead of a certificate, which weft does not carry`,
      {
        about: subjectsOf(shares),
        hint: 'set `auth: credentials`, and hand the kubeconfig to the consumer as a Secret',
      },
    );
  }
};

/**
 * Liqo renews the certificates of a loan if both of its clusters support that. One note lists all loans that end with
 * their first certificate.
 */
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

/**
 * A reminder of kubeconfigs that weft does not write: one note for all of them.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/getters/k8sGetters.go (finds the Secret by its labels).
 */
export const credentialsHaveASource: SharingRule = function* ({ model }) {
  const byHand = model.shares.filter((it) => it.auth === 'credentials' && it.credentials === null);
  const [first] = byHand;
  if (first === undefined) return;
  const [wait, secret] = byHand.length === 1 ? ['waits', 'a Secret'] : ['wait', 'Secrets'];
  yield diagnostic(
    'sharing/kubeconfig-by-hand',
    first.at,
    `${countOf(byHand.length, 'loan')} by credentials ${wait} for ${secret} that you make: ${pairsInWords(byHand)}`,
    {
      about: subjectsOf(byHand),
      hint: `make the Secret kubeconfig-controlplane-${first.provider.name} in ${namespaceOfProvider(first)} of "${first.consumer.name}", or set \`credentials\` to a store; "weft explain sharing/kubeconfig-by-hand" shows how`,
    },
  );
};

/** The providers of a consumer have kubeconfigs of their own, so each is under another key of the consumer's store. */
export const providersHaveTheirOwnKubeconfig: SharingRule = function* ({ model }) {
  const first = new Map<string, Share>();
  for (const share of model.shares) {
    const { at, consumer, provider, credentials } = share;
    // A SecretStore is in one namespace, and each provider has another one.
    if (credentials === null || credentials.storeKind === 'SecretStore') continue;
    const { store, key, property } = credentials;
    if ([key, property].some((it) => it?.includes('{provider}'))) continue;
    const id = JSON.stringify([consumer.name, store, key, property]);
    const other = first.get(id);
    if (other === undefined) first.set(id, share);
    else
      yield diagnostic(
        'topology/wrong-value',
        at,
        `${quoted(consumer.name)} would reach ${quoted(other.provider.name)} and ${quoted(provider.name)} with one kubeconfig, ${quoted(key)} of store ${quoted(store)}`,
        { hint: 'write {provider} in `credentials.key`, or give each loan a key of its own' },
      );
  }
};
