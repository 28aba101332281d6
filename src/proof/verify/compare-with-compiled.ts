import { countOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { sameDocuments } from '../../base/source/read-yaml-documents.ts';
import { type Source, type Span, startOf } from '../../base/source/source.ts';

interface Comparison {
  /** The files, by path. */
  readonly sources: ReadonlyMap<string, Source>;
  /** The files that the topology compiles to, by the same paths. */
  readonly compiled: ReadonlyMap<string, string>;
  /** Paths of sources for which an error is already reported. */
  readonly reported: ReadonlySet<string>;
  /** True where every line has a key of its own, as in the lock. */
  readonly keyed?: boolean;
}

/**
 * The last check: the files equal those that the topology compiles to, byte for byte. Files with other errors are
 * skipped.
 */
export function* compareWithCompiled({ sources, compiled, reported, keyed = false }: Comparison): Iterable<Diagnostic> {
  for (const [path, text] of compiled) {
    const source = sources.get(path);
    if (!source || source.text === text || reported.has(source.path)) continue;
    const { at, found, wanted } = firstDifference(source, text);
    const how = howItDiffers(source, { path: source.path, text });
    const keepAway = how === ONLY_LAYOUT ? '; keep formatters away from this folder' : '';
    yield diagnostic('verify/differs', at, `the file differs from what the topology compiles to${how}`, {
      hint: `run "weft compile" to restore it: ${(keyed ? moved(found, wanted, text) : undefined) ?? restored(found, wanted)}${keepAway}`,
    });
  }
  for (const [path, source] of sources) {
    if (compiled.has(path) || reported.has(source.path) || !path.includes('/')) continue;
    if (!/\.(ya?ml|json|nft)$/.test(path)) continue;
    yield diagnostic('verify/differs', startOf(source), 'the topology compiles to no such file', {
      hint: 'run "weft compile" to remove it',
    });
  }
}

const ONLY_LAYOUT = ' only in its layout: the objects in it are the same';

/** The kind of difference; empty when the content differs, which is what most users expect. */
function howItDiffers(source: Source, compiled: Source): string {
  if (sameDocuments(source, compiled)) return ONLY_LAYOUT;
  const isWhiteSpace = withoutWhiteSpace(source.text) === withoutWhiteSpace(compiled.text);
  return isWhiteSpace ? ' only in white space, which changes its meaning' : '';
}

const withoutWhiteSpace = (text: string): string => text.replace(/\s+/g, '');

/** The text about a line that is too much, or before which another is missing; `undefined` if only the value differs. */
function moved(found: string, wanted: string | undefined, text: string): string | undefined {
  const key = keyOf(found);
  if (wanted === undefined || key === keyOf(wanted)) return undefined;
  const isCompiled = text.split('\n').some((it) => keyOf(it) === key);
  return isCompiled ? `before it, the line \`${wanted.trim()}\` is missing` : 'the compiled file has no such line';
}

const keyOf = (line: string): string => line.trim().split(': ', 1)[0] ?? '';

/** The compiled line at the position of a difference, as a text. */
function restored(found: string, wanted: string | undefined): string {
  if (wanted === undefined) return 'the compiled file ends here';
  if (wanted.trim() === '') return 'the compiled line is empty';
  if (wanted.trim() !== found.trim()) return `the compiled line is \`${wanted.trim()}\``;
  return wanted.trimStart() === found.trimStart()
    ? `the compiled line begins with ${countOf(margin(wanted), 'space')}, this one with ${marginText(found)}`
    : 'the compiled line has no white space at its end';
}

const margin = (line: string): number => line.length - line.trimStart().length;

const marginText = (line: string): string =>
  line.slice(0, margin(line)).includes('\t') ? 'a tab' : String(margin(line));

interface Difference {
  readonly at: Span;
  readonly found: string;
  /** The compiled line; `undefined` after the end of the compiled file. */
  readonly wanted: string | undefined;
}

function firstDifference(source: Source, compiled: string): Difference {
  const [found, wanted] = [source.text.split('\n'), compiled.split('\n')];
  const line = found.findIndex((it, i) => it !== wanted[i]);
  const at = line === -1 ? found.length - 1 : line;
  const start = found.slice(0, at).reduce((sum, it) => sum + it.length + 1, 0);
  const span = { source, start, end: start + (found[at] ?? '').length };
  return { at: span, found: found[at] ?? '', wanted: line === -1 ? wanted[found.length] : wanted[at] };
}
