import { expect, it } from 'vitest';
import { passwordsOf, proxiesOf } from '../../src/front/pull-request/proxies-of.ts';
import { chooseProxy } from '../../src/github/choose-proxy.ts';

const PROXIES = { httpProxy: 'http://plain:1', httpsProxy: 'http://secure:2' };

it.each([
  ['https://api.github.com/x', '', 'secure:2'],
  ['http://ghes.corp/api', '', 'plain:1'],
  ['https://api.github.com', 'github.com', undefined],
  ['https://api.github.com', 'localhost, .github.com', undefined],
  ['https://api.github.com', '*.github.com', undefined],
  ['https://api.github.com', 'API.GitHub.com', undefined],
  ['https://api.github.com', 'hub.com example.com', 'secure:2'],
  ['https://ghes.corp:8443', 'ghes.corp:443', 'secure:2'],
  ['https://ghes.corp', 'ghes.corp:443', undefined],
  ['https://10.0.0.7', '10.0.0.7', undefined],
  ['https://api.github.com', '*', undefined],
  ['https://api.github.com', ',', 'secure:2'],
] as const)('for %s with NO_PROXY "%s" it is %s', (address, noProxy, proxy) => {
  expect(chooseProxy(new URL(address), { ...PROXIES, noProxy })?.host).toBe(proxy);
});

it('is not the one of the other protocol', () => {
  expect(chooseProxy(new URL('https://api.github.com'), { httpProxy: 'http://plain:1' })).toBeUndefined();
  expect(chooseProxy(new URL('http://ghes.corp'), { httpsProxy: 'http://secure:2' })).toBeUndefined();
});

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
  const choose = (httpsProxy: string) => chooseProxy(new URL('https://api.github.com'), { httpsProxy });
  expect(choose('proxy.corp:3128')?.href).toBe('http://proxy.corp:3128/');
  for (const it of ['socks5://me:secret@proxy:1', 'http://me:secret@', '://']) {
    expect(() => choose(it)).toThrow(
      /^cannot use the proxy in HTTPS_PROXY: its value is not the address of an HTTP proxy$/,
    );
  }
});
