import { changeKind } from '../change-kind.ts';
import { flowsThatGain } from '../flows-through.ts';
import { linkFiles } from '../link-files.ts';
import { aboutLink } from '../subject.ts';
import { harmless } from '../verdict.ts';

export const linkAdded = changeKind('link-added')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: null,
  judge: ({ link: { ends } }, { was, is }) => {
    if (!is.areLinked(...ends)) return harmless('add', 'carries-nothing-without-keys');
    return was.reach(...ends) ? harmless('add', 'beside-the-way-through-others') : harmless('add', 'unused-so-far');
  },
  flows: ({ link }, context) => flowsThatGain(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});
