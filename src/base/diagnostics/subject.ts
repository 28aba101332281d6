/** A cluster that a diagnostic is about, or the two clusters of a link or a loan. */
export type Subject = readonly [cluster: string] | readonly [one: string, other: string];
