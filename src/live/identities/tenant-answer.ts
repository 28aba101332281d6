import { decodeBase64, encodeBase64 } from '../../base/core/encodings.ts';
import type { Span } from '../../base/source/source.ts';
import type { Identity, Share } from '../../fleet/sharing/shared-model.ts';
import { kindKeyOf, type LiveObject } from '../dumps/kubernetes-object.ts';
import { type ObservedAnswer, type ObservedTenant, observeTenant } from '../facts/sharing.ts';

export const TENANT_KIND = 'Tenant.authentication.liqo.io';

/** What a provider knows of one consumer, and what it has answered. */
export interface TenantAnswer extends Pick<ObservedTenant, 'consumer' | 'publicKey'> {
  readonly at: () => Span;
  /** `null` until the provider has signed. */
  readonly params: ObservedAnswer | null;
}

/** The Tenants among the objects of a provider, in their order. */
export const tenantAnswers = (objects: readonly LiveObject[]): readonly TenantAnswer[] =>
  objects.flatMap(({ object, at }) => {
    if (kindKeyOf(object) !== TENANT_KIND) return [];
    return observeTenant(object).map(({ consumer, publicKey, answer }) => ({
      consumer,
      publicKey,
      params: answer,
      at,
    }));
  });

/** The answer as an Identity has it: its public fields, and nothing else. */
export const identityOf = ({ apiServer, ca, certificate, proxyURL }: ObservedAnswer): Identity => ({
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

/** Returns the only provider whose answers some can be; `undefined` where none or several can be. */
type FindProvider = (answers: readonly TenantAnswer[]) => string | undefined;

/**
 * Finds out whose answers a dump has that does not name its cluster: by the API server that the topology declares, else by an
 * answer that is recorded, else because no other cluster lends to all of these consumers.
 */
export function providerFinder(shares: readonly Share[]): FindProvider {
  const byServer = namesBy(shares, (it) => it.provider.apiServer?.url);
  const byAnswer = namesBy(
    shares,
    ({ consumer, identity }) => identity && answerKey(consumer.name, identity.apiServer, identity.ca),
  );
  const byConsumer = namesBy(shares, (it) => it.consumer.name);
  return (answers) => {
    const declared = new Set(
      answers.flatMap(({ params }) => (params ? [...(byServer.get(params.apiServer) ?? [])] : [])),
    );
    if (declared.size > 0) return only(declared);
    const recorded = new Set(
      answers.flatMap(({ consumer, params }) =>
        params ? [...(byAnswer.get(answerKey(consumer, params.apiServer, params.ca)) ?? [])] : [],
      ),
    );
    if (recorded.size > 0) return only(recorded);
    const lenders = [...new Set(answers.map((it) => it.consumer))].map((it) => byConsumer.get(it) ?? new Set<string>());
    const [fewest, ...others] = lenders.sort((a, b) => a.size - b.size);
    return only(new Set([...(fewest ?? [])].filter((it) => others.every((some) => some.has(it)))));
  };
}

const answerKey = (consumer: string, apiServer: string, ca: string | null): string =>
  JSON.stringify([consumer, apiServer, ca]);

/** The providers of shares by a text of each share; shares without that text are left out. */
function namesBy(
  shares: readonly Share[],
  textOf: (share: Share) => string | null | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const it of shares) {
    const text = textOf(it);
    if (text === null || text === undefined) continue;
    const known = names.get(text);
    if (known === undefined) names.set(text, new Set([it.provider.name]));
    else known.add(it.provider.name);
  }
  return names;
}

const only = (names: ReadonlySet<string>): string | undefined => (names.size === 1 ? [...names][0] : undefined);
