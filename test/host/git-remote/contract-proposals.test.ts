import { describe } from 'vitest';
import { fakeGitHub } from '../fake-github/fake-github.ts';
import { proposalLaws } from '../forge/proposal-laws.ts';
import { proposalScenarios } from '../forge/proposal-scenarios.ts';
import { forgeOf, forgeOnGitHub } from '../github/forge-on-github.ts';
import { contentByGit, gitServerOf } from './content-by-git.ts';

describe('proposals with content by git', () => {
  proposalScenarios((files, settings) => forgeOnGitHub(files, { ...settings, content: 'git' }), 'where forges differ');

  proposalLaws(8, async (use) => {
    const fake = fakeGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files: { 'README.md': 'a fleet\n' } }] });
    const server = await gitServerOf(fake);
    const content = contentByGit(fake, server);
    try {
      await use(fake, { ...(await forgeOf(fake)), ...content });
    } finally {
      await content.close();
      await server.close();
      fake.close();
    }
  });
});
