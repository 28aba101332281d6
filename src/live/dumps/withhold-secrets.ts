import { NONCE_LABEL } from '../../base/releases/labels.ts';
import { isJsonMap, type Json, type JsonMap } from './json.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

/** The value that replaces a secret: the key is still there. */
const WITHHELD = null;

/** Annotations and fields that repeat an object, or that nobody reads. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Source: liqotech/liqo@v1.2.0 pkg/consts/authentication.go (NonceSecretField). */
const NONCE_FIELD = 'nonce';

/**
 * The object without any secret: of a Secret only the names of its values stay, of the access to AWS that a provider on EKS
 * writes into `authParams` only the names of its fields. A nonce is public: it proves nothing without the signature.
 * Whatever weft keeps of a cluster has passed here.
 */
export function withholdSecrets(object: KubernetesObject): KubernetesObject {
  const { metadata, ...fields } = object;
  const { managedFields: _, annotations, ...kept } = metadata;
  const { [LAST_APPLIED]: __, ...otherAnnotations } = annotations ?? {};
  const cleaned: KubernetesObject = {
    ...fields,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { ...kept, name: metadata.name, ...(annotations === undefined ? {} : { annotations: otherAnnotations }) },
  };
  if (object.kind === 'Secret') return withoutValues(cleaned);
  return withoutAccess(withoutAccess(cleaned, 'spec'), 'status');
}

function withoutValues(secret: KubernetesObject): KubernetesObject {
  const isNonce = secret.metadata.labels?.[NONCE_LABEL] === 'true';
  const keep = isNonce ? [NONCE_FIELD] : [];
  const fields = ['data', 'stringData'].flatMap((it) =>
    it in secret ? [[it, namesOf(secret[it], keep)] as const] : [],
  );
  return { ...secret, ...Object.fromEntries(fields) };
}

/** Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/common_types.go (AuthParams, AwsConfig). */
function withoutAccess(object: KubernetesObject, field: 'spec' | 'status'): KubernetesObject {
  const part = object[field];
  const params = isJsonMap(part) ? part['authParams'] : undefined;
  if (!isJsonMap(part) || !isJsonMap(params) || params['awsConfig'] === undefined) return object;
  return { ...object, [field]: { ...part, authParams: { ...params, awsConfig: namesOf(params['awsConfig'], []) } } };
}

function namesOf(value: Json | undefined, keep: readonly string[]): JsonMap | null {
  if (!isJsonMap(value)) return WITHHELD;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, keep.includes(key) ? it : WITHHELD]));
}
