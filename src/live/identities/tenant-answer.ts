import type { Span } from '../../base/source/source.ts';
import { isJsonMap, jsonAt, textAt } from '../dumps/json.ts';
import { groupOf, kindKey, type LiveObject } from '../dumps/kubernetes-object.ts';

export const TENANT_KIND = 'Tenant.authentication.liqo.io';

/** What a provider knows of one consumer, and what it has answered. */
export interface TenantAnswer {
  readonly consumer: string;
  readonly at: () => Span;
  /** `spec.publicKey`, base64. */
  readonly publicKey: string | undefined;
  /** `null` until the provider has signed. */
  readonly params: AnswerParams | null;
  /** Whether the provider has put access to AWS into its answer. */
  readonly hasSecret: boolean;
}

/** The public fields of `status.authParams`. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/common_types.go (AuthParams). */
export interface AnswerParams {
  readonly apiServer: string;
  /** Base64 of PEM; empty where the system's authorities are to be trusted. */
  readonly ca: string;
  /** Base64 of PEM. */
  readonly certificate: string;
  /** Empty without a proxy. */
  readonly proxyURL: string;
}

/** The Tenants among the objects of a provider, in their order. */
export const tenantAnswers = (objects: readonly LiveObject[]): readonly TenantAnswer[] =>
  objects.flatMap((it) => {
    const { apiVersion, kind, spec, status } = it.object;
    const consumer = textAt(spec, 'clusterID');
    if (kindKey(groupOf(apiVersion), kind) !== TENANT_KIND || consumer === undefined) return [];
    const params = jsonAt(status, 'authParams');
    const text = (name: string): string => textAt(params, name) ?? '';
    const isSigned = isJsonMap(params) && text('signedCRT') !== '';
    return [
      {
        consumer,
        at: it.at,
        publicKey: textAt(spec, 'publicKey'),
        params: isSigned
          ? { apiServer: text('apiServer'), ca: text('ca'), certificate: text('signedCRT'), proxyURL: text('proxyURL') }
          : null,
        hasSecret: isJsonMap(params) && params['awsConfig'] !== undefined,
      },
    ];
  });
