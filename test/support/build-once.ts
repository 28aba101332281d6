import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildModules } from './built-modules.ts';

const BUILD = fileURLToPath(new URL('../../src/host/build/build.mjs', import.meta.url));

/**
 * Generates and bundles what tests import and start, so that it matches the sources under test in every run of vitest, and makes
 * their temporary folder. Vitest calls this for the whole run, and once more for each project, and what it returns at the end.
 */
export default async function buildOnce(project: TestProject): Promise<(() => void) | undefined> {
  if (!project.isRootProject()) return undefined;
  const folders = new Set(project.vitest.projects.flatMap(({ config }) => config.env['TMPDIR'] ?? []));
  for (const it of folders) mkdirSync(it, { recursive: true });
  execFileSync(process.execPath, [BUILD], { stdio: 'inherit' });
  await buildModules();
  return () => {
    for (const it of folders) rmSync(it, { recursive: true, force: true });
  };
}
