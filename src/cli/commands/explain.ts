import { CODES, type Code } from '../../diagnostics/codes.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { alignRows } from '../../report/align-rows.ts';
import { printJson } from '../../report/diagnostics-document.ts';
import { describeCode, explainPage } from '../explain-page.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call } from '../options-of.ts';
import { Refusal } from '../refusal.ts';
import { formatOf } from '../report-diagnostics.ts';

/** `weft explain CODE`: the page of a diagnostic; without a code the list of all. */
export async function explainCommand(host: Host, { args, options }: Call<'explain'>): Promise<ExitCode> {
  const [asked] = args;
  const json = formatOf(options) === 'json';
  if (asked === undefined) await host.stdout.write(json ? printJson(listDocument()) : printList());
  else await host.stdout.write(explain(codeOf(asked), json));
  return EXIT.yes;
}

const known = Object.keys(CODES) as readonly Code[];

/** The part behind the slash is enough where only one code has it. */
function codeOf(asked: string): Code {
  const matches = known.filter((it) => it === asked || it.split('/')[1] === asked);
  const [code] = matches;
  if (code !== undefined && matches.length === 1) return code;
  const meant = didYouMean(asked, known) ?? known.find((it) => it.split('/')[1] === didYouMean(asked, slugs));
  throw new Refusal(
    `there is no diagnostic "${asked}"`,
    meant === undefined ? 'weft explain lists all of them' : `did you mean "${meant}"?`,
  );
}

const slugs = known.map((it) => it.split('/')[1] ?? it);

function explain(code: Code, json: boolean): string {
  const page = explainPage(code) ?? `# ${code}\n`;
  return json ? printJson({ schemaVersion: 1, code, severity: CODES[code], page }) : page;
}

const listDocument = () => ({
  schemaVersion: 1,
  codes: known.map((code) => ({ code, severity: CODES[code], summary: describeCode(code) })),
});

function printList(): string {
  const rows = known.map((code) => [code, CODES[code], describeCode(code)]);
  return `${alignRows(rows).join('\n')}\n`;
}
