import fc from 'fast-check';

/** Names of clusters that an identity or a path might take for one of its own words. */
export const arbitraryName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('view', 'port', 'join', 'pod', 'external', 'internal', 'peers', 'unordered', 'nodes', 'nftables'),
  fc.constantFrom('shortcuts', 'expected', 'gateway-templates', 'source', 'clusters', 'helm-values', 'a--b', '1e3'),
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/),
);
