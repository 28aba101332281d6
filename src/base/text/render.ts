import runtime from 'handlebars/runtime.js';
import { TEMPLATES, type TemplateName } from '../generated/templates.js';

type Compiled = (values: object) => string;

// The package types its runtime entry as the full one without `template`.
const { template: load } = runtime as unknown as { readonly template: (spec: unknown) => Compiled };

const compiled = new Map<TemplateName, Compiled>();

/**
 * The text of a template below `src/`, `room/name` for `src/WING/room/name.hbs`. Templates get finished strings and decide
 * nothing: no escaping is done here (values are escaped for their language before), and a missing value throws.
 */
export function render(name: TemplateName, values: object): string {
  const known = compiled.get(name);
  if (known) return known(values);
  const template = load(TEMPLATES[name]);
  compiled.set(name, template);
  return template(values);
}
