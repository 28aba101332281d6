import { describe, expect, it } from 'vitest';
import { nftAvailable, nftProblems } from './nft.ts';

const table = (...lines: readonly string[]): string => `table ip one {\n${lines.map((it) => `  ${it}\n`).join('')}}\n`;

const chain = (rule: string): readonly string[] => ['chain c {', 'type nat hook postrouting priority 100;', rule, '}'];

const WITH_SET = table('set s {', 'type ipv4_addr', '}', ...chain('ip saddr @s accept'));

describe.skipIf(!nftAvailable() && !process.env['CI'])('nft (skipped without nft or root)', () => {
  it('takes texts that define the same names in different ways', () => {
    expect(nftProblems([WITH_SET, table(...chain('accept')), table('map s {', 'type ipv4_addr : mark', '}')])).toBe('');
  });

  it('finds in a text nothing that another one defines', () => {
    expect(nftProblems([WITH_SET, table(...chain('ip saddr @s accept'))])).toContain('1.nft:4');
    expect(nftProblems([WITH_SET, 'add rule ip one c accept\n'])).toContain('1.nft:1');
  });

  it('has a message for each text that it refuses', () => {
    const problems = nftProblems(['table ip 1a { }\n', WITH_SET, table(...chain('jump nowhere'))]);
    expect(problems).toContain('0.nft:1');
    expect(problems).not.toContain('1.nft');
    expect(problems).toContain('2.nft:4');
  });
});
