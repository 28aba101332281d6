import { templateHint } from './template-hint.ts';
import type { TextFormat } from './text-format.ts';

// A host that begins with a dash would be an option of ssh.
const URL_FORM =
  /^(https?|ssh|git):\/\/([^\s/@-][^\s/@]*@)?(\[[0-9a-fA-F:]+\]|[A-Za-z0-9][-A-Za-z0-9._]*)(:\d{1,5})?(\/[^\s*?[\]{}\\]*)?$/;

/** `git@host:path`, the form of git for ssh. */
const SHORT_FORM = /^[A-Za-z0-9][-A-Za-z0-9._]*@[A-Za-z0-9][-A-Za-z0-9._]*:(?!\/\/)[^\s*?[\]{}\\-][^\s*?[\]{}\\]*$/;

/** The address of a git repository. Argo CD's project reads it as a pattern, so it has none of the characters of one. */
export const REPOSITORY_URL: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the URL of a git repository',
  hintFor: (text) => {
    const example = 'write it like https://github.com/example/network.git or git@github.com:example/network.git';
    return templateHint(text) ?? (URL_FORM.test(text) || SHORT_FORM.test(text) ? undefined : example);
  },
};
