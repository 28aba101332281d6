import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { type Source, type Span, startOf } from '../source/source.ts';

export interface Comparison {
  /** By path, as they were read. */
  readonly sources: ReadonlyMap<string, Source>;
  /** What the topology compiles to, by the same paths. */
  readonly compiled: ReadonlyMap<string, string>;
  /** Paths of sources about which something was said already. */
  readonly told: ReadonlySet<string>;
}

/** The last promise: the files are, byte for byte, what the topology compiles to. Says nothing about files with other faults. */
export function* compareWithCompiled({ sources, compiled, told }: Comparison): Iterable<Diagnostic> {
  for (const [path, text] of [...compiled].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const source = sources.get(path);
    if (!source || source.text === text || told.has(source.path)) continue;
    const { at, wanted } = firstDifference(source, text);
    yield diagnostic('verify/differs', at, 'this is not what the topology compiles to', {
      hint:
        wanted === undefined
          ? 'the compiled file ends here'
          : `compiled it is: ${wanted.trim() === '' ? '(an empty line)' : wanted.trim()}`,
    });
  }
  for (const [path, source] of sources) {
    if (compiled.has(path) || told.has(source.path) || !path.includes('/')) continue;
    if (!/\.(ya?ml|json|nft)$/.test(path)) continue;
    yield diagnostic('verify/differs', startOf(source), 'the topology compiles to no such file', {
      hint: 'run weft compile, which removes what it no longer writes',
    });
  }
}

interface Difference {
  readonly at: Span;
  /** The line as it should be; `undefined` where there should be none. */
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
