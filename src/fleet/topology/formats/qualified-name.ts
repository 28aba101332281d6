import { isDnsSubdomain } from './dns-subdomain.ts';
import type { TextFormat } from './text-format.ts';

/** Longest part after the slash in characters. */
const LONGEST = 63;

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * `gateway` or `example.com/gateway`.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsQualifiedName).
 */
function hintFor(text: string): string | undefined {
  const slash = text.indexOf('/');
  const [prefix, name] = slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
  if (prefix !== undefined && !isDnsSubdomain(prefix))
    return 'write a DNS name before the slash, like example.com/gateway';
  if (name.length > LONGEST)
    return `use at most ${LONGEST} characters${prefix === undefined ? '' : ' after the slash'}`;
  if (NAME.test(name)) return undefined;
  return 'use letters, digits, dashes, dots and underscores, with a letter or digit at both ends, like example.com/gateway';
}

/**
 * The class of a load balancer.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (validateLoadBalancerClassField).
 */
export const LOAD_BALANCER_CLASS: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the class of a load balancer',
  hintFor,
};

/** The key of a label or of a taint. */
export const LABEL_KEY: TextFormat = { code: 'topology/bad-name', noun: 'the key of a label', hintFor };

/**
 * The key of an annotation: capitals are allowed before the slash as well.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go (ValidateAnnotations).
 */
export const ANNOTATION_KEY: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the key of an annotation',
  hintFor: (text) => hintFor(text.toLowerCase()),
};
