import { render } from '../../../base/text/render.ts';
import type { CompletionWords, Offer } from './completion-words.ts';

/** A completion script for PowerShell 5 and later. Without words, PowerShell completes file names itself. */
export function printPowershell({ commands, first, groups }: CompletionWords): string {
  return render('cli/completion/powershell', {
    words: [
      { key: quoted(''), list: listOf([...first.map((it) => it.word), 'help']) },
      ...groups.map((it) => ({ key: quoted(it.name), list: listOf(it.second.map((other) => other.word)) })),
      ...commands.flatMap(({ name, argument }) =>
        argument.kind === 'words' ? [{ key: quoted(name), list: listOf(argument.words) }] : [],
      ),
    ],
    options: commands.map(({ name, options }) => ({
      key: quoted(name),
      list: listOf(options.flatMap((it) => it.names)),
    })),
    values: commands.flatMap(({ name, options }) =>
      options.flatMap(({ names, value }) =>
        value?.kind === 'words' ? names.map((it) => ({ key: quoted(`${name} ${it}`), list: valueList(value) })) : [],
      ),
    ),
    names: listOf([...groups.map((it) => it.name), ...commands.map((it) => it.name)]),
  });
}

const valueList = (it: Offer): string => listOf(it.kind === 'words' ? it.words : []);
const listOf = (words: readonly string[]): string => `@(${words.map(quoted).join(', ')})`;
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
