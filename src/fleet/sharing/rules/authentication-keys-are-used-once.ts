import { groupBy } from '../../../base/core/group-by.ts';
import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { recordedEntries } from '../recorded-entries.ts';
import type { SharingRule } from './sharing-rule.ts';

/** Every cluster authenticates with a key of its own, in whatever form it is recorded. */
export const authenticationKeysAreUsedOnce: SharingRule = function* ({ inputs }) {
  const entries = recordedEntries(inputs).filter((it) => it.key !== undefined);
  for (const [, [first, ...others]] of groupBy(entries, (it) => [it.key?.pem ?? ''])) {
    for (const it of first === undefined ? [] : others) {
      const message = `${quoted(first?.cluster.value ?? '')} and ${quoted(it.cluster.value)} have the same authentication key`;
      yield diagnostic('keys/authentication-used-twice', it.publicKey.at, message, {
        hint: 'remove the entry that is wrong and run "weft keys generate --replace": each cluster needs a key of its own',
        related: first && [{ message: 'the same key appears here', span: first.publicKey.at }],
      });
    }
  }
};
