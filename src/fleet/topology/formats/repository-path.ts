import { templateHint } from './template-hint.ts';
import type { TextFormat } from './text-format.ts';

/** A folder of a git repository, from its root. Argo CD and Flux refuse a folder outside of it. */
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
