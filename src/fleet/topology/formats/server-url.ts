import { templateHint } from './template-hint.ts';
import type { TextFormat } from './text-format.ts';

const SERVER = /^https?:\/\/[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:\d{1,5})?(\/[^\s*?[\]{}\\]*)?$/;

/**
 * The URL of an API server. Argo CD's project reads it as a pattern, in which even the brackets of an IPv6 address do not
 * match themselves. Source: argoproj/argo-cd@v3.1.0 docs/user-guide/projects.md.
 */
export const SERVER_URL: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the URL of an API server',
  hintFor: (text) =>
    templateHint(text) ?? (SERVER.test(text) ? undefined : 'write it like https://rome.example.com:6443'),
};
