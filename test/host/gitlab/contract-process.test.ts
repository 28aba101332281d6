import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { expectNoViolations } from '../fake-github/expect-no-violations.ts';
import { fakeGitLab } from '../fake-gitlab/fake-gitlab.ts';

const WEFT = new URL('../../../dist/weft.cjs', import.meta.url).pathname;

it('the built command talks to a GitLab over the network: its API, and git', async () => {
  const files = { 'topologies/topology.yaml': TOPOLOGY };
  const fake = await fakeGitLab({ repositories: [{ owner: 'acme', name: 'fleet', files }] });
  const folder = mkdtempSync(join(tmpdir(), 'weft-job-'));
  const server = createServer(async (incoming, answer) => {
    const path = incoming.url ?? '';
    if (!path.startsWith('/api/v4/')) {
      const to = request(`${fake.git.url}${path}`, { method: incoming.method ?? 'GET', headers: incoming.headers });
      to.on('response', (got) => {
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
      });
      incoming.pipe(to);
      return;
    }
    const body = await text(incoming);
    const got = await fake.fetch(`${fake.git.url}${path}`, {
      method: incoming.method ?? 'GET',
      headers: { authorization: incoming.headers.authorization ?? '' },
      ...(body === '' ? {} : { body }),
    });
    answer.writeHead(got.status, Object.fromEntries(got.headers)).end(await got.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
    expectNoViolations(fake);
    await fake.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.clone(join(folder, 'fleet'));
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, GITLAB_CI: 'true', WEFT_TOKEN: fake.bot.token },
    ...{ CI_SERVER_URL: url, CI_API_V4_URL: `${url}/api/v4`, CI_PROJECT_PATH: 'acme/fleet', CI_COMMIT_BRANCH: 'main' },
  };
  const weft = spawn(process.execPath, [WEFT, 'pr', 'open'], { cwd: join(folder, 'fleet'), env, stdio: 'pipe' });
  const said = Promise.all([text(weft.stdout), text(weft.stderr)]);
  const code = await new Promise((resolve) => weft.once('exit', resolve));
  expect([code, (await said)[1]]).toEqual([0, expect.stringContaining('opened !1: ')]);
  expect((await said).join('')).not.toContain(fake.bot.token);
  expect([...fake.filesAt('weft/europe').keys()]).toContain('out/rome/kustomization.yaml');
});
