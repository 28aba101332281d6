import { describe, expect, it } from 'vitest';
import type { Answer, FormatOf } from '../../../src/answers/report/answer.ts';
import { type Diagnostic, diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { type Source, startOf } from '../../../src/base/source/source.ts';
import { show, showUnanswered } from '../../../src/host/front/show.ts';
import { memoryHost } from '../cli/memory-host.ts';

const source: Source = { path: 'topology.yaml', text: 'clusters: {}\n' };
const error: Diagnostic = diagnostic('source/not-text', startOf(source), 'it is broken');
const note: Diagnostic = diagnostic('keys/missing', startOf(source), 'it is unusual');
const other: Diagnostic = diagnostic('topology/host-bits', startOf(source), 'it breaks a flow');

interface Shown {
  readonly name: string;
}

const answer: Answer<'plan', Shown> = {
  text: ({ name }, { paint, quiet }) => `${paint.good(name)}${quiet ? '' : '!'}\n`,
  json: ({ name }) => ({ name }),
  markdown: ({ name }, { paint }) => `# ${paint.good(name)}\n`,
  github: () => [other],
  gitlab: () => [other],
  sarif: () => [other],
};

const RESULT = { kind: 'planned', name: 'rome' } as const;

async function shown(output: FormatOf<'plan'> | undefined, found: object = {}, result: object = RESULT) {
  const { host, said } = memoryHost('/fleet');
  const options = { output, color: 'always', quiet: false, verbose: false };
  const code = await show(host, options, answer, result, () => ({ ...RESULT, diagnostics: [note], ...found }));
  return { code, ...said() };
}

describe('an answer', () => {
  it('is text with colour unless another format is asked for', async () => {
    expect(await shown(undefined)).toEqual({ code: 0, stdout: '\u001b[1;32mrome\u001b[22;39m!\n', stderr: '' });
    expect((await shown('markdown')).stdout).toBe('# rome\n');
    expect((await shown(undefined, { format: 'markdown' })).stdout).toBe('# rome\n');
  });

  it('is behind the head of a document for programs', async () => {
    const { stdout } = await shown('json', { ok: false });
    expect(Object.keys(JSON.parse(stdout))).toEqual(['schemaVersion', 'ok', 'summary', 'diagnostics', 'name']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, name: 'rome' });
  });

  it.each([
    [{}, 0],
    [{ diagnostics: [error] }, 1],
    [{ diagnostics: [error], ok: true }, 0],
    [{ ok: false }, 1],
    [{ ok: false, exitCode: 2 }, 2],
  ])('ends %j with %i', async (found, code) => {
    expect((await shown(undefined, found)).code).toBe(code);
  });

  it('reports diagnostics only where it is asked to, and more of them to tools', async () => {
    expect((await shown('github')).stdout).toBe('');
    const { stdout } = await shown('github', { report: {} });
    expect(stdout.match(/title=\S+::/g)).toEqual(['title=keys/missing::', 'title=topology/host-bits::']);
    expect((await shown(undefined, { report: {} })).stderr).toContain('it is unusual');
    expect((await shown(undefined, { report: { diagnostics: [] } })).stderr).toBe('');
    expect((await shown('json', { report: {} })).stderr).toContain('it is unusual');
    expect((await shown('json', { report: { withJson: false } })).stderr).toBe('');
  });
});

describe('no answer', () => {
  it.each([
    ['errors', 1],
    ['unreadable', 2],
  ] as const)('for %s ends with %i, after the errors', async (kind, code) => {
    const result = { kind, diagnostics: [error] };
    expect(await shown(undefined, {}, result)).toMatchObject({ code, stdout: '' });
    const { stdout, ...rest } = await shown('json', {}, result);
    expect(rest).toMatchObject({ code, stderr: expect.stringContaining('it is broken') });
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, diagnostics: [{ message: 'it is broken' }] });
  });

  it('for a refusal is thrown', async () => {
    const { host } = memoryHost('/fleet');
    const refused = { kind: 'refused', refusal: { kind: 'no-folder', folder: 'fleets' } } as const;
    const options = { color: undefined, quiet: false, verbose: false };
    await expect(showUnanswered(host, options, refused)).rejects.toThrow('there is no folder fleets');
  });
});
