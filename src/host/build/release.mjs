// A release of weft. `npm version` runs `cut`: what is unreleased in CHANGELOG.md becomes the section of the version in
// package.json, and pages name its package. `notes TAG`, for .github/workflows/release.yml, prints the notes of the release,
// or why these sources are not that release. CONTRIBUTING.md has the steps.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryOf } from './version.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** The limit of GitHub for the text of a release, in characters. */
const MOST_CHARACTERS = 125_000;

/** The sections of the changelog: the version, its date, and the lines below. */
function sectionsOf(changelog) {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((it) => {
      const [title, ...lines] = it.split('\n');
      const [, version, date] = /^(\S+)(?: \((\d{4}-\d{2}-\d{2})\))?$/.exec(title) ?? [];
      return { version, date, text: lines.join('\n').trim() };
    });
}

/**
 * The changelog in which what is unreleased belongs to a version; a section of the version that is there, without a date yet,
 * comes first in it.
 */
export function cutChangelog(changelog, version, date) {
  const sections = sectionsOf(changelog);
  const [unreleased, known] = ['Unreleased', version].map((it) => sections.find((one) => one.version === it));
  if (known?.date !== undefined) throw new Error(`CHANGELOG.md has ${version} already, of ${known.date}`);
  const text = [known?.text, unreleased?.text].filter(Boolean).join('\n\n');
  if (text === '') throw new Error('CHANGELOG.md has nothing that is unreleased');
  const others = changelog
    .split(/^(?=## )/m)
    .filter((it) => !/^## (\S+)/.test(it) || !isOf(it, ['Unreleased', version]));
  const [head, ...older] = others;
  return [head, '## Unreleased\n\n', `## ${version} (${date})\n\n${text}\n\n`, ...older]
    .join('')
    .trimEnd()
    .concat('\n');
}

const isOf = (section, versions) => versions.includes(/^## (\S+)/.exec(section)?.[1]);

/** The notes of the release that a tag names, or the reasons why these sources cannot be it. */
export function releaseNotes({ tag, manifest, changelog, repository }) {
  const { version } = manifest;
  const sections = sectionsOf(changelog);
  const section = sections.find((it) => it.version === version);
  const named = repositoryOf(manifest);
  const faults = [
    ...(tag === `v${version}` ? [] : [`the tag is ${tag}, and package.json has the version ${version}`]),
    ...(named === undefined ? ['package.json has no repository on GitHub'] : []),
    ...(named !== undefined && named !== repository ? [`package.json names ${named}, and this is ${repository}`] : []),
    ...(section?.date === undefined ? [`CHANGELOG.md has no section "${version} (DATE)"`] : []),
    ...(section?.text === '' ? [`the section ${version} of CHANGELOG.md is empty`] : []),
    ...(sections.find((it) => it.version === 'Unreleased')?.text ? ['CHANGELOG.md has lines that are unreleased'] : []),
    ...((section?.text.length ?? 0) > MOST_CHARACTERS
      ? [`the notes are longer than ${MOST_CHARACTERS} characters`]
      : []),
  ];
  return faults.length > 0 ? { faults } : { notes: `${section.text}\n` };
}

/** A page in which the names of packages have another version. */
export const withPackageOf = (page, version) =>
  page.replace(/\bliqo-weft-\d+\.\d+\.\d+\.tgz/g, `liqo-weft-${version}.tgz`);

const read = (path) => readFile(join(root, path), 'utf8');

async function cut() {
  const { version } = JSON.parse(await read('package.json'));
  const date = new Date().toISOString().slice(0, 10);
  await writeFile(join(root, 'CHANGELOG.md'), cutChangelog(await read('CHANGELOG.md'), version, date));
  const pages = ['README.md', ...(await readdir(join(root, 'docs'))).map((it) => `docs/${it}`)];
  for (const it of pages) await writeFile(join(root, it), withPackageOf(await read(it), version));
}

async function printNotes(tag) {
  const [manifest, changelog] = [JSON.parse(await read('package.json')), await read('CHANGELOG.md')];
  const { notes, faults } = releaseNotes({ tag, manifest, changelog, repository: process.env.GITHUB_REPOSITORY });
  if (faults === undefined) process.stdout.write(notes);
  else {
    for (const it of faults) console.error(`no release: ${it}`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, tag] = process.argv.slice(2);
  if (command === 'cut') await cut();
  else if (command === 'notes' && tag !== undefined) await printNotes(tag);
  else {
    console.error('usage: node src/host/build/release.mjs cut | notes TAG');
    process.exitCode = 2;
  }
}
