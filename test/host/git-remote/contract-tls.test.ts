import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ForgeError } from '../../../src/host/forge/forge.ts';
import { gitContent } from '../../../src/host/git-remote/git-content.ts';
import { type FakeGitHub, fakeGitHub } from '../fake-github/fake-github.ts';
import { gitServerOf, TOKEN } from './content-by-git.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** The fake over HTTPS, with a certificate of an unknown authority. */
async function overTls(fake: FakeGitHub) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...made, ...subject], { stdio: 'pipe' });
  const plain = await gitServerOf(fake);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, answer) => {
    const to = request(`${plain.url}${incoming.url}`, { method: incoming.method ?? 'GET', headers: incoming.headers });
    to.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(to);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, cert };
}

describe.skipIf(!hasOpenssl)('a server with a certificate of an unknown authority (skipped without openssl)', () => {
  const contentAt = (fake: FakeGitHub, url: string, env: Readonly<Record<string, string>>) => {
    const content = gitContent(
      {
        ...{ url: `${url}/acme/fleet.git`, name: 'acme/fleet', forge: 'the server', user: 'weft', token: TOKEN },
        ...{ author: async () => ({ name: 'W', email: 'w@example.com' }), proxies: {}, hints: {} },
        ...{ clock: fake.clock, notify: () => {} },
      },
      { PATH: process.env['PATH'], ...env },
    );
    onTestFinished(() => content.close());
    return content;
  };

  it('is trusted by git as by Node, with NODE_EXTRA_CA_CERTS', async () => {
    const fake = fakeGitHub();
    onTestFinished(() => fake.close());
    const { url, cert } = await overTls(fake);
    const content = contentAt(fake, url, { NODE_EXTRA_CA_CERTS: cert });
    expect(await content.headOf('main')).toBe(fake.headOf('main'));
  });

  it('is refused without, and the hint names that variable', async () => {
    const fake = fakeGitHub();
    onTestFinished(() => fake.close());
    const { url } = await overTls(fake);
    const error = await contentAt(fake, url, {})
      .headOf('main')
      .catch((it: unknown) => it);
    expect(error).toBeInstanceOf(ForgeError);
    expect((error as ForgeError).hint).toContain('NODE_EXTRA_CA_CERTS');
  });
});
