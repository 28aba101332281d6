import schema from '../../../schemas/topology.schema.json' with { type: 'json' };
import { render } from '../../text/render.ts';

/** A file of a new fleet: its path below the folder, and whether one that is there already may stay. */
interface InitFile {
  readonly path: string;
  readonly text: string;
  readonly mayStay: boolean;
}

/** What `weft init` writes for a fleet of that name. */
export const initFiles = (name: string): readonly InitFile[] => [
  { path: 'topologies/topology.yaml', text: render('app/init/topology', { name }), mayStay: false },
  { path: '.github/workflows/weft.yml', text: render('app/init/workflow', {}), mayStay: false },
  { path: 'schemas/topology.schema.json', text: `${JSON.stringify(schema, null, 2)}\n`, mayStay: true },
];
