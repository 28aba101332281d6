import { templateHint } from './template-hint.ts';
import type { TextFormat } from './text-format.ts';

/** What the name of a reference must not contain, and what it must not be. Source: git/git@v2.47.0 refs.c. */
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
