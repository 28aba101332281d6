import type { LinkEntry } from '../schema-types/topology.ts';
import type { Reading } from '../source/reading.ts';
import type { LinkDeclaration, TemplateName } from './declaration.ts';

/** An entry of `peerings` or `shortcuts`: two names, or two names with options. */
export function readLink(link: Reading<LinkEntry>): LinkDeclaration {
  const [a, b] = link.texts() ?? link.at('between').texts() ?? [];
  const nowhere = { value: '', at: link.span };
  const template = link.at('template');
  const both = template.scalar();
  const annotations = link.at('serviceAnnotations');
  const forBoth = both ? { name: both.value, namespace: null } : null;
  return {
    at: link.span,
    between: [a ?? nowhere, b ?? nowhere],
    server: link.at('server').scalar() ?? null,
    mtuBytes: link.at('mtu').scalar() ?? null,
    nodePort: link.at('nodePort').scalar() ?? null,
    address: link.at('address').scalar() ?? null,
    port: link.at('port').scalar() ?? null,
    template: {
      server: readTemplate(template.at('server')) ?? forBoth,
      client: readTemplate(template.at('client')) ?? forBoth,
    },
    serviceAnnotations: annotations.isPresent ? { value: annotations.textMap(), at: annotations.keySpan } : null,
  };
}

function readTemplate(
  template: Reading<string | { readonly name: string; readonly namespace?: string }>,
): TemplateName | null {
  const name = template.scalar() ?? template.at('name').scalar();
  return name ? { name: name.value, namespace: template.at('namespace').scalar()?.value ?? null } : null;
}
