/** Whose plan a comment shows. */
export interface PlanOwner {
  /** Name of the fleet. */
  readonly id: string;
  /** Which topology: fleets of two topologies may have the same name. */
  readonly source: string;
  /** Whether there still is a topology that an earlier comment names. */
  readonly isOtherTopology: (source: string) => boolean;
}

/** The first line of a comment, which identifies it. An id has no `--` that would end it early. */
export const printPlanMarker = ({ id, source }: Pick<PlanOwner, 'id' | 'source'>): string =>
  `<!-- weft:plan id=${plainId(id)} topology=${encoded(source)} -->`;

/** Whether a line is the marker of this plan, or that of a topology that was renamed. Earlier releases named no topology. */
export function isPlanMarker(line: string, { id, source, isOtherTopology }: PlanOwner): boolean {
  const [, name, other] = /^<!-- weft:plan id=(\S+)(?: topology=(\S+))? -->$/.exec(line) ?? [];
  if (name !== plainId(id)) return false;
  return other === undefined || other === encoded(source) || !isOtherTopology(decoded(other));
}

const plainId = (id: string): string => id.replace(/-{2,}/g, '-').replace(/[^\w./-]/g, '_');

/** A path without blanks and without `--`. */
const encoded = (path: string): string =>
  encodeURI(path)
    .replace(/-(?=-)/g, '%2D')
    .replace(/-$/, '%2D');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not written by weft: it names no file.
    return path;
  }
}
