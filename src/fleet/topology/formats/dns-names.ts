import { type TextFormat, templateHint } from './text-format.ts';

/** Longest DNS label in characters. Source: RFC 1123. */
const LONGEST_LABEL = 63;

/**
 * The name of a namespace.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsDNS1123Label).
 */
export const DNS_LABEL: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a DNS label',
  hintFor: (text) => {
    if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)) return labelHint(text);
    return text.length > LONGEST_LABEL ? `use at most ${LONGEST_LABEL} characters` : undefined;
  },
};

/** The DNS label that is most like a name; empty for a name without a letter or digit. */
export const nearestLabel = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Explains a DNS label, with the nearest one as an example. */
export function labelHint(name: string): string {
  const near = nearestLabel(name);
  const rule = 'use lower-case letters, digits and dashes, with a letter or digit at both ends';
  return near === '' || near === name ? rule : `${rule}, like "${near}"`;
}

/** A part of the fleet that fails: any of a kind, a cluster, a link, or a gateway by its address. */
export const FAILED_PART: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a part of the fleet',
  hintFor: (text) =>
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\/[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?)?$/.test(text)
      ? undefined
      : 'write any-link, any-gateway, any-cluster, a cluster, or a cluster and its peer or address, like rome/europe',
};

const SUBDOMAIN_PART = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = new RegExp(`^${SUBDOMAIN_PART}(\\.${SUBDOMAIN_PART})*$`);

/** Longest name of an object in characters. */
const LONGEST_SUBDOMAIN = 253;

/** True for a DNS subdomain in Kubernetes: parts of any length, together at most 253 characters. */
export const isDnsSubdomain = (text: string): boolean => text.length <= LONGEST_SUBDOMAIN && SUBDOMAIN.test(text);

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
    if (text.length > LONGEST_SUBDOMAIN) return `use at most ${LONGEST_SUBDOMAIN} characters`;
    return 'use lower-case letters, digits, dashes and dots, with a letter or digit at both ends of each part';
  },
};

/**
 * Longest name in characters: `liqo-` and the name are the value of a label of its pods. Source: liqotech/liqo@v1.2.0
 * deployments/liqo/templates/_helpers.tpl (app.kubernetes.io/instance).
 */
const LONGEST_GATEWAY_NAME = 58;

/** The name of a GatewayServer or GatewayClient: a DNS label, because a Service's name contains it. */
export const GATEWAY_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the name of a gateway',
  hintFor: (text) =>
    DNS_LABEL.hintFor(text) ??
    (text.length > LONGEST_GATEWAY_NAME ? `use at most ${LONGEST_GATEWAY_NAME} characters` : undefined),
};

/**
 * Longest name in characters: with a dash and 12 digits of a hash it is the virtual kubelet's user, which is the value
 * of a label on every pod. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go,
 * pkg/webhooks/shadowpod.
 */
export const LONGEST_SLICE_NAME = 50;

/** The name of a ResourceSlice and of its virtual node. */
export const SLICE_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the name of a slice',
  hintFor: (text) =>
    DNS_LABEL.hintFor(text) ??
    (text.length > LONGEST_SLICE_NAME ? `use at most ${LONGEST_SLICE_NAME} characters` : undefined),
};

/**
 * Longest name in characters: it is the value of a label.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping.
 */
const LONGEST_CONFIGURATION_NAME = 63;

/** The name of a Configuration, which names of Networks, nodes' tables and routes contain. */
export const CONFIGURATION_NAME: TextFormat = {
  code: 'topology/bad-name',
  noun: 'the name of a Configuration',
  hintFor: (text) =>
    DNS_SUBDOMAIN.hintFor(text) ??
    (text.length > LONGEST_CONFIGURATION_NAME ? `use at most ${LONGEST_CONFIGURATION_NAME} characters` : undefined),
};

/**
 * The name of one cluster in Argo CD. The project of the applications reads it as a pattern, and a leading `!` as its
 * negation. Source: argoproj/argo-cd@v3.1.0 docs/user-guide/projects.md.
 */
export const ARGO_CLUSTER_NAME: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the name of one cluster in Argo CD',
  hintFor: (text) => {
    if (templateHint(text) !== undefined) return templateHint(text);
    if (text.trim() === '' || text.trim() !== text) return 'write the name as "argocd cluster list" shows it';
    return /^!|[*?[\]{}\\]/.test(text)
      ? 'write the whole name: Argo CD would read a pattern that other clusters match, too'
      : undefined;
  },
};

/** The name of the Secret of each gateway, in which `{peer}` is replaced by a cluster ID. */
export const SECRET_NAME_PATTERN: TextFormat = {
  code: 'topology/bad-name',
  noun: 'a name for the Secrets of gateways',
  hintFor: (text) => {
    const filled = secretNameFor(text, 'peer');
    if (SECRETS_OF_LIQO.test(filled)) return 'choose another name: Liqo has a Secret of that name there';
    return /[{}$]/.test(filled)
      ? `write ${PEER_PLACEHOLDER} for the cluster at the other end, as in gw-${PEER_PLACEHOLDER}; nothing else is filled in`
      : DNS_SUBDOMAIN.hintFor(filled);
  },
};

/**
 * Secrets of authentication in a tenant namespace. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/utils (nonce), pkg/identityManager (kubeconfigs).
 */
const SECRETS_OF_LIQO = /^(liqo-nonce|liqo-signed-nonce|kubeconfig-(controlplane|resourceslice)-.*)$/;

/** `keys.secretName` when the topology has none. */
export const DEFAULT_KEY_SECRET = 'gw-keys';

/** The placeholder for the cluster at the other end in `keys.secretName`. */
const PEER_PLACEHOLDER = '{peer}';

/** The name of the gateway's key Secret for a peer. */
export const secretNameFor = (pattern: string, peer: string): string => pattern.replaceAll(PEER_PLACEHOLDER, peer);
