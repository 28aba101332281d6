import { decodeBase64, encodeBase64 } from '../../base/core/base64.ts';
import type { Identity } from '../../fleet/sharing/shared-model.ts';
import type { AnswerParams } from './tenant-answer.ts';

/** The answer as an Identity has it: its public fields, and nothing else. */
export const identityOf = ({ apiServer, ca, certificate, proxyURL }: AnswerParams): Identity => ({
  apiServer,
  ca: ca === '' ? null : withoutNulls(ca),
  certificate: withoutNulls(certificate),
  proxyURL: proxyURL === '' ? null : proxyURL,
});

/** Liqo may leave NUL bytes behind a PEM. Source: liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go. */
function withoutNulls(base64: string): string {
  const { bytes } = decodeBase64(base64);
  const last = bytes.findLastIndex((it) => it !== 0);
  return last === bytes.length - 1 ? base64 : encodeBase64(bytes.slice(0, last + 1));
}
