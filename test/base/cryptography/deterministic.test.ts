import { expect, it } from 'vitest';
import { roomOf, sourceFiles } from '../../support/source-files.ts';

/** Functions of Node that give the same answer every time; RSA and elliptic curves are only verified. */
const DETERMINISTIC = ['createHash', 'createPrivateKey', 'createPublicKey', 'sign', 'verify'];

it('the room of cryptography uses no randomness: who needs some is given it', () => {
  const imported = sourceFiles()
    .filter(({ path }) => roomOf(path) === 'cryptography')
    .flatMap(({ text }) => [...text.matchAll(/^import ([^;]*) from 'node:crypto';$/gm)].map(([, names = '']) => names))
    .flatMap((names) => names.replace(/^\{|\}$/g, '').split(','))
    .map((it) => it.trim())
    .filter((it) => it !== '' && !it.startsWith('type '));
  expect([...new Set(imported)].sort()).toEqual([...DETERMINISTIC].sort());
});
