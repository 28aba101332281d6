import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Topology } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { INCLUDED_PATH } from '../formats/included-path.ts';
import { SECRET_NAME_PATTERN } from '../formats/secret-name-pattern.ts';
import type { Report } from '../report.ts';
import { checkAcceptanceTexts } from './check-acceptance-texts.ts';
import { checkAssertionTexts } from './check-assertion-texts.ts';
import { checkClusterTexts } from './check-cluster-texts.ts';
import { checkGitOpsTexts } from './check-gitops-texts.ts';
import { checkLinkTexts } from './check-link-texts.ts';
import { checkLiqoTexts } from './check-liqo-texts.ts';
import { checkRenderedString } from './check-rendered-string.ts';
import { checkOffloadingTexts, checkSharingTexts } from './check-sharing-texts.ts';
import { checkText } from './check-text.ts';

/** Reports texts that cannot work for their keys. `defaults` are read as they are written, so each text is reported once. */
export function checkTexts(topology: Reading<Topology>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  checkText(topology.at('renamedFrom').scalar(), DNS_LABEL, '`renamedFrom`', report);
  for (const it of topology.at('include').texts() ?? []) checkText(it, INCLUDED_PATH, 'an entry of `include`', report);
  checkLiqoTexts(topology.at('liqo'), '', report);
  checkGitOpsTexts(topology, report);
  const secretName = topology.at('keys').at('secretName').scalar();
  checkText(secretName, SECRET_NAME_PATTERN, '`keys.secretName`', report);
  checkRenderedString(secretName, 'a gateway', 'use a name with a letter, like gw-keys', report);
  for (const it of topology.at('peerings').items()) checkLinkTexts(it, report);
  for (const it of topology.at('shortcuts').items()) checkLinkTexts(it, report);
  for (const it of topology.at('sharing').items()) checkSharingTexts(it, report);
  for (const it of topology.at('offloading').items()) checkOffloadingTexts(it, report);
  for (const it of topology.at('assertions').items()) checkAssertionTexts(it, report);
  for (const it of topology.at('accept').items()) checkAcceptanceTexts(it, report);
  checkClusterTexts(topology.at('defaults'), ' in `defaults`', report);
  for (const { name, value } of topology.at('clusters').entries()) {
    checkClusterTexts(value, ` of "${name.value}"`, report);
  }
  return found;
}
