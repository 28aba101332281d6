import { render } from '../../../base/text/render.ts';
import { SCHEMA_PATH, schemaText } from './schema-copy.ts';

/** A file of a new fleet, by its path below the folder. */
interface InitFile {
  readonly path: string;
  readonly text: string;
  /**
   * What happens to one that is there already: nothing is written at all, it stays, a schema of another weft is replaced, or the
   * text is added to its end.
   */
  readonly ifThere: 'refuse' | 'keep' | 'refresh' | 'append';
  /** Other names for the same file: where one of them is there, nothing is written. */
  readonly orThere?: readonly string[];
}

/** Read where there is no `.yamllint`. Source: adrienverge/yamllint@v1.29.0 yamllint/cli.py (find_project_config_filepath). */
const YAMLLINT_NAMES = ['.yamllint.yaml', '.yamllint.yml'];

/** The workflow that looks for drift in some clusters: those of the starter topology where none are known. */
export const driftFile = (clusters: readonly string[]): InitFile => ({
  path: '.github/workflows/drift.yml',
  text: render('app/init/drift', {
    contexts: (clusters.length === 0 ? STARTERS : clusters).map((it) => `--context ${it}`).join(' \\\n            '),
  }),
  ifThere: 'refuse',
});

/** The clusters of `topology.hbs`. */
const STARTERS = ['europe', 'rome', 'milan'];

/** What `weft init` writes for a fleet of that name, with a file for the CI of its forge. */
export const initFiles = (name: string, jobs: Pick<InitFile, 'path' | 'text'>): readonly InitFile[] => [
  { path: 'topologies/topology.yaml', text: render('app/init/topology', { name }), ifThere: 'refuse' },
  { ...jobs, ifThere: 'refuse' },
  { path: SCHEMA_PATH, text: schemaText(), ifThere: 'refresh' },
  { path: '.gitattributes', text: gitAttributes(), ifThere: 'append' },
  { path: '.prettierignore', text: render('app/init/prettierignore', {}), ifThere: 'append' },
  { path: '.yamllint', text: render('app/init/yamllint', {}), ifThere: 'keep', orThere: YAMLLINT_NAMES },
];

/** The attributes that git needs for the files of a fleet. */
export const gitAttributes = (): string => render('app/init/gitattributes', {});
