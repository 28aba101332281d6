import type { LinkEntry } from '../../schema-types/topology.ts';
import type { Reading } from '../../source/reading.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { DNS_SUBDOMAIN } from '../formats/dns-subdomain.ts';
import type { Report } from '../report.ts';
import { checkAnnotations } from './check-annotations.ts';
import { checkText } from './check-text.ts';

/** Annotations of a link's Service, and names and namespaces of its gateway templates. */
export function checkLinkTexts(link: Reading<LinkEntry>, report: Report): void {
  checkAnnotations(link.at('serviceAnnotations'), '`serviceAnnotations`', report);
  const template = link.at('template');
  checkText(template.scalar(), DNS_SUBDOMAIN, '`template`', report);
  for (const end of ['server', 'client'] as const) {
    const one = template.at(end);
    checkText(one.scalar(), DNS_SUBDOMAIN, `\`template.${end}\``, report);
    checkText(one.at('name').scalar(), DNS_SUBDOMAIN, `\`template.${end}.name\``, report);
    checkText(one.at('namespace').scalar(), DNS_LABEL, `\`template.${end}.namespace\``, report);
  }
}
