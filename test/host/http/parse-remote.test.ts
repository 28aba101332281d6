import { describe, expect, it } from 'vitest';
import { isWebAddress, parseRemote } from '../../../src/host/http/parse-remote.ts';

describe('the address of a clone', () => {
  it.each([
    ['https://git.example.com/acme/fleet.git', 'git.example.com', 'https://git.example.com', 'acme/fleet'],
    [
      'https://bot:s3cret@git.example.com:8443/acme/fleet',
      'git.example.com:8443',
      'https://git.example.com:8443',
      'acme/fleet',
    ],
    ['http://localhost:3000/git/acme/fleet.git/', 'localhost:3000', 'http://localhost:3000', 'git/acme/fleet'],
    ['git@git.example.com:acme/fleet.git', 'git.example.com', 'https://git.example.com', 'acme/fleet'],
    ['ssh://git@git.example.com:2222/acme/fleet.git', 'git.example.com', 'https://git.example.com', 'acme/fleet'],
    ['git+ssh://git@git.example.com/group/sub/fleet', 'git.example.com', 'https://git.example.com', 'group/sub/fleet'],
  ])('%s', (url, host, origin, path) => {
    expect(parseRemote(url)).toEqual({ host, origin, path });
  });

  it.each(['', '/srv/git/fleet.git', '../fleet', 'file:///srv/fleet.git', 'C:\\git\\fleet', 'C:/git/fleet', 'fleet'])(
    'is none: "%s"',
    (url) => {
      expect(parseRemote(url)).toBeUndefined();
    },
  );

  it('of a server is one of the web', () => {
    expect(['https://a.example', 'http://a/b', 'a.example', 'ssh://a', ''].filter(isWebAddress)).toEqual([
      'https://a.example',
      'http://a/b',
    ]);
  });
});
