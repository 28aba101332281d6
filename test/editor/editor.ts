import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { LanguageServer, type Position } from './language-server.ts';

const SCHEMA = new URL('../../schemas/topology.editor.schema.json', import.meta.url);

/** The first line of a topology that `weft init` writes. */
export const MODELINE = '# yaml-language-server: $schema=../schemas/topology.schema.json\n';

/** That of a file which a topology includes. */
export const INCLUDED_MODELINE = MODELINE.replace('.json', '.json#/$defs/included');

/** Marks where the cursor is. */
export const CURSOR = '‸';

/** The language server in the folder of a fleet with a schema for editors, for all tests of a file. */
export function editorForTests(schema = readFileSync(SCHEMA, 'utf8')): () => LanguageServer {
  const folder = mkdtempSync(join(tmpdir(), 'weft-editor-'));
  let server: LanguageServer | undefined;
  beforeAll(async () => {
    mkdirSync(join(folder, 'schemas'));
    writeFileSync(join(folder, 'schemas/topology.schema.json'), schema);
    server = await LanguageServer.start(folder);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });
  return () => {
    if (server === undefined) throw new Error('the language server is not started yet');
    return server;
  };
}

/** A text without its mark, and where the mark was. */
export function atCursor(marked: string): { readonly text: string; readonly position: Position } {
  const [before = '', after = ''] = marked.split(CURSOR);
  const lines = before.split('\n');
  return { text: before + after, position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
}
