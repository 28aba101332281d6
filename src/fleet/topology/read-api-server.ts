import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import { readCertificateTexts } from './certificate-texts.ts';
import type { ApiServer } from './declaration.ts';
import { API_SERVER_ADDRESS } from './formats/api-server-address.ts';
import type { Report } from './report.ts';
import { checkText } from './texts/check-text.ts';

type ApiServerSpec = NonNullable<ClusterSpec>['apiServer'];

/** Where peers reach the API server of a cluster. `owner` is the cluster, for messages: `of "rome"`. */
export function readApiServer(
  written: Reading<NonNullable<ApiServerSpec>>,
  owner: string,
  report: Report,
): ApiServer | null {
  const address = written.scalar() ?? written.at('address').scalar();
  checkText(address, API_SERVER_ADDRESS, `apiServer ${owner}`, report);
  const trustedCA = written.at('trustedCA').orDefault(false).value;
  const ca = readAuthority(written, owner, report);
  if (!address || API_SERVER_ADDRESS.hintFor(address.value) !== undefined) return null;
  if (ca !== null && trustedCA) {
    const message = `\`apiServer.ca\` ${owner} has no effect, because with \`trustedCA\` Liqo sends peers no authority`;
    const hint = 'remove one of the two';
    report(diagnostic('topology/unused-setting', written.at('ca').keySpan, message, { hint }));
  }
  return { address, url: urlOf(address.value), ca: trustedCA ? null : ca, trustedCA };
}

/** As Liqo completes it. Source: liqotech/liqo@v1.2.0 pkg/utils/apiserver/address.go. */
const urlOf = (address: string): string => (address.startsWith('https://') ? address : `https://${address}`);

function readAuthority(written: Reading<NonNullable<ApiServerSpec>>, owner: string, report: Report): string | null {
  const text = written.at('ca').scalar();
  if (!text) return null;
  const read = readCertificateTexts(text.value);
  if (read.kind === 'pem') return read.base64;
  report(
    diagnostic('topology/bad-certificate', text.at, `\`apiServer.ca\` ${owner} cannot be used: ${read.why}`, {
      hint: 'copy `certificate-authority-data` from a kubeconfig of the cluster',
    }),
  );
  return null;
}
