import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS } from '../command-table.ts';
import { isTopologyPath } from '../is-topology-path.ts';

/**
 * The topology in a command line that is not yet complete; `undefined` for the default one.
 *
 * @param words after `weft`, as the shell takes them apart: bash also at an equals sign.
 */
export function topologyAmong(words: readonly string[]): string | undefined {
  const spec = COMMANDS.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (spec === undefined) return undefined;
  const [first, ...rest] = positionals(spec, words.slice(spec.name.split(' ').length));
  return takesOnlyTopology(spec) ? first : [first, ...rest].find(isTopologyPath);
}

/** Then its topology needs not look like a path. */
const takesOnlyTopology = ({ args }: CommandSpec): boolean => args.length === 1 && args[0]?.name === 'topology';

/** The words that are no options and no values of options. */
function positionals(spec: CommandSpec, words: readonly string[]): readonly string[] {
  const options = [...spec.options, ...GLOBAL_OPTIONS].filter((it) => 'value' in it);
  const withValue = new Set(options.flatMap((it) => [`--${it.long}`, ...('short' in it ? [`-${it.short}`] : [])]));
  const found: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (withValue.has(word)) i += words[i + 1] === '=' ? 2 : 1;
    else if (!word.startsWith('-')) found.push(word);
  }
  return found;
}
