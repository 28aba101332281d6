import runtime from 'handlebars/runtime.js';
import { TEMPLATES, type TemplateName } from '../generated/templates.js';

type Compiled = (values: object) => string;

// The package declares the full API as the type of its runtime entry, without `template`.
const { template: load } = runtime as unknown as { readonly template: (spec: unknown) => Compiled };

const compiled = new Map<TemplateName, Compiled>();

/**
 * Renders a template below `src/`: `room/name` for `src/WING/room/name.hbs`. Templates get finished strings and make no
 * decisions. Nothing is escaped here, because values are already escaped for their language. A missing value throws.
 */
export function render(name: TemplateName, values: object): string {
  const known = compiled.get(name);
  if (known) return known(values);
  const template = load(TEMPLATES[name]);
  compiled.set(name, template);
  return template(values);
}
