// The schemas of weft's JSON documents. Definitions that several of them share are written once, in
// schemas/common.schema.json, and copied into each, so that programs and editors need one file and no network.

const REFERRED = /"\$ref":"#\/\$defs\/([^"]+)"/g;

const referredIn = (value) => [...JSON.stringify(value).matchAll(REFERRED)].map(([, name]) => name);

/**
 * A schema with exactly those common definitions to which it refers, directly or indirectly; its own definitions come
 * first.
 */
export function withCommon(schema, common) {
  const { $defs = {}, ...rest } = schema;
  const own = Object.fromEntries(Object.entries($defs).filter(([name]) => !(name in common)));
  const wanted = new Set();
  const waiting = referredIn([rest, own]);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (wanted.has(name) || !(name in common)) continue;
    wanted.add(name);
    waiting.push(...referredIn(common[name]));
  }
  const copied = Object.keys(common).filter((name) => wanted.has(name));
  return { ...rest, $defs: { ...own, ...Object.fromEntries(copied.map((name) => [name, common[name]])) } };
}
