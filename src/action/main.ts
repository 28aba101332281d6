import { processHost } from '../front/process-host.ts';
import { runAction } from './run-action.ts';

// The build inserts it from package.json.
declare const WEFT_VERSION: string;

process.exitCode = await runAction(processHost(WEFT_VERSION));
