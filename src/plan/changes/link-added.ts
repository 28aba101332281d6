import { changeKind } from '../change-kind.ts';
import { flowsThatGain } from '../flows-through.ts';
import { linkFiles } from '../link-files.ts';
import { aboutLink } from '../subject.ts';
import { before, harmless, together } from '../verdict.ts';

export const linkAdded = changeKind('link-added')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: null,
  judge: ({ link: { ends } }, { was, is }) => {
    const secrets = together('provide-secrets');
    if (!is.areLinked(...ends))
      return harmless('add', 'carries-nothing-without-keys', before('generate-keys'), secrets);
    return was.reach(...ends)
      ? harmless('add', 'beside-the-way-through-others', secrets)
      : harmless('add', 'unused-so-far', secrets);
  },
  flows: ({ link }, context) => flowsThatGain(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});
