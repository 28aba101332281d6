import { processHost } from '../front/process-host.ts';
import { runWeft } from './run-weft.ts';

// Put in by the build from package.json.
declare const WEFT_VERSION: string;

const host = processHost(WEFT_VERSION);
// Never process.exit(): what is still on its way into a pipe would be cut off.
const exitCode = await runWeft(process.argv.slice(2), host);
process.exitCode = host.readerLeft() ? 0 : exitCode;
