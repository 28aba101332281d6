import type { TextFormat } from './text-format.ts';

const PART = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${PART}(\\.${PART})*$`);

/** Longest name of an object in characters. */
const LONGEST = 253;

/** Whether a text is a DNS subdomain as Kubernetes understands it: parts of any length, in all at most 253 characters. */
export const isDnsSubdomain = (text: string): boolean => text.length <= LONGEST && SUBDOMAIN.test(text);

/**
 * The name of most objects: Secrets, custom resources, Flux's Kustomizations, Argo CD's projects.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go
 * (IsDNS1123Subdomain).
 */
export const DNS_SUBDOMAIN: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a name that Kubernetes accepts',
  hintFor: (text) => {
    if (isDnsSubdomain(text)) return undefined;
    if (text.length > LONGEST) return `use at most ${LONGEST} characters`;
    return 'use lower-case letters, digits, dashes and dots, with a letter or digit at both ends of each part';
  },
};
