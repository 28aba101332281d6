import type { Reading } from '../../../base/source/reading.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { IMAGE_REGISTRY } from '../formats/image-registry.ts';
import { IMAGE_TAG } from '../formats/image-tag.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

/** The texts that `liqo` has in the fleet and in a cluster. */
interface LiqoTexts {
  readonly namespace?: string;
  readonly image?: { readonly registry?: string; readonly tag?: string };
}

/** `owner` follows the key in messages: `` of "rome"``, or nothing for the fleet. */
export function checkLiqoTexts(liqo: Reading<LiqoTexts>, owner: string, report: Report): void {
  const image = liqo.at('image');
  checkText(liqo.at('namespace').scalar(), DNS_LABEL, `\`liqo.namespace\`${owner}`, report);
  checkText(image.at('registry').scalar(), IMAGE_REGISTRY, `\`liqo.image.registry\`${owner}`, report);
  checkText(image.at('tag').scalar(), IMAGE_TAG, `\`liqo.image.tag\`${owner}`, report);
}
