import { hasPassword } from '../../../base/core/secrets.ts';
import { type TextFormat, templateHint } from './text-format.ts';

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

const SERVER = /^https?:\/\/[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:\d{1,5})?(\/[^\s*?[\]{}\\]*)?$/;

/**
 * The URL of an API server. Argo CD's project reads it as a pattern, in which the brackets of an IPv6 address do not
 * match themselves. Source: argoproj/argo-cd@v3.1.0 docs/user-guide/projects.md.
 */
export const SERVER_URL: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the URL of an API server',
  hintFor: (text) =>
    templateHint(text) ?? (SERVER.test(text) ? undefined : 'write it like https://rome.example.com:6443'),
};
