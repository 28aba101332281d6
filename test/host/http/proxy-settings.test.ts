import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { passwordsOf, proxiesOf } from '../../../src/host/front/pull-request/run-pull-request.ts';
import { networkFetch, proxyAddress } from '../../../src/host/http/proxies.ts';

it('is read in small letters first, and its password is a secret', () => {
  const proxies = proxiesOf({
    https_proxy: 'http://me:pa%20ss@small:1',
    HTTPS_PROXY: 'http://large:2',
    HTTP_PROXY: ' ',
  });
  expect(proxies).toEqual({ httpProxy: undefined, httpsProxy: 'http://me:pa%20ss@small:1', noProxy: undefined });
  expect(passwordsOf(proxies)).toEqual(['pa%20ss']);
  expect(passwordsOf({ httpsProxy: 'http://me@small:1', httpProxy: 'large:2' })).toEqual([]);
});

it('may be a host and a port alone, and nothing else', () => {
  const choose = (value: string) => proxyAddress('HTTPS_PROXY', value);
  expect(choose('proxy.corp:3128')).toBe('http://proxy.corp:3128/');
  for (const it of ['socks5://me:secret@proxy:1', 'http://me:secret@', '://']) {
    expect(() => choose(it)).toThrow(
      /^cannot use the proxy in HTTPS_PROXY: its value is not the address of an HTTP proxy$/,
    );
  }
});

describe('a proxy that opens no connection', () => {
  /** The error of one request, and how often the proxy was asked. */
  const askThrough = async (behave: (socket: Socket) => void) => {
    let connections = 0;
    const proxy = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      behave(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const httpsProxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const error: unknown = await networkFetch({ httpsProxy })('https://forge.example/').catch((it: unknown) => it);
    proxy.close();
    return {
      connections,
      reason: error instanceof Error && error.cause instanceof Error ? error.cause.message : error,
    };
  };

  it.each<readonly [string, (socket: Socket) => void, RegExp]>([
    ['closes at once', (socket) => socket.destroy(), /^the proxy gave no connection: /],
    ['closes when it is asked', (it) => it.on('data', () => it.destroy()), /^the proxy gave no connection: /],
    [
      'asks for a password',
      (it) => it.on('data', () => it.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')),
      /^the proxy answered 407 instead of opening a connection$/,
    ],
  ])('and %s is asked once, and its answer is named', async (_, behave, reason) => {
    expect(await askThrough(behave)).toEqual({ connections: 1, reason: expect.stringMatching(reason) });
  });
});
