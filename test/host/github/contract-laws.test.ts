import { describe } from 'vitest';
import { fakeGitHub } from '../fake-github/fake-github.ts';
import { proposalLaws } from '../forge/proposal-laws.ts';
import { forgeOf } from './forge-on-github.ts';

describe('proposals on GitHub', () => {
  proposalLaws(40, async (use) => {
    const fake = fakeGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files: { 'README.md': 'a fleet\n' } }] });
    try {
      await use(fake, await forgeOf(fake));
    } finally {
      fake.close();
    }
  });
});
