import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const FOLDER = new URL('../mermaid/', import.meta.url);

/** In CI the parser must be there, so a test is left out only elsewhere: `npm ci --prefix test/mermaid`. */
export const mermaidMissing = !existsSync(new URL('node_modules/', FOLDER)) && !process.env['CI'];

/** The error of Mermaid's parser for each text; empty without one. */
export function mermaidProblems(texts: readonly string[]): string[] {
  const program = new URL('parse-mermaid.mjs', FOLDER).pathname;
  const answer = execFileSync('node', [program], { input: JSON.stringify(texts), encoding: 'utf8' });
  return JSON.parse(answer) as string[];
}
