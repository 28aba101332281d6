import { codeSpan } from './code-span.ts';

/** The files with the lines that a plan changes. */
export interface DiffFiles {
  /** Their paths. */
  readonly markdown: string;
  readonly html: string;
  /** `+3 −2 lines to read in 4 files of 2 clusters, nothing folded away` */
  readonly words: string;
}

/** Names the files in Markdown; with the page of the run, where people find what its steps keep. */
export function diffLine({ markdown, html, words }: DiffFiles, runUrl: string | undefined): string {
  const names = [html, markdown].map((it) => codeSpan(fileName(it)));
  const run = runUrl === undefined ? 'this run' : `[this run](${runUrl})`;
  return `**Manifest diff**: ${words}. It is in ${names.join(' and ')} among the artifacts of ${run}.`;
}

const fileName = (path: string): string => path.replace(/^.*[/\\]/s, '');
