import type { LinkEntry, ObjectNames } from '../../base/schema-types/topology.ts';
import type { Located } from '../../base/source/located.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { LinkDeclaration, NamesDeclaration, TemplateName } from './declaration.ts';

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
    service: link.at('service').scalar() ?? null,
    servicePort: link.at('servicePort').scalar() ?? null,
    nodePort: link.at('nodePort').scalar() ?? null,
    loadBalancerIP: link.at('loadBalancerIP').scalar() ?? null,
    address: link.at('address').scalar() ?? null,
    port: link.at('port').scalar() ?? null,
    names: link.at('names').entries().map(readNames),
    template: {
      server: readTemplate(template.at('server')) ?? forBoth,
      client: readTemplate(template.at('client')) ?? forBoth,
    },
    serviceAnnotations: annotations.isPresent ? { value: annotations.textMap(), at: annotations.keySpan } : null,
  };
}

function readNames({ name, value }: NamedObjects): NamesDeclaration {
  const textAt = (key: keyof ObjectNames): Located<string> | null => value.at(key).scalar() ?? null;
  return {
    cluster: name,
    namespace: textAt('namespace'),
    configuration: textAt('configuration'),
    gateway: textAt('gateway'),
    publicKey: textAt('publicKey'),
    secret: textAt('secret'),
  };
}

interface NamedObjects {
  readonly name: Located<string>;
  readonly value: Reading<ObjectNames>;
}

function readTemplate(
  template: Reading<string | { readonly name: string; readonly namespace?: string }>,
): TemplateName | null {
  const name = template.scalar() ?? template.at('name').scalar();
  return name ? { name: name.value, namespace: template.at('namespace').scalar()?.value ?? null } : null;
}
