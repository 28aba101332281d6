import { colourPaint, type Paint, plainPaint } from '../../answers/report/paint.ts';
import type { Output } from './host.ts';

/** The colours for one stream, and the width of its lines. */
export function choosePaint(
  when: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  to: Output,
): Paint {
  const paint = chooseColour(when, env, to);
  return to.columns === undefined ? paint : { ...paint, columns: to.columns };
}

/**
 * The first that is set decides: the flag, FORCE_COLOR, NO_COLOR, a dumb terminal, and last whether the stream is a
 * terminal.
 */
function chooseColour(when: string | undefined, env: Readonly<Record<string, string | undefined>>, to: Output): Paint {
  if (when === 'always') return colourPaint;
  if (when === 'never') return plainPaint;
  const forced = env['FORCE_COLOR'];
  // Any value but 0 and false switches colour on, also an empty one. Source: force-color.org, and Node.
  if (forced !== undefined) return ['0', 'false'].includes(forced) ? plainPaint : colourPaint;
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return plainPaint;
  return to.isTTY ? colourPaint : plainPaint;
}
