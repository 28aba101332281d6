import { changeKind } from '../change-kind.ts';
import { flowsThatGain } from '../flows-through.ts';
import { linkFiles } from '../link-files.ts';
import { aboutLink } from '../subject.ts';
import { after, before, harmless, together } from '../verdict.ts';

export const linkAdded = changeKind('link-added')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: null,
  judge: ({ link: { ends, sides } }, { was, is, asked }) => {
    const port = before('open-port');
    const mayDiffer = [...sides.values()].some(
      (it) => asked.ofOthersAgain(it.cluster, it.peer) || asked.takenFromLeavers.has(it.cluster),
    );
    // What is asked for again at the same time may get other addresses, and so may this link.
    const rest = [together('provide-secrets'), ...(mayDiffer ? [after('compare-views')] : [])];
    if (!is.areLinked(...ends))
      return harmless('add', 'carries-nothing-without-keys', before('generate-keys'), port, ...rest);
    return was.reach(...ends)
      ? harmless('add', 'beside-the-way-through-others', port, ...rest)
      : harmless('add', 'unused-so-far', port, ...rest);
  },
  flows: ({ link }, context) => flowsThatGain(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});
