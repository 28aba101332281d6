import { Ajv2020 } from 'ajv/dist/2020.js';

/** Keywords of our schemas that JSON Schema does not have. */
const OWN_KEYWORDS = [
  ...['tsType', 'patternErrorMessage'],
  ...['x-weft-semantic', 'x-weft-since', 'x-weft-included', 'x-weft-type', 'x-weft-until'],
  ...['x-weft-removed', 'x-weft-reaches', 'x-weft-decides', 'x-weft-format', 'x-weft-owner', 'x-weft-names-cluster'],
];

/** Most validators run a few times: the time to optimize their code, or to repeat a part for each use, is never earned back. */
export const SOON_MADE = { code: { optimize: false }, inlineRefs: false } as const;

/**
 * A validator that reads our schemas like editors: with every keyword, also those that our own validator leaves to the
 * rules.
 */
export function editorsAjv(): Ajv2020 {
  const settings = { allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false };
  const ajv = new Ajv2020({ ...settings, ...SOON_MADE });
  for (const keyword of OWN_KEYWORDS) ajv.addKeyword(keyword);
  return ajv;
}
