import type { Code } from '../../src/base/diagnostics/codes.ts';
import { type Diagnostic, isAcceptable, type Subject } from '../../src/base/diagnostics/diagnostic.ts';
import type { Outcome } from '../../src/base/diagnostics/outcome.ts';
import { type Compiled, type CompileOptions, compile, type Sources } from '../../src/compile.ts';

interface Found {
  readonly diagnostics: readonly Diagnostic[];
  readonly model: Compiled['model'];
}

/** The sources with an entry of `accept` for each place that a compile of them has reported. */
export function compileAccepting(sources: Sources, found: Found, options: CompileOptions): Outcome<Compiled> {
  const acceptable = found.diagnostics.filter(({ code }) => isAcceptable(code));
  const entries = acceptable.flatMap(({ code, about = [[]] }) => about.map((it) => entryOf(code, it, found.model)));
  const text = `${sources.topology.text}\naccept: [${[...new Set(entries)].join(', ')}]\n`;
  return compile({ ...sources, topology: { ...sources.topology, text } }, options);
}

/** A cluster that is not declared cannot be named. */
function entryOf(code: Code, about: Subject | readonly [], { clusters }: Compiled['model']): string {
  const [cluster, other] = about.filter((it) => clusters.has(it)).sort();
  const where = cluster === undefined ? {} : other === undefined ? { cluster } : { link: [cluster, other] };
  return JSON.stringify({ code, ...where, reason: 'decided' });
}
