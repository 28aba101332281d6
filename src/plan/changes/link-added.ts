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
    const [port, secrets] = [before('open-port'), together('provide-secrets')];
    if (!is.areLinked(...ends))
      return harmless('add', 'carries-nothing-without-keys', before('generate-keys'), port, secrets);
    return was.reach(...ends)
      ? harmless('add', 'beside-the-way-through-others', port, secrets)
      : harmless('add', 'unused-so-far', port, secrets);
  },
  flows: ({ link }, context) => flowsThatGain(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});
