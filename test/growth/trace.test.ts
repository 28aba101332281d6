import { expect, it } from 'vitest';
import type { Outcome } from '../../src/base/diagnostics/outcome.ts';
import type { Compiled } from '../../src/compile.ts';
import { benchFleet } from '../bench/fleet.ts';
import { fasterThanInput } from './faster-than-input.ts';

const source = (text: string) => ({ path: 'topology.yaml', text });

interface Texts {
  readonly topology: string;
  readonly keys?: string;
}

async function loadCompiler() {
  const { compile } = await import('../../src/compile.ts');
  return ({ topology, keys }: Texts): Compiled => {
    const sources = {
      topology: source(topology),
      keys: keys === undefined ? undefined : source(keys),
      lock: undefined,
    };
    const compiled: Outcome<Compiled> = compile(sources, { relock: [], only: [], withoutAssertions: true });
    if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
    return compiled.value;
  };
}

/** Derived facts are cached with the model, so each of the two runs of a job gets a model of its own. */
function modelsOf<T>(make: () => T): () => T {
  const made = [make(), make()];
  return () => made.pop() ?? make();
}

it('counts the pairs of a fleet in work that grows with its links', async () => {
  const load = async () => {
    const compiled = await loadCompiler();
    const { traceAll } = await import('../../src/reach/trace/trace-all.ts');
    const { printTraceMatrix } = await import('../../src/answers/report/trace-pairs.ts');
    const { plainPaint } = await import('../../src/answers/report/paint.ts');
    return (links: number) => {
      const next = modelsOf(() => compiled(benchFleet(links)).model);
      return () => expect(printTraceMatrix(traceAll(next()), plainPaint)).toContain('not at all');
    };
  };
  expect(await fasterThanInput(404, load)).toEqual([]);
});

it('prints every pair in work that is the same for each', async () => {
  const load = async () => {
    const compiled = await loadCompiler();
    const { traceAll } = await import('../../src/reach/trace/trace-all.ts');
    const { printPairsJson } = await import('../../src/answers/report/trace-pairs.ts');
    // Twice as many hubs have four times as many pairs.
    return (pairs: number) => {
      const next = modelsOf(() => compiled(benchFleet(101 * Math.sqrt(pairs))).model);
      return () => {
        for (const part of printPairsJson(traceAll(next()).pairs, { before: {}, after: {} })) expect(part).not.toBe('');
      };
    };
  };
  expect(await fasterThanInput(16, load)).toEqual([]);
});

/** Two assertions for each leaf: one names it, one selects it by a label. */
function assertedFleet(links: number): Texts {
  const { topology, keys } = benchFleet(links);
  const rows = [...topology.matchAll(/^ {2}(leaf-(\d+)-\d+): \{/gm)].flatMap(([, leaf, hub]) => [
    `  - { from: ${leaf}, to: hub-${hub}, expect: reachable }`,
    `  - { from: hub-${hub}, to: { site: ${leaf} }, expect: reachable }`,
  ]);
  const labelled = topology.replace(/^ {2}(leaf-\d+-\d+): \{/gm, '  $1: { labels: { site: $1 },');
  return { topology: `${labelled}\nassertions:\n${rows.join('\n')}\n`, keys };
}

it('decides assertions about few clusters in work that grows with the assertions', async () => {
  const load = async () => {
    const compiled = await loadCompiler();
    const { decideAssertions } = await import('../../src/reach/trace/decide-assertions.ts');
    return (links: number) => {
      const next = modelsOf(() => compiled(assertedFleet(links)));
      return () => {
        const { model, inputs } = next();
        expect(decideAssertions(model, inputs.declaration.assertions)).toMatchObject({ ok: true, diagnostics: [] });
      };
    };
  };
  expect(await fasterThanInput(404, load)).toEqual([]);
});
