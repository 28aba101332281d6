import { hasPassword } from '../../../base/core/secrets.ts';
import { type TextFormat, templateHint } from './text-format.ts';

// ssh would read a host that begins with a dash as an option.
const URL_FORM =
  /^(https?|ssh|git):\/\/([^\s/@-][^\s/@]*@)?(\[[0-9a-fA-F:]+\]|[A-Za-z0-9][-A-Za-z0-9._]*)(:\d{1,5})?(\/[^\s*?[\]{}\\]*)?$/;

/** `git@host:path`, the form of git for ssh. */
const SHORT_FORM = /^[A-Za-z0-9][-A-Za-z0-9._]*@[A-Za-z0-9][-A-Za-z0-9._]*:(?!\/\/)[^\s*?[\]{}\\-][^\s*?[\]{}\\]*$/;

/** The address of a git repository, without pattern characters, because Argo CD's project reads it as a pattern. */
export const REPOSITORY_URL: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the URL of a git repository',
  hintFor: (text) => {
    const example = 'write it like https://github.com/example/network.git or git@github.com:example/network.git';
    if (!URL_FORM.test(text) && !SHORT_FORM.test(text)) return templateHint(text) ?? example;
    const [, repository] = PAGE.exec(text) ?? [];
    if (repository !== undefined)
      return `write ${repository}, and the branch and the folder in \`gitops.revision\` and \`gitops.path\``;
    return templateHint(text) ?? (NO_REPOSITORY.test(text) ? example : undefined);
  },
};

/** A page about a repository: one of its folders or commits, or a part of the page. */
const PAGE =
  /^(https?:\/\/(?:github\.com\/[^/#]+\/[^/#]+(?=\/(?:tree|blob|commits?)\/)|[^#]+?(?=\/-\/(?:tree|blob|commits?)\/)|[^#]+(?=#)))./;

/** A public forge, or an account of it, without one of its repositories. */
const NO_REPOSITORY =
  /^[a-z]+:\/\/([^/@]*@)?(www\.)?(github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)(\/+[^/]*)?\/*$/;

/** A folder of a git repository, from its root. Argo CD and Flux refuse a folder outside it. */
export const REPOSITORY_PATH: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a folder inside the repository',
  hintFor: (text) => {
    const parts = text.split('/').filter((it) => it !== '' && it !== '.');
    const inside = parts.filter((it) => it !== '..').join('/');
    if (text.startsWith('/') || parts.includes('..')) {
      return `write the folder from the root of the repository, like ${/^[\w./-]+$/.test(inside) ? inside : 'out'}`;
    }
    if (text.startsWith('-')) return 'write ./ in front: tools would read a leading dash as an option';
    if (text.includes('\\')) return 'write / between folders';
    if (parts.includes('.git')) return 'choose another folder: git never stores files in .git';
    if (parts.some((it) => it.trim() !== it)) return 'remove the space at the beginning or the end of a name';
    return templateHint(text);
  },
};

/** Characters and names that a git reference must not have. Source: git/git@v2.47.0 refs.c. */
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(^|\/)\.|\.lock($|\/)|^@$/u;

/** A branch, a tag or a commit that git does not read as an option, a range or a pattern. */
export const GIT_REVISION: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a branch, a tag or a commit',
  hintFor: (text) => {
    if (text.startsWith('-')) return 'remove the dash in front: git would read an option';
    if (text !== '' && !FORBIDDEN.test(text)) return templateHint(text);
    return templateHint(text) ?? 'write one name, like main, v1.4.0 or refs/heads/main';
  },
};

/**
 * A Flux release in `gitops.flux.version`: major and minor version. Before 2.5 its API has no `healthCheckExprs` and no
 * `deletionPolicy`, and refuses the Kustomizations. Source: fluxcd/kustomize-controller@v1.5.0 CHANGELOG.md.
 */
export const FLUX_RELEASE: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a release of Flux 2, from 2.5 on',
  hintFor: (text) => {
    const [, minor] = /^2\.(\d+)$/.exec(text) ?? [];
    if (minor === undefined) return 'write the major and the minor version in quotes, like "2.7"';
    return Number(minor) < 5 ? 'run Flux 2.5 or newer, and write its version in quotes' : undefined;
  },
};

const REGISTRY_HOST = /^[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:\d{1,5})?$/;
const REGISTRY_FOLDER = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;

/** Longest name of an image repository in characters, without its tag; weft appends `/gateway/wireguard`. */
const LONGEST_REGISTRY = 255 - '/gateway/wireguard'.length;

/**
 * A host with or without a port, then folders. Source: distribution/reference@v0.6.0 regexp.go, and the limit in
 * reference.go.
 */
export const IMAGE_REGISTRY: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a registry with folders',
  hintFor: (text) => {
    if (/^[a-z]+:\/\//i.test(text)) return 'remove the scheme: write it like registry.example.com/liqo';
    if (text.endsWith('/')) return 'remove the slash at the end';
    if (text.length > LONGEST_REGISTRY) return `use at most ${LONGEST_REGISTRY} characters`;
    const [host = '', ...folders] = text.split('/');
    // Without a dot or a port, the first part is a folder of the default registry.
    const isHost = /[.:]/.test(host) || host === 'localhost';
    if ((isHost ? REGISTRY_HOST : REGISTRY_FOLDER).test(host) && folders.every((it) => REGISTRY_FOLDER.test(it)))
      return undefined;
    return 'write a host and folders in lower-case letters, like registry.example.com/liqo';
  },
};

/** The tag of an image. Source: distribution/reference@v0.6.0 regexp.go. */
export const IMAGE_TAG: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the tag of an image',
  hintFor: (text) =>
    /^\w[\w.-]{0,127}$/.test(text)
      ? undefined
      : 'use at most 128 letters, digits, dashes, dots and underscores, like v1.2.0',
};

const ADDRESS =
  /^(?:https:\/\/)?([A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?(?:\/[^\s?#]*)?$/;

/** Hosts that liqoctl refuses, since each host is its own. Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/validation.go. */
const LOCAL = /^(localhost|127\..*|0\.0\.0\.0|\[::1?\])$/i;

/**
 * The address of an API server for peers. Liqo adds `https://` if it is missing. Source: liqotech/liqo@v1.2.0
 * pkg/utils/apiserver/address.go.
 */
export const API_SERVER_ADDRESS: TextFormat = {
  code: 'topology/bad-address',
  noun: 'the address of an API server',
  hintFor: (text) => {
    const example = 'write it like https://milan.example.com:6443';
    if (hasPassword(text)) return 'remove the password: peers have certificates of their own';
    if (/^http:/i.test(text)) return 'write it with https://, the only protocol that Liqo uses';
    const [, host = '', port] = ADDRESS.exec(text) ?? [];
    if (host === '') return templateHint(text) ?? example;
    if (LOCAL.test(host)) return 'use an address at which other clusters reach it';
    return port !== undefined && (Number(port) < 1 || Number(port) > 65_535) ? example : undefined;
  },
};

const SERVER = /^https?:\/\/([A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?)(:\d{1,5})?(\/[^\s*?[\]{}\\]*)?$/;

/**
 * The URL of an API server. Argo CD's project reads it as a pattern, in which the brackets of an IPv6 address do not
 * match themselves. Source: argoproj/argo-cd@v3.1.0 docs/user-guide/projects.md.
 */
export const SERVER_URL: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the URL of an API server',
  hintFor: (text) => {
    const [, host = ''] = SERVER.exec(text) ?? [];
    if (host === '') return templateHint(text) ?? 'write it like https://rome.example.com:6443';
    return LOCAL.test(host) ? 'use an address at which Argo CD reaches it' : templateHint(text);
  },
};

/**
 * The cluster of Argo CD itself has two names. Source: argoproj/argo-cd@v3.1.0
 * docs/operator-manual/declarative-setup.md (in-cluster), pkg/apis/application/v1alpha1/types.go (KubernetesInternalAPIServerAddr).
 */
const IN_CLUSTER = 'in-cluster';

const DEFAULT_PORT = /^(https:\/\/.*):443$|^(http:\/\/.*):80$/;

const OWN_API_SERVER = /^https:\/\/kubernetes\.default(\.svc(\.cluster\.local)?)?$/;

/** One text for all URLs of an API server that differ in case, default port, final dot or final slash only. */
export function sameServer(url: string): string {
  const [, origin = url, path = ''] = /^([a-z]+:\/\/[^/]*)(.*)$/i.exec(url) ?? [];
  const lower = origin.toLowerCase();
  const host = lower.replace(DEFAULT_PORT, '$1$2').replace(/\.$/, '');
  if (OWN_API_SERVER.test(host)) return IN_CLUSTER;
  return `${host}${withoutSlashes(path)}`;
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
