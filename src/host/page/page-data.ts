import type { diagnosticsDocument } from '../../answers/report/diagnostics-document.ts';
import type { driftDocument } from '../../answers/report/drift-answer.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { Sources } from '../../compile.ts';

/** Everything that a page shows follows from this, and is computed in the page. */
export interface PageData {
  /** The version of weft with its commit. */
  readonly weft: string;
  readonly sources: Sources;
  /** The folder of the bundles, for the places of rules. */
  readonly out: string;
  /** The sources before a change; `null` without a base. */
  readonly base: { readonly name: string; readonly sources: Sources } | null;
  /** The differences of live clusters, read when the page was made; `null` without live clusters. */
  readonly drift: ReturnType<typeof driftDocument> | null;
  /** The reasons why live clusters were not compared in full; absent without any. */
  readonly uncompared?: ReturnType<typeof diagnosticsDocument>['diagnostics'];
  /** The parts that are switched off when the page opens; absent without any. */
  readonly without?: readonly string[];
  /** True where keys cannot be made, as in the playground: packets pass as if every gateway had its key. */
  readonly countsMissingKeys?: boolean;
}

/** The text with which every page begins. */
export const PAGE_START = '<!doctype html>\n<!-- weft report:';

/** The place for the data: the content of a block that is no script. */
const SLOT = '<script type="application/json" id="fleet"></script>';

/** A page with its data. Browsers end a block at `</script`, whatever is around it, so no `<` may stay. */
export function pageWith(template: string, data: PageData): string {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, escapedCharacter);
  const at = template.indexOf(SLOT);
  if (at === -1) return bug('the page has no place for a fleet');
  const inside = at + SLOT.indexOf('</');
  return `${template.slice(0, inside)}${json}${template.slice(inside)}`;
}

const escapedCharacter = (it: string): string => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`;
