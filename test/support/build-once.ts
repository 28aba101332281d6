import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildModules } from './built-modules.ts';

const BUILD = fileURLToPath(new URL('../../src/host/build/build.mjs', import.meta.url));

/**
 * Generates and bundles what tests import and start, so that it matches the sources under test in every run of vitest.
 * Vitest calls this for the whole run, and once more for each project.
 */
export default async function buildOnce(project: TestProject): Promise<void> {
  if (!project.isRootProject()) return;
  execFileSync(process.execPath, [BUILD], { stdio: 'inherit' });
  await buildModules();
}
