import type { LinkEntry, ObjectNames } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { CONFIGURATION_NAME } from '../formats/configuration-name.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { DNS_SUBDOMAIN } from '../formats/dns-subdomain.ts';
import { GATEWAY_NAME } from '../formats/gateway-name.ts';
import type { Report } from '../report.ts';
import { checkAnnotations } from './check-annotations.ts';
import { checkRenderedString } from './check-rendered-string.ts';
import { checkText } from './check-text.ts';

/** Annotations of a link's Service, and names and namespaces of its gateway templates and other objects. */
export function checkLinkTexts(link: Reading<LinkEntry>, report: Report): void {
  checkAnnotations(link.at('serviceAnnotations'), '`serviceAnnotations`', report);
  for (const { name, value } of link.at('names').entries()) checkNames(value, ` of "${name.value}"`, report);
  const template = link.at('template');
  checkText(template.scalar(), DNS_SUBDOMAIN, '`template`', report);
  for (const end of ['server', 'client'] as const) {
    const one = template.at(end);
    checkText(one.scalar(), DNS_SUBDOMAIN, `\`template.${end}\``, report);
    checkText(one.at('name').scalar(), DNS_SUBDOMAIN, `\`template.${end}.name\``, report);
    checkText(one.at('namespace').scalar(), DNS_LABEL, `\`template.${end}.namespace\``, report);
  }
}

const NAMES = [
  ['namespace', DNS_LABEL],
  ['configuration', CONFIGURATION_NAME],
  ['gateway', GATEWAY_NAME],
  ['publicKey', DNS_SUBDOMAIN],
  ['secret', DNS_SUBDOMAIN],
] as const;

/** Names that objects have, and that Liqo makes others of. */
function checkNames(names: Reading<ObjectNames>, owner: string, report: Report): void {
  for (const [key, format] of NAMES) {
    checkText(names.at(key).scalar(), format, `\`names.${key}\`${owner}`, report);
  }
  // The others are in no text that Liqo renders, or only in labels.
  for (const key of ['namespace', 'gateway', 'secret'] as const) {
    checkRenderedString(names.at(key).scalar(), 'a gateway', 'use a name with a letter', report);
  }
}
