import { expect, it } from 'vitest';
import { passwordsOf, proxiesOf } from '../../../src/host/front/pull-request/run-pull-request.ts';
import { proxyAddress } from '../../../src/host/http/proxies.ts';

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
