import { render } from '../../../base/text/render.ts';
import type { ReadResult } from '../../disk/read-text-file.ts';

/** The file that GitLab reads. A project that has one includes others in it. */
const GITLAB_CI = '.gitlab-ci.yml';

const INCLUDED = '.gitlab/ci/weft.yml';

/** The jobs of GitLab CI that check merge requests and propose manifests, where GitLab reads them or where they can be included. */
export async function gitLabJobs(
  read: (path: string) => Promise<ReadResult>,
): Promise<{ readonly path: string; readonly text: string }> {
  const there = await read(GITLAB_CI);
  // With the jobs of weft in it, it is refused like every file of an earlier run.
  const isOthers = there.kind === 'ok' && !there.text.includes('weft pr ');
  const path = isOthers ? INCLUDED : GITLAB_CI;
  return { path, text: render('app/init/gitlab-ci', { path }) };
}
