import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Paint } from './paint.ts';

/**
 * The formats of `-o` by command. Plain data, so that help and completion load no printer. A command whose printers do
 * not match its formats does not compile.
 */
export const FORMATS = {
  validate: ['text', 'json', 'github', 'gitlab', 'sarif'],
  compile: ['text', 'json', 'github', 'gitlab', 'sarif'],
  plan: ['text', 'json', 'markdown', 'github', 'gitlab', 'sarif'],
  pr: ['text', 'json', 'github', 'gitlab', 'sarif'],
  view: ['text', 'json', 'markdown'],
  graph: ['mermaid', 'dot', 'svg'],
  trace: ['text', 'json', 'markdown', 'mermaid', 'svg'],
  whois: ['text', 'json', 'markdown'],
  whatif: ['text', 'json', 'markdown'],
  ports: ['text', 'json', 'csv', 'markdown', 'nftables', 'iptables'],
  lab: ['text', 'json'],
  translate: ['text', 'yaml', 'json'],
  verify: ['text', 'json', 'github', 'gitlab', 'sarif'],
  drift: ['text', 'json', 'markdown', 'github', 'gitlab', 'sarif'],
  conformance: ['text', 'json', 'junit'],
  import: ['text', 'json'],
  'keys collect': ['text', 'json'],
  'identities collect': ['text', 'json'],
  explain: ['text', 'json'],
} as const satisfies Readonly<Record<string, readonly Format[]>>;

/** A printer for each format of a command. */
export type Answer<Command extends keyof typeof FORMATS, Result> = Pick<Printers<Result>, FormatOf<Command>>;

export type FormatOf<Command extends keyof typeof FORMATS> = (typeof FORMATS)[Command][number];

export type Format = keyof Printers<never>;

/** The formats that draw one trace. */
export type PictureFormat = 'mermaid' | 'svg';

/** A printer for each format of weft. */
export interface Printers<Result> {
  readonly text: TextPrinter<Result>;
  readonly markdown: TextPrinter<Result>;
  readonly csv: TextPrinter<Result>;
  readonly yaml: TextPrinter<Result>;
  readonly mermaid: TextPrinter<Result>;
  readonly dot: TextPrinter<Result>;
  readonly svg: TextPrinter<Result>;
  readonly nftables: TextPrinter<Result>;
  readonly iptables: TextPrinter<Result>;
  readonly junit: TextPrinter<Result>;
  /** Returns the keys after the head of every document, or the parts of a document that may be too long for a text. */
  readonly json: (result: Result, head: object) => object;
  readonly github: ToolPrinter<Result>;
  readonly gitlab: ToolPrinter<Result>;
  readonly sarif: ToolPrinter<Result>;
}

type TextPrinter<Result> = (result: Result, look: Look) => string | Promise<string>;

/** A format that contains only diagnostics; the printer adds those that replace the text. */
type ToolPrinter<Result> = (result: Result) => readonly Diagnostic[];

/** Options for printing text. */
export interface Look {
  /** Colour and width; plain for all formats except `text`. */
  readonly paint: Paint;
  readonly verbose: boolean;
  /** True when only errors and requested answers are printed. */
  readonly quiet: boolean;
}

/** The formats that contain only diagnostics. */
export const forTools = <Result>(more: ToolPrinter<Result> = () => []) => ({ github: more, gitlab: more, sarif: more });

/** A text that confirms an action; omitted with --quiet. */
export const unlessQuiet =
  <Result>(print: (result: Result, look: Look) => string): TextPrinter<Result> =>
  (result, look) =>
    look.quiet ? '' : print(result, look);
