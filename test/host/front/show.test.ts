import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Answer, FormatOf } from '../../../src/answers/report/answer.ts';
import { type Diagnostic, diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { type Source, startOf } from '../../../src/base/source/source.ts';
import { readingClusters, show, showUnanswered, startProgress } from '../../../src/host/front/show.ts';
import { type HostSettings, memoryHost } from '../cli/memory-host.ts';

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

describe('clusters that are read', () => {
  const env = { PATH: '/nowhere' };
  const list = { resource: 'configurations.networking.liqo.io' };

  /** Lists of contexts at once, after more than a moment. */
  async function read(contexts: readonly string[], settings: HostSettings, quiet = false) {
    const { host, said } = memoryHost('/', { env, ...settings });
    vi.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(1000);
    onTestFinished(() => void vi.restoreAllMocks());
    await readingClusters(host, { quiet }, (ports) =>
      Promise.all(contexts.map((context) => ports.list({ ...list, context }))),
    );
    return said();
  }

  it('are named in a line of progress, which is cleared at the end', async () => {
    const { stdout, stderr } = await read(['milan', 'paris', 'rome'], { stderrIsTTY: true });
    expect(stdout).toBe('');
    const lines = stderr.split('\r\u001b[K');
    expect(lines.slice(0, 4)).toEqual([
      '',
      'reading milan ...',
      'reading milan and 1 more ...',
      'reading milan and 2 more ...',
    ]);
    expect(lines.at(-1)).toBe('');
  });

  it('are counted, also where they are dumps', async () => {
    const { host, said } = memoryHost('/', { env, stderrIsTTY: true });
    vi.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(1000);
    onTestFinished(() => void vi.restoreAllMocks());
    await readingClusters(host, { quiet: false }, async ({ progress, list: listed }) => {
      progress?.([3, 40]);
      await listed({ ...list, context: 'rome' });
    });
    expect(said().stderr.split('\r\u001b[K').slice(1, 3)).toEqual([
      'reading clusters: 3 of 40 ...',
      'reading rome, 3 of 40 clusters are done ...',
    ]);
  });

  it('have a line that fits the terminal', async () => {
    const { stderr } = await read([`arn:aws:eks:${'x'.repeat(100)}`], { stderrIsTTY: true });
    expect(Math.max(...stderr.split('\r\u001b[K').map((it) => it.length))).toBe(80);
  });

  it.each<[string, HostSettings, boolean]>([
    ['a pipe', { stderrIsTTY: false }, false],
    ['CI', { stderrIsTTY: true, env: { ...env, CI: 'true' } }, false],
    ['--quiet', { stderrIsTTY: true }, true],
  ])('are not named in %s', async (_, settings, quiet) => {
    expect(await read(['milan', 'rome'], settings, quiet)).toEqual({ stdout: '', stderr: '' });
  });

  it('are not named any more once the use case has failed', async () => {
    const { host, said } = memoryHost('/', { env, stderrIsTTY: true });
    vi.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(1000);
    onTestFinished(() => void vi.restoreAllMocks());
    let other: Promise<unknown> = Promise.resolve();
    const failing = readingClusters(host, { quiet: false }, async (ports) => {
      other = ports.list({ ...list, context: 'rome' });
      throw new Error('milan is gone');
    });
    await expect(failing).rejects.toThrow('milan is gone');
    const before = said().stderr;
    await other;
    expect(before.endsWith('\r\u001b[K')).toBe(true);
    expect(said().stderr).toBe(before);
  });
});

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

describe('a compile and a verify', () => {
  it('count their folders on a terminal, and say what a signal has left wherever stderr goes', async () => {
    const linesOf = async (stderrIsTTY: boolean) => {
      const { host, said } = memoryHost('/', { env: {}, stderrIsTTY });
      vi.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(1000);
      onTestFinished(() => void vi.restoreAllMocks());
      const progress = startProgress(host, { quiet: false });
      progress.of({ kind: 'writing', out: 'out', share: [120, 3004] });
      progress.of({ kind: 'stopped', out: 'out', tree: 'partly-new' });
      await progress.end();
      return said().stderr.split('\r\u001b[K');
    };
    const stopped = 'Stopped: out/ is partly new. Run "weft compile" again before you commit it.\n';
    expect(await linesOf(true)).toEqual(['', 'writing out/: 120 of 3004 folders ...', stopped, '']);
    expect(await linesOf(false)).toEqual([stopped]);
  });
});
