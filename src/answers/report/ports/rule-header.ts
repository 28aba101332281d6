import { visibleText } from '../../../base/core/visible-text.ts';
import type { Opening } from '../../../reach/ports/opening.ts';
import type { FirewallRule, FirewallRules } from './firewall-rules.ts';
import { unrecordedRemark } from './opening-remarks.ts';

/** The firewall that rules are printed for. */
export interface FirewallScope {
  readonly fleet: string;
  /** The cluster behind it. */
  readonly cluster: string;
  /** The only other cluster that the rules are about; `null` for all. */
  readonly peer: string | null;
  readonly openings: readonly Opening[];
}

/** The name of a chain. No name of a cluster has a dot, so no two chains have one name. */
export const chainName = (
  { cluster, peer }: Pick<FirewallScope, 'cluster' | 'peer'>,
  direction: 'in' | 'out',
): string => ['weft', cluster, ...(peer === null ? [] : [peer]), direction].join('.');

/** A rule as a line, which is a comment where a person has to complete it. */
export const fillIn = ({ missing }: FirewallRule, line: string): string =>
  missing === null ? line : `# fill in: ${visibleText(missing)}: ${line}`;

/** The commands that load rules and make them effective. */
interface RuleCommands {
  readonly load: string;
  readonly jumps: readonly string[];
}

/** The first lines of rules that people paste. */
export const ruleHeader = (
  { fleet, cluster, peer, openings }: FirewallScope,
  { out, into }: FirewallRules,
  { load, jumps }: RuleCommands,
): readonly string[] => [
  `# What the firewall of ${cluster} accepts${peer === null ? '' : ` for ${peer}`}, in the fleet ${visibleText(fleet)}.`,
  '# It is one in front of the nodes: a node translates destinations before it filters.',
  `# Load this with "${load}", and let your own chains jump to it:`,
  ...jumps.map((it) => `#   ${it}`),
  '# Answers have no rule here: your rules accept packets of established flows.',
  ...(into.some((it) => it.source === null)
    ? ['# Rules into the cluster accept any source where none is named with "weft ports --source CLUSTER=ADDRESS".']
    : []),
  ...unrecordedRemark(openings).map((it) => `# ${it}`),
  ...([...out, ...into].some((it) => it.missing !== null)
    ? ['# Rules behind "fill in" have no effect before a person completes them.']
    : []),
];
