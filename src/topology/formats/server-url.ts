import { templateHint } from './template-hint.ts';
import type { TextFormat } from './text-format.ts';

const SERVER =
  /^https?:\/\/(\[[0-9a-fA-F:]+\]|[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?)(:\d{1,5})?(\/[^\s*?[\]{}\\]*)?$/;

/** The URL of an API server. Argo CD's project reads it as a pattern, so it has none of the characters of one. */
export const SERVER_URL: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the URL of an API server',
  hintFor: (text) =>
    templateHint(text) ?? (SERVER.test(text) ? undefined : 'write it like https://rome.example.com:6443'),
};
