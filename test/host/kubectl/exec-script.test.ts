import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { execScript } from '../../../src/host/kubectl/run-kubectl.ts';

function fakeKubectl(script: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'weft-kubectl-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const path = join(cwd, 'kubectl');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { cwd, env: { PATH: `${cwd}${delimiter}${process.env['PATH'] ?? ''}` } };
}

const REQUEST = {
  context: '-h; rm -rf "$HOME"',
  namespace: 'weft-conformance',
  pod: 'prober-1',
  container: 'prober',
  script: 'echo done\n',
  seconds: 5,
};

it('runs a script in a pod: its text on stdin, its arguments without a shell', async () => {
  const place = fakeKubectl('printf "%s\\n" "$@"; cat');
  expect(await execScript(place, REQUEST)).toEqual({
    kind: 'printed',
    text: [
      'exec',
      '--stdin',
      `--context=${REQUEST.context}`,
      '--namespace=weft-conformance',
      '--container=prober',
      'pod/prober-1',
      '--',
      'bash',
      '-s',
      'echo done',
      '',
    ].join('\n'),
  });
});

it('says why it cannot, also when nobody reads the script', async () => {
  const forbidden =
    'Error from server (Forbidden): pods "prober-1" is forbidden: User "viewer" cannot create resource "pods/exec"';
  const place = fakeKubectl(`exec 0<&-; echo '${forbidden}' >&2; exit 1`);
  expect(await execScript(place, { ...REQUEST, script: '# \n'.repeat(200_000) })).toEqual({
    failure: true,
    kind: 'forbidden',
    message: forbidden,
  });
});
