const HUB = 'europe: { gateway: 203.0.113.100, boundary: closed }';
const LEAF = 'rome: { gateway: 203.0.113.101 }';

interface Parts {
  readonly hub?: string;
  readonly leaves?: string;
  /** Other keys of the file. */
  readonly more?: string;
}

/** A topology with these entries of `boundaries`: unless parts are replaced, a hub that is closed, and a leaf. */
export const closedHub = (entries: string, { hub = HUB, leaves = LEAF, more = '' }: Parts = {}): string => `version: 1
name: europe
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
hub: europe
clusters: { ${hub}, ${leaves} }
boundaries: [${entries}]
${more}`;
