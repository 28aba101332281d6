import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CODES, type Code } from '../../src/base/diagnostics/codes.ts';
import type { Source } from '../../src/base/source/source.ts';
import { withGateways } from './with-gateways.ts';

const PAGES = new URL('../../src/base/diagnostics/explain/', import.meta.url).pathname;

export const codes = Object.keys(CODES) as readonly Code[];

/** Pages whose excerpt is a command, or leaves out what would fill the page. */
export const WITHOUT_EXCERPT: readonly Code[] = [
  'source/too-large',
  'topology/too-many-links',
  'topology/too-many-rules',
  'topology/too-many-loans',
  'topology/other-schema',
  'topology/cannot-include',
  'source/not-text',
  'ipam/many-order-dependent',
  // Certificate requests are long.
  'keys/not-an-authentication-key',
  'keys/wrong-signature',
  'keys/wrong-request',
  'keys/authentication-used-twice',
  'keys/refused-by-release',
  'sharing/answer-missing',
  'sharing/answer-to-former-key',
  // A lock has the former name.
  'topology/undeclared-rename',
  ...codes.filter((it) =>
    /^(conformance|drift|identities|import|inventory|live|plan|provenance|public-keys|translate|verify)\//.test(it),
  ),
];

export const pages = new Map(
  readdirSync(PAGES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(PAGES, join(entry.parentPath ?? entry.path, entry.name)))
    .map((path) => [path.replace(/\.md$/, ''), readFileSync(join(PAGES, path), 'utf8')] as const),
);

export const SECTIONS = ['When', 'Why it matters', 'Instead of', 'Use'] as const;
type Section = (typeof SECTIONS)[number];

export function sectionOf(page: string, section: Section): string {
  return page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** The YAML blocks of a section: those that name a file of ours in their first line are that file, another is the topology. */
export function sourcesOf(page: string, section: Section) {
  const blocks = [...sectionOf(page, section).matchAll(/```yaml\n(.*?)```/gs)].map((it) => it[1] ?? '');
  const named = (path: string): Source | undefined => {
    const text = blocks.find((it) => it.startsWith(`# ${path}\n`));
    return text === undefined ? undefined : { path, text };
  };
  const paths = blocks.flatMap((it) => /^# (regions\/.*\.yaml)\n/.exec(it)?.[1] ?? []);
  const excerpt = blocks.find((it) => !/^# (topology\.(lock|keys|identities)|regions\/.*)\.yaml\n/.test(it));
  const topology: Source = { path: 'topology.yaml', text: completed(excerpt ?? FALLBACK) };
  return {
    topology,
    included: paths.flatMap((it) => named(it) ?? []),
    keys: named('topology.keys.yaml'),
    identities: named('topology.identities.yaml'),
    lock: named('topology.lock.yaml'),
    any: blocks.length > 0,
  };
}

const FALLBACK = 'hub: europe\nclusters: { europe: {}, rome: {}, milan: {} }\n';

const DEFAULTS = '{ podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }';

/** An excerpt shows what it is about; this adds the lines that every topology has. */
function completed(excerpt: string): string {
  if (!/^[a-z]+:/im.test(excerpt) || /^version:/m.test(excerpt)) return excerpt;
  const defaults = /^defaults:/m.test(excerpt) ? '' : `defaults: ${DEFAULTS}\n`;
  return `version: 1\nname: europe\n${defaults}${defaults === '' ? excerpt : withGateways(excerpt)}`;
}
