import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { type Source, type Span, startOf } from '../source/source.ts';

interface Comparison {
  /** The files, by path. */
  readonly sources: ReadonlyMap<string, Source>;
  /** The files that the topology compiles to, by the same paths. */
  readonly compiled: ReadonlyMap<string, string>;
  /** Paths of sources for which an error is already reported. */
  readonly reported: ReadonlySet<string>;
}

/**
 * The last check: the files equal, byte for byte, those that the topology compiles to. Skips files with other errors.
 */
export function* compareWithCompiled({ sources, compiled, reported }: Comparison): Iterable<Diagnostic> {
  for (const [path, text] of compiled) {
    const source = sources.get(path);
    if (!source || source.text === text || reported.has(source.path)) continue;
    const { at, wanted } = firstDifference(source, text);
    yield diagnostic('verify/differs', at, 'the file differs from what the topology compiles to', {
      hint: `run "weft compile" to restore it: ${restored(wanted)}`,
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

/** The compiled line at the place of a difference. */
function restored(line: string | undefined): string {
  if (line === undefined) return 'the compiled file ends here';
  return line.trim() === '' ? 'the compiled line is empty' : `the compiled line is \`${line.trim()}\``;
}

interface Difference {
  readonly at: Span;
  /** The compiled line; `undefined` after the end of the compiled file. */
  readonly wanted: string | undefined;
}

function firstDifference(source: Source, compiled: string): Difference {
  const [found, wanted] = [source.text.split('\n'), compiled.split('\n')];
  const line = found.findIndex((it, i) => it !== wanted[i]);
  const at = line === -1 ? found.length - 1 : line;
  const start = found.slice(0, at).reduce((sum, it) => sum + it.length + 1, 0);
  const span = { source, start, end: start + (found[at] ?? '').length };
  return { at: span, wanted: line === -1 ? wanted[found.length] : wanted[at] };
}
