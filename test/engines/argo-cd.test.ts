import { join } from 'node:path';
import { startArgoCd } from './support/argo-cd.ts';
import { loop } from './support/loop.ts';
import { ARGO_CD, CONTROL_PLANE, missingPrograms } from './support/programs.ts';

const missing = missingPrograms([...CONTROL_PLANE, ...ARGO_CD, 'kustomize', 'git-verify-wrapper.sh']);

loop({
  title: `Argo CD${missing === null ? '' : ` (skipped ${missing})`}`,
  isSkipped: missing !== null,
  gitops: 'argo: {}',
  keysOf: (cluster) => (cluster === 'hub' ? 'gitops: { name: in-cluster }' : ''),
  start: async (fleet) => {
    const argoCd = await startArgoCd({ plane: fleet.plane('hub'), folder: join(fleet.folder, 'argo-cd') });
    for (const it of ['milan', 'rome']) await argoCd.addCluster(fleet.plane(it));
    await argoCd.bootstrap(fleet.out);
    return argoCd;
  },
});
