import { quoted, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import type { IdentitiesDocument } from '../../fleet/topology/identities-document.ts';

interface IdentitiesTexts {
  readonly head: IdentitiesDocument | undefined;
  /** `undefined` for a base without readable answers. */
  readonly base: IdentitiesDocument | undefined;
  /** Whether the consumer borrows from the provider by a handshake; then a plan shows the answer. */
  readonly isLoan: (consumer: string, provider: string) => boolean;
}

/**
 * An answer that is new or another one has an effect on an Identity, which the plan shows. Another server or CA is a warning at
 * its place, too: whoever runs that server gets the Secrets of offloaded namespaces. Whether a certificate is for the key of the
 * consumer is known by then.
 */
export function judgeIdentities({ head, base, isLoan }: IdentitiesTexts): readonly Diagnostic[] {
  const before = new Map(answersIn(base).map((it) => [it.id, it]));
  return answersIn(head).flatMap((answer): readonly Diagnostic[] => {
    const was = before.get(answer.id);
    if (was?.text === answer.text) return [];
    if (!isLoan(answer.consumer, answer.provider)) return [withoutEffect(answer)];
    return was === undefined || was.endpoint === answer.endpoint ? [] : [anotherServer(answer, was)];
  });
}

interface Answer {
  readonly id: string;
  readonly consumer: string;
  readonly provider: string;
  /** All of it, and where it leads. */
  readonly text: string;
  readonly endpoint: string;
  readonly apiServer: string;
  readonly at: Span;
}

const answersIn = (document: IdentitiesDocument | undefined): readonly Answer[] =>
  (document?.reading.at('identities').entries() ?? []).flatMap(({ name: consumer, value }) =>
    value.entries().map(({ name: provider, value: answer }): Answer => {
      const field = (it: 'apiServer' | 'ca' | 'certificate' | 'proxyURL'): string =>
        answer.at(it).scalar()?.value ?? '';
      const endpoint = [field('apiServer'), field('ca'), field('proxyURL')].join(' ');
      return {
        id: `${consumer.value}/${provider.value}`,
        consumer: consumer.value,
        provider: provider.value,
        text: `${endpoint} ${field('certificate')}`,
        endpoint,
        apiServer: field('apiServer'),
        at: provider.at,
      };
    }),
  );

const withoutEffect = ({ consumer, provider, at }: Answer): Diagnostic =>
  diagnostic(
    'provenance/answer-without-effect',
    at,
    `this answer changes nothing: ${quoted(consumer)} borrows nothing from ${quoted(provider)} by a handshake`,
    { hint: 'remove it, or add the loan to `sharing`' },
  );

const SHOWN_URL = 120;

function anotherServer({ consumer, provider, apiServer, at }: Answer, was: Answer): Diagnostic {
  const [to, from] = [apiServer, was.apiServer].map((it) => shortened(it, SHOWN_URL));
  const what = to === from ? `another proxy or CA for ${to}` : `the API server ${to} instead of ${from}`;
  return diagnostic(
    'provenance/other-server',
    at,
    `${quoted(consumer)} would reach ${quoted(provider)} by ${what}, and send it what offloaded pods are given, also their Secrets`,
    { hint: 'compare it with the provider itself before you merge, or restore the answer of the base' },
  );
}
