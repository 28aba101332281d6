import { render } from '../../../base/text/render.ts';

/** A forge whose CI runs weft. */
export type InitForge = 'github' | 'gitea' | 'forgejo' | 'gitlab';

/** Of these, the CI reads workflows. */
type WorkflowForge = Exclude<InitForge, 'gitlab'>;

/** The workflow that checks pull requests and proposes manifests, where the forge looks for it. */
export function workflowFile(forge: WorkflowForge): { readonly path: string; readonly text: string } {
  const folder = FOLDERS[forge];
  return { path: `${folder}/workflows/weft.yml`, text: workflowText(forge, folder) };
}

const FOLDERS: Readonly<Record<WorkflowForge, string>> = { github: '.github', gitea: '.gitea', forgejo: '.forgejo' };

function workflowText(forge: WorkflowForge, folder: string): string {
  switch (forge) {
    case 'github':
      return render('app/init/workflow', {});
    case 'gitea':
      return render('app/init/workflow-gitea', {
        folder,
        product: 'Gitea',
        runner: 'ubuntu-latest',
        permissions: LEAST,
      });
    case 'forgejo':
      return render('app/init/workflow-gitea', { folder, product: 'Forgejo', runner: 'docker', permissions: NONE });
  }
}

/** Since 1.26, Gitea gives the token of a job only these; earlier releases ignore them. Source: Gitea, services/actions/permission_parser.go. */
const LEAST = {
  none: '\n# No permissions by default; each job lists those that it needs.\npermissions: {}\n',
  check: permissions('contents: read # to check out'),
  comment: permissions('contents: read # to check out', 'pull-requests: write # to comment'),
  open: permissions(
    'contents: write # to push the branch weft/<fleet>',
    'pull-requests: write # to open the pull request',
  ),
};

/** Forgejo has no permissions in workflows: the token of a job may write, but for pull requests from forks. */
const NONE = { none: '', check: '', comment: '', open: '' };

function permissions(...lines: readonly string[]): string {
  return ['    permissions:', ...lines.map((it) => `      ${it}`), ''].join('\n');
}
