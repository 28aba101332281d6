import fc from 'fast-check';
import { expect } from 'vitest';
import type { Diagnostic } from '../../src/base/diagnostics/diagnostic.ts';
import type { Outcome } from '../../src/base/diagnostics/outcome.ts';
import { type Compiled, type CompileOptions, compile } from '../../src/compile.ts';
import { keysOf } from '../support/keys-of.ts';
import { lockSource, type TopologySpec, topologySource } from './topology-spec.ts';

export interface Decided extends Compiled {
  readonly diagnostics: readonly Diagnostic[];
}

/** Random edits replace clusters by others that look like them. */
export const WHOLE: CompileOptions = { relock: [], only: null, allowReplacements: true };

export function tryCompile(
  spec: TopologySpec,
  lock?: string,
  options: Partial<CompileOptions> = {},
): Outcome<Compiled> {
  const sources = {
    topology: topologySource(spec),
    keys: undefined,
    lock: lock === undefined ? undefined : lockSource(lock),
  };
  return compile(sources, { ...WHOLE, ...options });
}

/** The result of a valid topology. Invalid ones are not counted as a run; a lock that weft wrote is never a reason. */
export const compiled = (spec: TopologySpec, lock?: string, options: Partial<CompileOptions> = {}): Decided =>
  decidedBy(tryCompile(spec, lock, options));

export function decidedBy(result: Outcome<Compiled>): Decided {
  expectNoLockErrors(result.diagnostics);
  fc.pre(result.ok);
  return { ...result.value, diagnostics: result.diagnostics };
}

/** The result with keys, for facts that depend on working links. */
export function compiledWithKeys(spec: TopologySpec, hasKey?: Parameters<typeof keysOf>[1]): Decided {
  const topology = topologySource(spec);
  return decidedBy(compile({ topology, keys: keysOf(topology, hasKey), lock: undefined }, WHOLE));
}

export function expectNoLockErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter((it) => it.severity === 'error' && it.code.startsWith('lock/'));
  expect(errors.map((it) => `${it.code}: ${it.message}`)).toEqual([]);
}

/** The lines of a lock, by identity. */
export function decisionsIn(lock: string): ReadonlyMap<string, string> {
  return new Map([...lock.matchAll(/^ {2}(\S+): (\S+)$/gm)].map(([, key, value]) => [key as string, value as string]));
}

/** Identity of a decision whichever end of its link is named first. */
export function withoutDirection(key: string): string {
  const [first, second, what, ...rest] = key.split('/');
  if (what === undefined) return key;
  return [...[first, second].sort(), what, ...rest].join('/');
}

/** The decisions of a lock by identity, whichever end of a link comes first. */
export function undirected(lock: string): ReadonlyMap<string, string> {
  return new Map([...decisionsIn(lock)].map(([key, value]) => [withoutDirection(key), value]));
}

/** Decisions that the topology still needs, but that have another value now. */
export function moved(before: string, after: string): readonly string[] {
  const now = undirected(after);
  return [...undirected(before)].flatMap(([key, value]) => {
    const other = now.get(key);
    return other === undefined || other === value ? [] : [`${key}: ${value} -> ${other}`];
  });
}

/** Decisions of a lock that a diagnostic reports as changed. */
export function explained(before: string, diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  const spans = diagnostics
    .filter((it) => /^lock\/\w+-moved$/.test(it.code))
    .flatMap((it) => it.related.map(({ span }) => span))
    .filter((it) => it.source.path.endsWith('.lock.yaml'));
  return new Set(
    spans.map(({ start }) => {
      const line = before.lastIndexOf('\n', start) + 1;
      return withoutDirection(before.slice(line, before.indexOf(':', line)).trim());
    }),
  );
}
