import { quoted, shortened } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { faultOf, type RequestFault } from '../../certificates/check-request.ts';
import type { UnreadableRequest } from '../../certificates/read-request.ts';
import { controlPlaneSubject, type Subject, sliceSubject } from '../../certificates/request-body.ts';
import { recordedEntries, restoreEntry } from '../recorded-entries.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * A recorded certificate request is byte for byte what Liqo makes for that cluster or slice with the recorded key. Kubernetes
 * makes user and groups of its names, so a wrong one may give rights that nobody has seen in review.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export const requestsAreForTheirCluster: SharingRule = function* ({ inputs }) {
  for (const { cluster, key, requests } of recordedEntries(inputs)) {
    if (key === undefined) continue;
    let isOtherKey = false;
    for (const { slice, text, read } of requests) {
      const subject = slice === null ? controlPlaneSubject(cluster.value) : sliceSubject(slice, cluster.value);
      const fault = faultOf(read, { subject, spki: key.spki });
      // All requests are made of one key: if the first is for another one, the others are its echoes.
      if (fault === undefined || (fault.kind === 'other-key' && isOtherKey)) continue;
      isOtherKey ||= fault.kind === 'other-key';
      const whose = `${slice === null ? '' : `slice ${quoted(slice)} of `}${quoted(cluster.value)}`;
      const message = `the certificate request of ${whose} ${describe(fault, subject)}`;
      yield diagnostic('keys/wrong-request', text.at, message, { hint: restoreEntry(cluster.value) });
    }
  }
};

const UNREADABLE: Readonly<Record<UnreadableRequest, string>> = {
  'not-pem': 'is not a request in PEM, encoded as base64',
  'other-block': 'is another kind of PEM',
  'not-alone': 'has more than one block of PEM in lines of 64 columns, and Liqo refuses anything that follows it',
  'not-pkcs10': 'is not PKCS#10',
};

/** Names of another cluster are short; whatever is longer was not written by Liqo. */
const SHOWN_CHARACTERS = 120;

function describe(fault: RequestFault, { organization, commonName }: Subject): string {
  switch (fault.kind) {
    case 'unreadable':
      return UNREADABLE[fault.why];
    case 'other-subject': {
      const found = fault.found.map(({ type, value }) => `${type}=${value}`).join(', ');
      return `is for ${shortened(found, SHOWN_CHARACTERS)}; it must be for O=${organization}, CN=${commonName}`;
    }
    case 'other-key':
      return 'is for another key than the one that is recorded here';
    case 'other-bytes':
      return 'asks for more than a certificate with its names, or encodes them in another way than Liqo';
    case 'not-signed':
      return 'is not signed by its key';
  }
}
