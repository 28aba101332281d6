// Compares the allocators with recorded answers of the original ones: `npm run vectors -- DIR [--quirks]`.
import { checkVectorFolder } from './check-vectors.ts';

process.exitCode = await checkVectorFolder(process.argv.slice(2), { print: console.log, complain: console.error });
