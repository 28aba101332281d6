import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnswerTo } from './answers.ts';
import { printRoute } from './route.ts';

type Drawing = AnswerTo<'map'>;

interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The most that a picture is enlarged to fill its frame. */
const MOST_SCALE = 1.4;

/** The most that a picture is enlarged, and the factor of one step. */
const CLOSEST = 12;
const STEP = 1.4;

interface PictureProps {
  readonly drawing: Drawing;
  readonly label: string;
  /** The cluster whose view is drawn. */
  readonly chosen: string | null;
}

/** A map that can be enlarged and moved: with buttons, keys, a mouse and fingers. Its clusters lead to their views. */
export function Picture({ drawing, label, chosen }: PictureProps) {
  const { width, height, markup, boxes } = drawing;
  const whole: Window = { x: 0, y: 0, width, height };
  const [shown, show] = useState<Window>(whole);
  const svg = useRef<SVGSVGElement>(null);
  // Another picture begins with all of it.
  useEffect(() => show(whole), [markup]);

  const zoom = (factor: number, at = { x: shown.x + shown.width / 2, y: shown.y + shown.height / 2 }): void =>
    show((it) => inside(whole, scaled(it, factor, at)));
  const move = (dx: number, dy: number): void =>
    show((it) => inside(whole, { ...it, x: it.x + dx * it.width, y: it.y + dy * it.height }));
  const gestures = useGestures(svg, { whole, show });

  const onKeyDown = (event: KeyboardEvent): void => {
    const act = KEYS[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (act === 'all') show(whole);
    else if (typeof act === 'number') zoom(act);
    else move(...act);
  };
  const isWhole = shown.width >= width;
  return (
    <div class="frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn. */}
      <svg
        ref={svg}
        class={isWhole ? 'picture' : 'picture near'}
        viewBox={`${shown.x} ${shown.y} ${shown.width} ${shown.height}`}
        width={width}
        height={height}
        style={{ '--tallest': `${MOST_SCALE * height}px` }}
        role="group"
        aria-label={label}
        tabindex={0}
        onKeyDown={onKeyDown}
        {...gestures}
      >
        <Markup text={markup} />
        {boxes
          .filter((it) => it.kind === 'cluster')
          .map(({ id, title, lines, x, y, width, height }) => (
            <a
              key={id}
              href={printRoute('eyes', id)}
              aria-label={[title, ...lines].join(', ')}
              aria-current={id === chosen ? 'true' : undefined}
            >
              <rect class="hit" x={x - 3} y={y - 3} width={width + 6} height={height + 6} rx={9} />
            </a>
          ))}
      </svg>
      <div class="foot">
        <Legend of={drawing.legend} />
        <div class="tools" role="toolbar" aria-label="Size of the map">
          <button type="button" aria-label="Enlarge" onClick={() => zoom(1 / STEP)}>
            +
          </button>
          <button type="button" aria-label="Reduce" disabled={isWhole} onClick={() => zoom(STEP)}>
            −
          </button>
          <button type="button" disabled={isWhole} onClick={() => show(whole)}>
            Fit
          </button>
        </div>
      </div>
    </div>
  );
}

/** The meaning of lines and colours; nothing for a picture whose lines all mean the same. */
const Legend = ({ of }: { readonly of: Drawing['legend'] }) => (
  <ul class="legend">
    {of.map(({ text, sign }) => (
      <li key={text}>
        <svg class="picture sign" viewBox="0 -8 32 16" width={32} height={16} aria-hidden="true">
          <Markup text={sign} />
        </svg>
        {text}
      </li>
    ))}
  </ul>
);

const KEYS: Readonly<Record<string, number | 'all' | readonly [number, number]>> = {
  '+': 1 / STEP,
  '=': 1 / STEP,
  '-': STEP,
  '0': 'all',
  ArrowLeft: [-0.15, 0],
  ArrowRight: [0.15, 0],
  ArrowUp: [0, -0.15],
  ArrowDown: [0, 0.15],
};

/** The drawn shapes; links on top of them carry their words. The parser of XML runs nothing. */
export function Markup({ text }: { readonly text: string }) {
  const group = useRef<SVGGElement>(null);
  useEffect(() => {
    const parsed = new DOMParser().parseFromString(
      `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`,
      'image/svg+xml',
    );
    group.current?.replaceChildren(
      ...[...parsed.documentElement.childNodes].map((it) => document.importNode(it, true)),
    );
  }, [text]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
  return <g ref={group} aria-hidden="true" />;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const scaled = (it: Window, factor: number, at: Point): Window => ({
  x: at.x - (at.x - it.x) * factor,
  y: at.y - (at.y - it.y) * factor,
  width: it.width * factor,
  height: it.height * factor,
});

/** A window that shows a part of the picture, neither too large nor beside it. */
function inside(whole: Window, it: Window): Window {
  if (it.width >= whole.width) return whole;
  const width = Math.max(it.width, whole.width / CLOSEST);
  const height = (width * whole.height) / whole.width;
  const between = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
  return { x: between(it.x, whole.width - width), y: between(it.y, whole.height - height), width, height };
}

interface GestureSettings {
  readonly whole: Window;
  readonly show: (next: (it: Window) => Window) => void;
}

/** Pixels that a pointer moves before a click is a drag. */
const DRAG = 4;

/** Dragging with one pointer, pinching with two, and the wheel with a key; the wheel alone scrolls the page. */
function useGestures(svg: { readonly current: SVGSVGElement | null }, { whole, show }: GestureSettings) {
  const pointers = useRef(new Map<number, Point>());
  const isDragged = useRef(false);
  /** A point of the screen in the picture. */
  const placeIn = (it: Window, { x, y }: Point): Point => {
    const box = svg.current?.getBoundingClientRect();
    if (box === undefined) return { x: 0, y: 0 };
    const scale = Math.max(it.width / box.width, it.height / box.height);
    const [left, top] = [(box.width - it.width / scale) / 2, (box.height - it.height / scale) / 2];
    return { x: it.x + (x - box.x - left) * scale, y: it.y + (y - box.y - top) * scale };
  };
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    show((it) => inside(whole, scaled(it, Math.exp(event.deltaY / 300), placeIn(it, at))));
  };
  useEffect(() => {
    const element = svg.current;
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  });
  return {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0) return;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      isDragged.current = false;
    },
    onPointerMove: (event: PointerEvent): void => {
      const was = pointers.current.get(event.pointerId);
      if (was === undefined) return;
      const is = { x: event.clientX, y: event.clientY };
      if (!isDragged.current && Math.hypot(is.x - was.x, is.y - was.y) < DRAG) return;
      if (!isDragged.current) svg.current?.setPointerCapture(event.pointerId);
      isDragged.current = true;
      const [other] = [...pointers.current].flatMap(([id, it]) => (id === event.pointerId ? [] : [it]));
      pointers.current.set(event.pointerId, is);
      show((it) => {
        const [from, to] = [placeIn(it, was), placeIn(it, is)];
        if (other === undefined) return inside(whole, { ...it, x: it.x + from.x - to.x, y: it.y + from.y - to.y });
        const factor = distance(was, other) / Math.max(1, distance(is, other));
        return inside(whole, scaled(it, factor, placeIn(it, middle(is, other))));
      });
    },
    onPointerUp: (event: PointerEvent): void => void pointers.current.delete(event.pointerId),
    onPointerCancel: (event: PointerEvent): void => void pointers.current.delete(event.pointerId),
    /** The click at the end of a drag leads nowhere. */
    onClickCapture: (event: MouseEvent): void => {
      if (isDragged.current) event.preventDefault();
    },
  };
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
