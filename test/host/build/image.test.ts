import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The instructions of the container file in docs/pull-requests.md, in order. */
const instructions = [
  ...(/```dockerfile\n([^`]*)```/.exec(read('docs/pull-requests.md'))?.[1] ?? '').matchAll(/^([A-Z]+) (.*)$/gm),
].map(([, name = '', value = '']) => ({ name, value }));
const valuesOf = (name: string): readonly string[] =>
  instructions.filter((it) => it.name === name).map((it) => it.value);

describe('the container file in docs/pull-requests.md', () => {
  it('begins with a Node that weft runs on', () => {
    const oldest = /^>=(\d+)/.exec(JSON.parse(read('package.json')).engines.node)?.[1];
    const [, major] = /\/node:(\d+)-slim$/.exec(instructions[0]?.value ?? '') ?? [];
    expect(instructions[0]?.name).toBe('FROM');
    expect(Number(major)).toBeGreaterThan(Number(oldest));
  });

  it('installs git, which weft runs, and the tarball that it copies', () => {
    const steps = valuesOf('RUN').join('\n');
    expect(steps).toMatch(/apt-get install .*\bgit\b/);
    const [tarball = '', folder] = valuesOf('COPY')[0]?.split(' ') ?? [];
    expect(tarball).toMatch(/\.tgz$/);
    expect(steps).toContain(`npm install --global ${folder}${tarball} `);
  });

  it('runs weft as a user without rights', () => {
    expect(valuesOf('USER')).toEqual(['node']);
    expect(instructions.findIndex((it) => it.name === 'USER')).toBeGreaterThan(
      instructions.findLastIndex((it) => it.name === 'RUN'),
    );
  });
});
