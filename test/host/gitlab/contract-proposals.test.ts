import { describe } from 'vitest';
import { fakeGitLab } from '../fake-gitlab/fake-gitlab.ts';
import { proposalLaws } from '../forge/proposal-laws.ts';
import { proposalScenarios } from '../forge/proposal-scenarios.ts';
import { forgeOnGitLab, gitLabForge } from './forge-on-gitlab.ts';

describe('proposals on GitLab', () => {
  proposalScenarios(forgeOnGitLab, 'where forges differ');

  proposalLaws(4, async (use) => {
    const fake = await fakeGitLab({
      repositories: [{ owner: 'acme', name: 'fleet', files: { 'README.md': 'a fleet\n' } }],
    });
    const forge = await gitLabForge(fake);
    try {
      await use(fake, forge);
    } finally {
      await forge.close();
      await fake.close();
    }
  });
});
