import { firstOf, listOf, quoted, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';

/** A provider with its consumer. */
export interface AnsweredPair {
  readonly consumer: string;
  readonly provider: string;
}

const LONGEST = 100;

const quotedServer = (text: string): string => quoted(shortened(text, LONGEST));

const answerTo = ({ consumer, provider }: AnsweredPair): string => `the answer of "${provider}" to "${consumer}"`;

export const secretInAnswer = (at: Span, pair: AnsweredPair): Diagnostic =>
  diagnostic('identities/secret', at, `${answerTo(pair)} contains access to AWS, which is secret; nothing is written`, {
    hint: 'set `auth: credentials` for this pair, and hand the access to the consumer as a Secret',
  });

export const notSigned = (at: Span, { consumer, provider }: AnsweredPair, namespace: string): Diagnostic =>
  diagnostic('identities/not-signed', at, `"${provider}" has not signed the certificate of "${consumer}" yet`, {
    hint: `see the events of the Tenant: kubectl describe tenant ${consumer} -n ${namespace}`,
  });

export const noTenant = (at: Span, { consumer, provider }: AnsweredPair): Diagnostic =>
  diagnostic('identities/not-signed', at, `"${provider}" has no Tenant of "${consumer}", so it cannot sign anything`, {
    hint: `apply the bundle of "${provider}", wait until the Tenant has a status, and collect again`,
  });

export const otherKey = (at: Span, { consumer, provider }: AnsweredPair, where: string): Diagnostic =>
  diagnostic(
    'identities/other-key',
    at,
    `${where} "${provider}" has for "${consumer}" is of another key than the recorded one`,
    {
      hint: `apply the bundle of "${provider}"; after a change of the key, delete the Secrets liqo-remote-certificate* of its tenant namespace first`,
    },
  );

export const wrongCertificate = (at: Span, pair: AnsweredPair, why: string): Diagnostic =>
  diagnostic('identities/wrong-certificate', at, `${answerTo(pair)} cannot be used: ${why}`, {
    hint: `check that the dump is of "${pair.provider}", and dump it again`,
  });

export const answerOfAnother = (at: Span, pair: AnsweredPair, other: string): Diagnostic =>
  diagnostic(
    'identities/wrong-certificate',
    at,
    `${answerTo(pair)} is that of "${other}", word for word: one of the two is of another cluster`,
    {
      hint: `check that the dump is of "${pair.provider}"; if it is, collect the answer of "${other}" in the same run`,
    },
  );

interface EndedCertificate {
  readonly notAfter: string;
  /** The tenant namespace of the consumer in the provider. */
  readonly namespace: string;
}

export const expired = (
  at: Span,
  { consumer, provider }: AnsweredPair,
  { notAfter, namespace }: EndedCertificate,
): Diagnostic =>
  diagnostic(
    'identities/expired',
    at,
    `the certificate that "${provider}" signed for "${consumer}" ended at ${notAfter}`,
    {
      hint: `delete the Secret liqo-remote-certificate in ${namespace} of "${provider}" and annotate the Tenant; then collect again`,
    },
  );

export const otherApiServer = (at: Span, pair: AnsweredPair, found: string, wanted: string): Diagnostic =>
  diagnostic(
    'identities/other-api-server',
    at,
    `${answerTo(pair)} names the API server ${quotedServer(found)}, and the topology ${quotedServer(wanted)}`,
    {
      hint: `if the dump is of "${pair.provider}", correct its \`apiServer\`, or upgrade Liqo there with the compiled Helm values`,
    },
  );

export const otherAuthority = (at: Span, { consumer, provider }: AnsweredPair): Diagnostic =>
  diagnostic(
    'identities/other-api-server',
    at,
    `${answerTo({ consumer, provider })} has another authority for the API server than \`apiServer.ca\` of "${provider}"`,
    {
      hint: `if the dump is of "${provider}", correct its \`apiServer.ca\`, or upgrade Liqo there with the compiled Helm values`,
    },
  );

/** A provider may lend to many clusters of other fleets, so not all are named. */
const SHOWN_CONSUMERS = 5;

export const noLoan = (at: Span, provider: string, consumers: readonly string[]): Diagnostic =>
  diagnostic(
    'identities/no-loan',
    at,
    `"${provider}" has ${consumers.length === 1 ? 'a Tenant' : 'Tenants'} that no loan of the topology belongs to: ${firstOf(consumers.map(quoted), SHOWN_CONSUMERS)}`,
    {
      hint: consumers.includes(provider)
        ? `no cluster borrows from itself: check that the dump is of "${provider}"`
        : `ignore it, or add to \`sharing\` what ${listOf(consumers.slice(0, 3))} may borrow there`,
    },
  );

export const olderAnswer = (at: Span, { consumer, provider }: AnsweredPair, recorded: string): Diagnostic =>
  diagnostic(
    'identities/older',
    at,
    `the certificate of "${provider}" for "${consumer}" is older than the recorded one of ${recorded}, which stays`,
    {
      hint: `dump "${provider}" again; if the provider has been restored from a backup, remove the recorded answer first`,
    },
  );
