import { spawnSync } from 'node:child_process';

/** In CI it must be there, so a test is left out only elsewhere. */
export const graphvizMissing = spawnSync('dot', ['-V']).status !== 0 && !process.env['CI'];

/** The messages of Graphviz about a text, and the SVG that it draws. */
export function drawByGraphviz(text: string): { readonly problems: string; readonly svg: string } {
  const { stderr, stdout } = spawnSync('dot', ['-Tsvg'], { input: text, encoding: 'utf8' });
  return { problems: stderr, svg: stdout };
}
