import { countOf, firstOf, quoted } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { certificatesIn } from '../../fleet/certificates/certificate.ts';
import { secondsOf } from '../../fleet/certificates/der.ts';
import { isRenewed, type Share } from '../../fleet/sharing/shared-model.ts';
import type { IdentitiesDocument } from '../../fleet/topology/parse-recorded.ts';

interface RecordedCertificates {
  readonly identities: IdentitiesDocument | undefined;
  readonly shares: readonly Share[];
  /** Since 1970. */
  readonly nowSeconds: number;
}

const DAY_SECONDS = 86_400;

/** A certificate is reported this long before its end, unless its whole lifetime is short. */
const WARNING_DAYS = 30;

/**
 * Liqo renews a certificate in this last part of its lifetime. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/utils.
 */
const LAST_PART = 1 / 3;

/** The most pairs that one message names. */
const SHOWN = 3;

/**
 * Reports recorded certificates that have ended or will soon, with one message per kind. None is an error, which would
 * block the pull request that repairs it. If both clusters renew certificates, the live ones are newer.
 */
export function endingCertificates({ identities, shares, nowSeconds }: RecordedCertificates): readonly Diagnostic[] {
  const loans = new Map(shares.map((it) => [`${it.consumer.name}/${it.provider.name}`, it]));
  const found: Readonly<Record<EndingKind, Ending[]>> = { ended: [], 'ends-soon': [], 'ended-in-git': [] };
  for (const { name: consumer, value } of identities?.reading.at('identities').entries() ?? []) {
    for (const { name: provider } of value.entries()) {
      const share = loans.get(`${consumer.value}/${provider.value}`);
      const ending = share && endingOf(share, nowSeconds);
      if (ending !== undefined) found[ending.kind].push({ ...ending, at: provider.at });
    }
  }
  return (['ended', 'ends-soon', 'ended-in-git'] as const).flatMap((kind) => reportEndings(kind, found[kind]));
}

type EndingKind = 'ended' | 'ends-soon' | 'ended-in-git';

interface Ending {
  readonly kind: EndingKind;
  readonly share: Share;
  /** Written like `2027-01-01`. */
  readonly day: string;
  readonly at: Span;
}

function endingOf(share: Share, nowSeconds: number): Omit<Ending, 'at'> | undefined {
  const { identity, auth, condition } = share;
  if (identity === null || auth === 'credentials' || condition === 'Drained') return undefined;
  const [certificate] = certificatesIn(identity.certificate);
  if (certificate === undefined) return undefined;
  const [start, end] = [secondsOf(certificate.notBefore), secondsOf(certificate.notAfter)];
  const isSoon = end - nowSeconds < Math.min(WARNING_DAYS * DAY_SECONDS, (end - start) * LAST_PART);
  const day = certificate.notAfter.slice(0, '2027-01-01'.length);
  if (end <= nowSeconds) return { kind: isRenewed(share) ? 'ended-in-git' : 'ended', share, day };
  return isSoon && !isRenewed(share) ? { kind: 'ends-soon', share, day } : undefined;
}

const CODES: Readonly<Record<EndingKind, Code>> = {
  ended: 'identities/ended',
  'ends-soon': 'identities/ends-soon',
  'ended-in-git': 'identities/ended-in-git',
};

const CURE =
  'before Liqo 1.2 nothing renews it: delete the Secret liqo-remote-certificate in the provider, touch the Tenant there, and run "weft identities collect"';

const HINTS: Readonly<Record<EndingKind, string>> = {
  ended: CURE,
  'ends-soon': CURE,
  'ended-in-git': 'run "weft identities collect", so that a consumer that is installed again gets one that is accepted',
};

/** Reports the certificate that ends first, at its place. */
function reportEndings(kind: EndingKind, found: readonly Ending[]): readonly Diagnostic[] {
  const sorted = found.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const [first] = sorted;
  if (first === undefined) return [];
  const pairs = sorted.map(({ share, day }) => `${quoted(share.consumer.name)} from ${share.provider.name} on ${day}`);
  return [
    diagnostic(CODES[kind], first.at, `${endingSentence(kind, found.length)}: ${firstOf(pairs, SHOWN)}`, {
      hint: HINTS[kind],
    }),
  ];
}

function endingSentence(kind: EndingKind, count: number): string {
  const certificates = countOf(count, 'certificate');
  switch (kind) {
    case 'ended':
      return `${certificates} of consumers ${count === 1 ? 'has' : 'have'} ended, and their virtual nodes have stopped`;
    case 'ends-soon':
      return `${certificates} of consumers ${count === 1 ? 'ends' : 'end'} soon, and with ${count === 1 ? 'it' : 'them'} their virtual nodes stop`;
    case 'ended-in-git':
      return `${certificates} of consumers ${count === 1 ? 'has' : 'have'} ended in git; Liqo has renewed the live ${count === 1 ? 'one' : 'ones'}`;
  }
}
