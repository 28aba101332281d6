import { describe } from 'vitest';
import { proposalLaws } from '../forge/proposal-laws.ts';
import { proposalScenarios } from '../forge/proposal-scenarios.ts';
import { forgeOnGitea, giteaWithFleet } from './forge-on-gitea.ts';

describe('proposals on Gitea', () => {
  proposalScenarios(forgeOnGitea, 'where forges differ');

  proposalLaws(8, async (use) => {
    const { fake, connect, close } = await giteaWithFleet({
      repositories: [{ owner: 'acme', name: 'fleet', files: { 'README.md': 'a fleet\n' } }],
    });
    try {
      await use(fake, await connect());
    } finally {
      await close();
    }
  });
});
