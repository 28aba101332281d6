/** An input or an output of action.yml. */
interface Documented {
  readonly description: string;
  readonly default?: string;
}

export interface ActionFile {
  readonly inputs: Readonly<Record<string, Documented>>;
  readonly outputs: Readonly<Record<string, Documented>>;
}

/** Tables of all inputs and outputs, for the README. */
export const actionTables = ({ inputs, outputs }: ActionFile): string =>
  [table('input', inputs), table('output', outputs)].join('\n');

function table(what: string, rows: ActionFile['inputs']): string {
  const lines = Object.entries(rows).map(([name, it]) => `| \`${name}\` | ${cell(it)} |`);
  return [`| ${what} | |`, '|---|---|', ...lines, ''].join('\n');
}

/** A default that only names a value of the runner is in the description, or says nothing to readers. */
function cell({ description, default: value }: Documented): string {
  const isShown = value !== undefined && !value.startsWith('$');
  const text = isShown ? `${description} Default: \`${value}\`.` : description;
  return text.trim().replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
