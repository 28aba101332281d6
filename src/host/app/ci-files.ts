import { render } from '../../base/text/render.ts';

/** A release of weft. */
export interface Release {
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly version: string;
  /** The full commit of its tag. */
  readonly commit: string;
}

export interface RunningWeft {
  readonly version: string;
  /** `null` for a build of sources that are no release: jobs cannot get it from anywhere. */
  readonly release: Release | null;
}

/** A file that a forge reads to run weft. */
export interface CiFile {
  /** Below the folder of the fleet. */
  readonly path: string;
  readonly text: string;
  /** The path of the package of weft that its jobs install from the repository; `null` if they run a release. */
  readonly tarball: string | null;
}

/** A forge whose CI runs weft. */
export type InitForge = 'github' | 'gitea' | 'forgejo' | 'gitlab';

/** A forge whose CI reads workflow files. */
type WorkflowForge = Exclude<InitForge, 'gitlab'>;

const FOLDERS: Readonly<Record<InitForge, string>> = {
  github: '.github',
  gitea: '.gitea',
  forgejo: '.forgejo',
  gitlab: '.gitlab',
};

/**
 * The workflow that checks pull requests and proposes manifests, in the folder of the forge.
 *
 * @param isAtRoot true for a topology in the folder of the fleet itself, which may include any file below it
 */
export function workflowFile(forge: WorkflowForge, weft: RunningWeft, isAtRoot: boolean): CiFile {
  const path = `${FOLDERS[forge]}/workflows/weft.yml`;
  const tarball = tarballFor(forge, weft);
  const steps = weft.release === null ? commandSteps(forge) : actionSteps(forge, weft.release);
  const values = { path, steps, isAtRoot, tarball: tarballTexts(tarball) };
  return { path, tarball, text: workflowText(forge, values) };
}

function workflowText(forge: WorkflowForge, values: object): string {
  switch (forge) {
    case 'github':
      return render('app/init/workflow', values);
    case 'gitea':
      return render('app/init/workflow-gitea', {
        ...values,
        product: 'Gitea',
        runner: 'ubuntu-latest',
        permissions: LEAST,
      });
    case 'forgejo':
      return render('app/init/workflow-gitea', { ...values, product: 'Forgejo', runner: 'docker', permissions: NONE });
  }
}

/** Workflows that read clusters in a schedule: to detect drift, and to propose the next state of a change. */
export const SCHEDULED = ['drift', 'steps'] as const;

export type Scheduled = (typeof SCHEDULED)[number];

/** Such a workflow for the given clusters. */
export function scheduledFile(kind: Scheduled, clusters: readonly string[], weft: RunningWeft): CiFile {
  const tarball = tarballFor('github', weft);
  const contexts = clusters.map((it) => `--context ${it}`).join(' \\\n            ');
  const install =
    weft.release === null
      ? installStep('github')
      : ['      - name: Install weft', `        run: npm install --global liqo-weft@${weft.release.version}`, ''].join(
          '\n',
        );
  return {
    path: `.github/workflows/${kind}.yml`,
    tarball,
    text: render(`app/init/${kind}`, { contexts, install, tarball: tarballTexts(tarball) }),
  };
}

/** The jobs of GitLab CI that check merge requests and propose manifests, at a path that GitLab reads or includes. */
export function gitLabFile(path: string, weft: RunningWeft, isAtRoot: boolean): CiFile {
  const tarball = tarballFor('gitlab', weft);
  const values = { path, job: gitLabJob(weft, tarball), isAtRoot, tarball: tarballTexts(tarball) };
  return { path, tarball, text: render('app/init/gitlab-ci', values) };
}

/**
 * The command that makes the package of an installed weft, for jobs that cannot get it elsewhere.
 *
 * @param installed the folder of that weft, as a word of a shell; in files for all machines, where npm puts it by default
 */
export const packCommand = (tarball: string, installed = '"$(npm root --global)/liqo-weft"'): string => {
  const folder = folderOf(tarball);
  return `mkdir -p ${folder} && npm pack --silent --ignore-scripts --pack-destination ${folder} ${installed}`;
};

const folderOf = (path: string): string => path.replace(/\/[^/]*$/, '');

const tarballFor = (forge: InitForge, { version, release }: RunningWeft): string | null =>
  release === null ? `${FOLDERS[forge]}/weft/liqo-weft-${version}.tgz` : null;

/** The lines of a file that only one with a package in the repository has. */
function tarballTexts(tarball: string | null) {
  if (tarball === null) return { about: '', env: '', paths: '', changes: '' };
  return {
    about: `# These jobs run the package of weft at ${tarball}, and fail until it is there: the weft that wrote this
# file is no release, so they cannot get it elsewhere. Make the package with this command, where that weft is installed, and commit it:
#   ${packCommand(tarball)}
#
`,
    paths: `\n      - ${folderOf(tarball)}/**`,
    changes: `\n        - ${folderOf(tarball)}/**/*`,
    env: `\nenv:\n  WEFT_PACKAGE: ${tarball}\n`,
  };
}

/** Fails with a sentence when the package is missing. It needs no other package, so npm needs no network. */
const installLines = (error = ''): readonly string[] => [
  `[ -f "$WEFT_PACKAGE" ] || { echo "${error}$WEFT_PACKAGE is missing: the first lines of this file show how to make it"; exit 1; }`,
  'npm install --global --offline "./$WEFT_PACKAGE"',
];

function installStep(forge: WorkflowForge): string {
  // Only GitHub shows it on the page of the run.
  const lines = installLines(forge === 'github' ? '::error::' : '');
  return ['      - name: Install weft', '        run: |', ...lines.map((it) => `          ${it}`), ''].join('\n');
}

/** The lines below the name of the step that runs weft in each mode, and the step before it. */
interface Steps {
  readonly install: string;
  readonly check: string;
  readonly comment: string;
  readonly open: string;
  /** The texts that give a step another token, and make it fail where the manifests are not current. */
  readonly token: string;
  readonly current: string;
}

const REVIEW = 'weft-review';

/** Steps that run the Action of a release. Outside of GitHub, its address is written out. */
function actionSteps(forge: WorkflowForge, { repository, version, commit }: Release): Steps {
  const server = forge === 'github' ? '' : 'https://github.com/';
  const step = (mode: string, ...inputs: readonly string[]): string =>
    [
      `        uses: ${server}${repository}@${commit} # v${version}`,
      '        with:',
      ...[`mode: ${mode}`, ...inputs].map((it) => `          ${it}`),
    ].join('\n');
  const folder = `\${{ runner.temp }}/${REVIEW}`;
  const planned = forge === 'github' ? ['base: HEAD^1', `diff: ${folder}`, `report: ${folder}`] : [];
  return {
    install: '',
    token: `token: \${{ secrets.WEFT_TOKEN }}`,
    current: '`current: true`',
    check: step('check', 'all: true # every topology of the fleet', ...planned),
    comment: step('comment', 'all: true', ...planned),
    open: step('open', 'all: true', ...(forge === 'github' ? MORE_INPUTS : FEW_INPUTS)),
  };
}

/** Steps that run the command `weft pr`. */
function commandSteps(forge: WorkflowForge): Steps {
  const step = (mode: string, ...options: readonly string[]): string =>
    [
      `        run: weft pr ${[mode, '--all', ...options].join(' ')}`,
      '        env:',
      `          GITHUB_TOKEN: \${{ github.token }}`,
    ].join('\n');
  const folder = `"$RUNNER_TEMP/${REVIEW}"`;
  const planned = forge === 'github' ? ['--base HEAD^1', `--diff ${folder}`, `--report ${folder}`] : [];
  return {
    install: installStep(forge),
    token: `WEFT_TOKEN: \${{ secrets.WEFT_TOKEN }}`,
    current: '`--current`',
    check: step('check', ...planned),
    comment: step('comment', ...planned),
    open: `        # weft pr --help has more options: --labels, --reviewers, --assignees, --draft, --title, --signoff ...\n${step('open')}`,
  };
}

const FEW_INPUTS = [
  '# For a new pull request; labels that do not exist are created.',
  ...['# labels: weft', '# reviewers: ada', '# assignees: ada', '# draft: true'],
];

const MORE_INPUTS = [
  '# Each of these is for a new pull request; what people change there later stays.',
  ...['# labels: network', '# reviewers: ada', '# team-reviewers: network # needs the token of a GitHub App'],
  ...['# assignees: ada', '# title: Manifests of the fleet', '# body-prefix: Please merge outside of office hours.'],
  '# draft: true',
  '# These are for every run.',
  ...['# commit-message: Compile the manifests', '# signoff: true', '# delete-branch: true'],
];

/** The image of the jobs of GitLab: that of a release, or one with Node and git in which they install a package. */
function gitLabJob({ release }: RunningWeft, tarball: string | null) {
  if (release === null)
    return {
      image: [
        '  image: docker.io/library/node:24 # it has Node and git',
        '  before_script:',
        ...['- |', ...installLines().map((it) => `  ${it}`)].map((it) => `    ${it}`),
      ].join('\n'),
      variable: `\n    WEFT_PACKAGE: ${tarball}`,
    };
  return {
    image: [
      '  # A tag can be moved, a digest cannot: the page of the release names the digest, to write it behind the tag.',
      '  image:',
      `    name: ghcr.io/${release.repository.toLowerCase()}:${release.version}`,
      '    entrypoint: [""]',
    ].join('\n'),
    variable: '',
  };
}

/**
 * The permissions of a job's token, which Gitea limits to the listed ones since 1.26; earlier releases ignore them.
 * Source: Gitea, services/actions/permission_parser.go.
 */
const LEAST = {
  none: '\n# No permissions by default; each job lists those that it needs.\npermissions: {}\n',
  check: permissions('contents: read # to check out'),
  comment: permissions('contents: read # to check out', 'pull-requests: write # to comment'),
  open: permissions(
    'contents: write # to push the branch weft/<fleet>',
    'pull-requests: write # to open the pull request',
  ),
};

/** Forgejo has no permissions in workflows: the token of a job may write, except for pull requests from forks. */
const NONE = { none: '', check: '', comment: '', open: '' };

function permissions(...lines: readonly string[]): string {
  return ['    permissions:', ...lines.map((it) => `      ${it}`), ''].join('\n');
}
