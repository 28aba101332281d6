// The licences of the packages in a bundle, as one text that is shipped beside it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** SPDX identifiers of licences that allow distributing a bundle together with their text. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
  'EPL-2.0 OR GPL-3.0-or-later',
]);

/**
 * Licences that require naming the source of a bundled package: the EPL in 3.1. From a choice of two licences, the first
 * one is used.
 */
const SOURCE_IS_NAMED = new Set(['EPL-2.0 OR GPL-3.0-or-later']);

/** The folder of the package to which a bundled file belongs, also below another package. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** ajv generates the validators of src/base/generated, so it is not an input of the bundle. */
const VALIDATORS_ARE_WRITTEN_BY = 'node_modules/ajv';

/**
 * The licence of every bundled package. `inputs` are the paths of the bundled files from `root`, as esbuild's metafile
 * lists them. Fails for a package without a licence text, or with another licence than the allowed ones.
 */
export async function licencesOf(inputs, root) {
  const folders = new Set([...inputs.flatMap((it) => PACKAGE.exec(it) ?? []), VALIDATORS_ARE_WRITTEN_BY]);
  const texts = await Promise.all([...folders].sort().map((it) => licenceOf(join(root, it))));
  return `The program in this folder holds these packages, under these licences.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

async function licenceOf(folder) {
  const { name, version, license, repository } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const refuse = (problem) => {
    throw new Error(`${name} ${version} cannot be bundled: ${problem}`);
  };
  if (!ALLOWED.has(license))
    refuse(`its licence ${JSON.stringify(license)} is not allowed by src/host/build/licences.mjs`);
  const files = (await readdir(folder)).filter((it) => /^(licen[cs]e|copying|notice)/i.test(it)).sort();
  if (!files.some((it) => !/^notice/i.test(it))) refuse('it has no file with the text of its licence');
  const texts = await Promise.all(files.map((it) => readFile(join(folder, it), 'utf8')));
  const source = SOURCE_IS_NAMED.has(license)
    ? `Its source code is available under the EPL-2.0: the package ${name} ${version} of npm, from ${repository.url}\n\n`
    : '';
  return `${name} ${version} (${license})\n\n${source}${texts.map((it) => `${it.replaceAll('\r\n', '\n').trim()}\n`).join('\n')}`;
}
