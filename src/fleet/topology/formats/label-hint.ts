/** How to write a name as a DNS label, with the nearest one as an example. */
export function labelHint(name: string): string {
  const near = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const rule = 'use lower-case letters, digits and dashes, with a letter or digit at both ends';
  return near === '' || near === name ? rule : `${rule}, like "${near}"`;
}
