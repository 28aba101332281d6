import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Located } from '../../base/source/source.ts';
import { type Decisions, namesInDecisions, renameDecisions } from '../lock/decisions.ts';
import type { Declaration } from '../topology/declaration.ts';
import type { IdentitiesDocument } from '../topology/parse-identities.ts';
import { type KeysDocument, namesInKeys } from '../topology/parse-keys.ts';

/** A topology, with the recorded facts about its clusters. */
interface Inputs {
  readonly declaration: Declaration;
  readonly decisions: Decisions;
  readonly keys: KeysDocument | undefined;
  readonly identities: IdentitiesDocument | undefined;
}

/** The decisions and public keys of renamed clusters under their new names, so that a rename moves none of them. */
export function applyRenames(inputs: Inputs): Outcome<Inputs> {
  const { declaration, decisions, keys } = inputs;
  const renamed = declaration.clusters.flatMap(({ name, renamedFrom: from }) =>
    from === null ? [] : [{ name, from }],
  );
  if (renamed.length === 0) return outcome(inputs);
  const names = new Map(renamed.map(({ name, from }) => [from.value, name]));
  const [inLock, inKeys] = [namesInDecisions(decisions), namesInKeys(keys)];
  const found = renamed
    .filter(({ from }) => !inLock.has(from.value))
    .map(({ name, from }) => (inKeys.has(from.value) ? onlyInKeys(name, from) : nowhere(name, from)));
  return outcome(
    {
      ...inputs,
      decisions: renameDecisions(decisions, names),
      keys: keys && { ...keys, reading: keys.reading.renamed('keys', names) },
    },
    found,
  );
}

const nowhere = (name: string, from: Located<string>): Diagnostic =>
  diagnostic(
    'topology/rename-finished',
    from.at,
    `neither the lock nor the keys file contains ${quoted(from.value)}, the former name of ${quoted(name)}`,
    { about: [[name]], hint: 'remove `renamedFrom`, unless the name is misspelt' },
  );

const onlyInKeys = (name: string, from: Located<string>): Diagnostic =>
  diagnostic(
    'topology/rename-finished',
    from.at,
    `only the keys file still contains ${quoted(from.value)}, the former name of ${quoted(name)}`,
    {
      about: [[name]],
      hint: 'run "weft keys generate", which writes the keys under the new name, and then remove `renamedFrom`',
    },
  );
