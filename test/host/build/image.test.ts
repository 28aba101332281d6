import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The stages of .github/Dockerfile, each with its instructions in order. */
const stages: readonly (readonly Instruction[])[] = read('.github/Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .map((stage) => [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', value = '']) => ({ name, value })));

const [packing = [], image = []] = stages;

const valuesOf = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((it) => it.name === name).map((it) => it.value);

describe('the container file', () => {
  it('has a Node that weft runs on in both stages, the same one', () => {
    const oldest = /^>=(\d+)/.exec(JSON.parse(read('package.json')).engines.node)?.[1];
    expect(stages).toHaveLength(2);
    const bases = stages.map((it) => valuesOf(it, 'FROM')[0]?.split(' ')[0] ?? '');
    expect(new Set(bases).size).toBe(1);
    const [, major] = /\/node:(\d+)-slim$/.exec(bases[0] ?? '') ?? [];
    expect(Number(major)).toBeGreaterThan(Number(oldest));
  });

  it('installs the package without the network, and takes over what is installed', () => {
    const { name } = JSON.parse(read('package.json'));
    const [[from = '', folder = ''] = []] = valuesOf(packing, 'COPY').map((it) => it.split(' '));
    expect(from).toBe(`${name}-*.tgz`);
    const [, prefix, tarball] =
      /^npm install --global --offline --prefix (\S+) (\S+)$/.exec(valuesOf(packing, 'RUN')[0] ?? '') ?? [];
    expect(tarball).toBe(`${folder}${from}`);
    expect(valuesOf(image, 'COPY')).toEqual([`--from=package ${prefix} ${prefix}`]);
    expect(valuesOf(image, 'ENV')).toEqual([`PATH=${prefix}/bin:$PATH`]);
  });

  it('has git, which weft runs, and which trusts every checkout', () => {
    const [steps = ''] = valuesOf(image, 'RUN');
    expect(steps).toMatch(/apt-get install .*\bgit\b/);
    expect(steps).toContain("git config --system --add safe.directory '*'");
  });

  it('runs weft as a user without rights, which nothing after it needs', () => {
    expect(valuesOf(image, 'USER')).toEqual(['node']);
    const user = image.findIndex((it) => it.name === 'USER');
    expect(user).toBeGreaterThan(image.findLastIndex((it) => ['RUN', 'COPY'].includes(it.name)));
    expect(valuesOf(image, 'ENTRYPOINT')).toEqual(['["weft"]']);
  });

  it('is built on pages and by the release as its first lines show', () => {
    const built =
      'mkdir -p package && npm pack --pack-destination package && docker build --tag weft --file .github/Dockerfile package';
    for (const path of ['.github/Dockerfile', 'docs/pull-requests.md']) expect(read(path)).toContain(built);
    expect(read('.github/workflows/release.yml')).toContain(' --file .github/Dockerfile release\n');
  });
});
