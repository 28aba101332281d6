import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type {
  OffloadingEntry,
  SharingEntry,
  SliceEntry,
  VirtualNodeSpec,
} from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { DNS_LABEL, DNS_SUBDOMAIN, SLICE_NAME } from '../formats/dns-names.ts';
import { LABEL_KEY, LABEL_VALUE, STORE_KEY } from '../formats/labels-and-resources.ts';
import type { Report } from '../report.ts';
import { checkAnnotations, checkLabels, checkResources, checkText } from './check-text.ts';

/** Names, classes and quantities of an entry of `sharing`. The names of clusters are checked by a rule. */
export function checkSharingTexts(entry: Reading<SharingEntry>, report: Report): void {
  // An entry without `slices` has the keys of the only one.
  checkUnused(entry, report);
  const credentials = entry.at('credentials');
  checkText(credentials.at('store').scalar(), DNS_SUBDOMAIN, '`credentials.store`', report);
  checkText(credentials.at('key').scalar(), STORE_KEY, '`credentials.key`', report);
  checkText(credentials.at('property').scalar(), STORE_KEY, '`credentials.property`', report);
  for (const it of [entry as Reading<unknown> as Reading<SliceEntry>, ...entry.at('slices').items()]) {
    checkText(it.at('name').scalar(), SLICE_NAME, '`name` of a slice', report);
    checkText(it.at('class').scalar(), DNS_LABEL, '`class` of a slice', report);
    checkResources(it.at('resources'), '`resources`', report);
    checkVirtualNode(it.at('virtualNode'), report);
  }
}

/** Settings of the only slice, beside a list of slices; and a store for credentials that nothing asks for. */
function checkUnused(entry: Reading<SharingEntry>, report: Report): void {
  const slices = entry.at('slices');
  for (const key of ['name', 'resources', 'class', 'virtualNode'] as const) {
    if (!slices.isPresent || !entry.at(key).isPresent) continue;
    const message = `\`${key}\` has no effect beside \`slices\``;
    const hint = 'move it into the entries of `slices`, or remove one of the two';
    report(diagnostic('topology/unused-setting', entry.at(key).keySpan, message, { hint }));
  }
  const credentials = entry.at('credentials');
  if (!credentials.isPresent || entry.at('auth').scalar()?.value === 'credentials') return;
  report(
    diagnostic('topology/unused-setting', credentials.keySpan, '`credentials` has no effect with a handshake', {
      hint: 'add `auth: credentials`, or remove it',
    }),
  );
}

function checkVirtualNode(node: Reading<VirtualNodeSpec>, report: Report): void {
  const owner = ' of a virtual node';
  checkLabels(node.at('labels'), `\`labels\`${owner}`, report);
  checkAnnotations(node.at('annotations'), `\`annotations\`${owner}`, report);
  checkText(node.at('runtimeClass').scalar(), DNS_SUBDOMAIN, `\`runtimeClass\`${owner}`, report);
  for (const it of node.at('taints').items()) {
    checkText(it.at('key').scalar(), LABEL_KEY, `\`key\` of a taint${owner}`, report);
    checkText(it.at('value').scalar(), LABEL_VALUE, `\`value\` of a taint${owner}`, report);
  }
}

/** Names of namespaces. */
export function checkOffloadingTexts(entry: Reading<OffloadingEntry>, report: Report): void {
  checkText(entry.at('namespace').scalar(), DNS_LABEL, '`namespace`', report);
  checkText(entry.at('remoteName').scalar(), DNS_LABEL, '`remoteName`', report);
}
