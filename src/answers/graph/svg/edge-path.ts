import type { Point } from './place-graph.ts';
import { pixels } from './svg-text.ts';

/** Of the corners of a line. */
const RADIUS = 18;

/** Of the tip of an arrow. */
const TIP = { length: 10, width: 8 } as const;

/** A line through points with rounded corners, as the data of a path. */
export function roundedPath(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  const parts = others.map((corner, i) => {
    const [before, after] = [points[i], points[i + 2]];
    if (before === undefined || after === undefined) return `L${at(corner)}`;
    const [start, end] = [towards(corner, before), towards(corner, after)];
    return `L${at(start)}Q${at(corner)} ${at(end)}`;
  });
  return `M${at(first)}${parts.join('')}`;
}

/** A triangle at the last point, in the direction of the line. */
export function tipOf(points: readonly Point[]): string {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (end === undefined || before === undefined) return '';
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const base = { x: end.x - dx * TIP.length, y: end.y - dy * TIP.length };
  const side = { x: (-dy * TIP.width) / 2, y: (dx * TIP.width) / 2 };
  return `M${at(end)}L${at({ x: base.x + side.x, y: base.y + side.y })}L${at({ x: base.x - side.x, y: base.y - side.y })}Z`;
}

/** The point where the rounding of a corner begins: no further than half of the way to the next corner. */
function towards(corner: Point, other: Point): Point {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y) || 1;
  const share = Math.min(RADIUS, length / 2) / length;
  return { x: corner.x + (other.x - corner.x) * share, y: corner.y + (other.y - corner.y) * share };
}

const at = ({ x, y }: Point): string => `${pixels(x)} ${pixels(y)}`;
