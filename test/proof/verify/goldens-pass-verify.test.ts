import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { compile } from '../../../src/compile.ts';
import { goldenNames } from '../../support/golden.ts';
import { compiledGolden, filesBelow, verifyCompiled, verifyFiles } from './verify-golden.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

const valid = goldenNames().filter((it) => !it.startsWith('invalid-'));

describe('verify', () => {
  it('has goldens to read', () => {
    expect(valid.length).toBeGreaterThan(20);
  });

  it.each(valid)('finds no error: %s', (golden) => {
    const found = verifyCompiled(compiledGolden(golden));
    expect(printDiagnostics(found, { paint: plainPaint, verbose: true })).toBe('');
  });

  it('finds no error in the example', () => {
    const read = (path: string) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });
    const sources = {
      topology: read('topologies/topology.yaml'),
      keys: existsSync(join(ROOT, 'topologies/topology.keys.yaml')) ? read('topologies/topology.keys.yaml') : undefined,
      lock: read('topologies/topology.lock.yaml'),
    };
    const compiled = compile(sources, { relock: [], only: null });
    if (!compiled.ok) throw new Error('the example does not compile');
    const found = verifyFiles(compiled.value, filesBelow(join(ROOT, 'out')), sources.lock.text);
    expect(printDiagnostics(found, { paint: plainPaint, verbose: true })).toBe('');
  });
});
