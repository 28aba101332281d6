/** Printed after `weft init`. */
export function printStarted({
  folder,
  written,
}: {
  readonly folder: string;
  readonly written: readonly string[];
}): string {
  const inside = folder === '.' ? '' : `cd ${folder} && `;
  return [
    ...written.map((it) => `wrote ${it}`),
    '',
    'Put your clusters into the topology and the commit of weft into the workflow, then:',
    `  ${inside}weft compile`,
    '  weft view rome',
    '',
  ].join('\n');
}
