import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { type FakeGitHub, fakeGitHub } from '../fake-github/fake-github.ts';
import { TOPOLOGY_PATH } from './contract.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const WEFT = new URL('../../../dist/weft.cjs', import.meta.url).pathname;

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

describe.skipIf(!hasOpenssl)('a GitHub behind a proxy (needs openssl for a certificate)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-proxy-'));
  const certificate = join(folder, 'cert.pem');
  let fake: FakeGitHub;
  let api: Server;
  let proxy: Server;
  let apiPort = 0;
  let proxyPort = 0;
  const connected: string[] = [];
  let connections = 0;

  beforeAll(async () => {
    const key = join(folder, 'key.pem');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const ask = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
    execFileSync('openssl', [...ask, ...subject], { stdio: 'ignore' });
    fake = fakeGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files: { [TOPOLOGY_PATH]: TOPOLOGY } }] });
    api = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      const { method = 'GET', url = '/', headers } = request;
      const answer = await fake.fetch(`https://api.github.com${url}`, {
        method,
        headers: Object.entries(headers).flatMap(([name, value]) =>
          /^(authorization|content-type)$/.test(name) ? [[name, String(value)] as [string, string]] : [],
        ),
        ...(body === '' ? {} : { body }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    api.on('connection', () => {
      connections += 1;
    });
    proxy = createServer();
    proxy.on('connect', ({ url = '', headers }, socket) => {
      connected.push(`${url} ${headers['proxy-authorization'] ?? ''}`);
      if (headers['proxy-authorization'] !== `Basic ${Buffer.from('me:pass word').toString('base64')}`) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const [host, port] = url.split(':');
      const there = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(there).pipe(socket);
      });
      for (const it of [there, socket]) it.on('error', () => socket.destroy());
    });
    apiPort = await listening(api);
    proxyPort = await listening(proxy);
  });

  afterAll(() => {
    for (const it of [api, proxy]) it?.close();
    fake?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A process of its own: certificates are trusted when Node starts. */
  function weftPr(
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly stderr: string }> {
    const checkout = workspace({ [TOPOLOGY_PATH]: TOPOLOGY });
    const child = spawn(process.execPath, [WEFT, 'pr', 'open', '--repository', 'acme/fleet'], {
      cwd: checkout.folder,
      env: {
        ...{ PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificate, GITHUB_TOKEN: fake.bot.token },
        ...{ GITHUB_API_URL: `https://localhost:${apiPort}`, GITHUB_WORKSPACE: checkout.folder, ...env },
      },
    });
    let stderr = '';
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
  }

  it('gets its pull request through it, and nothing beside it', async () => {
    const { code, stderr } = await weftPr({ HTTPS_PROXY: `http://me:pass%20word@127.0.0.1:${proxyPort}` });
    expect(stderr).toContain('opened #1');
    expect(code).toBe(0);
    expect(new Set(connected.map((it) => it.split(' ')[0]))).toEqual(new Set([`localhost:${apiPort}`]));
    expect(connections).toBe(connected.length);
    expect(fake.log.length).toBeGreaterThan(0);
  });

  it('is reached directly where NO_PROXY says so', async () => {
    const before = connected.length;
    const proxies = { https_proxy: `http://127.0.0.1:${proxyPort}`, NO_PROXY: 'localhost' };
    expect((await weftPr(proxies)).stderr).toContain('nothing new for #1');
    expect(connected.length).toBe(before);
  });
});
