import { Ajv2020 } from 'ajv/dist/2020.js';

/** Keywords of our schemas that JSON Schema does not have. */
const OWN_KEYWORDS = [
  ...['tsType', 'patternErrorMessage'],
  ...['x-weft-semantic', 'x-weft-since', 'x-weft-included', 'x-weft-type', 'x-weft-until'],
  ...['x-weft-removed', 'x-weft-reaches', 'x-weft-decides', 'x-weft-format', 'x-weft-owner', 'x-weft-names-cluster'],
];

/**
 * A validator that reads our schemas like editors: with every keyword, also those that our own validator leaves to the
 * rules.
 */
export function editorsAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false });
  for (const keyword of OWN_KEYWORDS) ajv.addKeyword(keyword);
  return ajv;
}
