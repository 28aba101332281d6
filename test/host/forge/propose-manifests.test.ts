import { forgeOnGitHub } from '../github/forge-on-github.ts';
import { proposalScenarios } from './proposal-scenarios.ts';

proposalScenarios(forgeOnGitHub);
