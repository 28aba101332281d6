import { COMPARED_KINDS } from '../../live/drift/compared-kinds.ts';
import { printDumpScript } from '../../live/dumps/print-dump-script.ts';
import type { ContextRequest } from './read-context.ts';

/** A script that dumps what weft reads of some clusters, or of those that it is given. */
export const dumpCommands = (clusters: readonly ContextRequest[]): string => printDumpScript(clusters, COMPARED_KINDS);
