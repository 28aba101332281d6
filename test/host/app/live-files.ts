import type { DumpReader } from '../../../src/host/app/live-sources.ts';
import type { LivePorts } from '../../../src/host/app/ports.ts';
import { memoryPorts } from './memory-ports.ts';

/** Dumps in memory, and a log of which of them are read. */
export function liveFiles(files: Readonly<Record<string, string>>, piped = '') {
  const log: string[] = [];
  const ports: LivePorts & DumpReader = {
    files: memoryPorts(files).files,
    listFolder: async (path, isWanted) => {
      const root = `${path.replace(/\/+$/, '')}/`;
      const below = Object.keys(files).flatMap((it) => (it.startsWith(root) ? [it.slice(root.length)] : []));
      return below.length === 0 ? { kind: 'not-a-folder' } : { kind: 'listed', paths: below.filter(isWanted).sort() };
    },
    readDump: async (path) => {
      log.push(path);
      const text = files[path];
      return text === undefined ? { kind: 'missing' } : { kind: 'ok', text };
    },
    readPipedDump: async () => ({ kind: 'ok', text: piped }),
    list: async () => ({ failure: true, kind: 'unreachable', message: 'there is no cluster' }),
  };
  return { ports, log };
}
