import { existsSync, readFileSync } from 'node:fs';
import { RUNS_ALL } from './drawn.ts';

const FOLDER = new URL('../browser/', import.meta.url);

/** The path of Debian's package. */
const CHROMIUM = '/usr/bin/chromium';

/** In CI both must be there, so a test is left out only elsewhere: `npm ci --prefix test/browser`, and Debian's chromium. */
export const browserMissing =
  (!existsSync(new URL('node_modules/', FOLDER)) || !existsSync(CHROMIUM)) && !process.env['CI'];

/** The parts of the driver that tests use. */
export interface Tab {
  readonly goto: (url: string) => Promise<unknown>;
  readonly reload: () => Promise<unknown>;
  readonly close: () => Promise<void>;
  readonly evaluate: <T>(script: string) => Promise<T>;
  readonly waitForSelector: (selector: string) => Promise<unknown>;
  readonly setViewportSize: (size: { readonly width: number; readonly height: number }) => Promise<void>;
  readonly emulateMedia: (media: {
    readonly colorScheme: 'light' | 'dark';
    readonly reducedMotion: 'reduce';
  }) => Promise<void>;
  readonly mouse: {
    readonly click: (x: number, y: number) => Promise<void>;
    readonly move: (x: number, y: number) => Promise<void>;
  };
  readonly keyboard: {
    readonly press: (key: string) => Promise<void>;
    readonly type: (text: string) => Promise<void>;
  };
  readonly on: (event: 'console' | 'pageerror' | 'dialog' | 'popup', listener: (it: never) => void) => void;
}

interface Context {
  readonly newPage: () => Promise<Tab>;
  readonly addInitScript: (script: { readonly content: string }) => Promise<void>;
  readonly newCDPSession: (tab: Tab) => Promise<Protocol>;
  readonly close: () => Promise<void>;
}

interface Protocol {
  readonly send: (method: string) => Promise<unknown>;
  readonly on: (event: string, listener: (it: never) => void) => void;
}

interface Browser {
  readonly newContext: () => Promise<Context>;
  readonly close: () => Promise<void>;
}

/** A tab with what went wrong in it. */
export interface WatchedTab {
  readonly tab: Tab;
  /** Errors of scripts, texts on the console, violations of the policy, dialogs and new windows. */
  readonly faults: readonly string[];
  /** The addresses that were asked for. */
  readonly requests: readonly string[];
  /** Opens another page in the same tab, as if nothing had been opened in it: a tab of its own costs as much as the page. */
  readonly openNext: (url: string) => Promise<void>;
}

const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

const USUAL_SIZE = { width: 1280, height: 720 };

const SCREENS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 400 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 400 },
] as const;

/** Light and dark, wide and narrow: all for each view at night; on a push each view has one, and the next view the next. */
export const screensOf = (view: number): readonly (typeof SCREENS)[number][] =>
  SCREENS.filter((_, i) => RUNS_ALL || i === view % SCREENS.length);

/** The text of axe, which checks what people with screen readers and keyboards need. */
export const axe = (): string => textOf('node_modules/axe-core/axe.min.js');

/** Starts Chromium without a window. */
export async function startBrowser() {
  const driver = new URL('node_modules/playwright-core/index.mjs', FOLDER).href;
  const { chromium } = (await import(driver)) as {
    readonly chromium: { readonly launch: (options: object) => Promise<Browser> };
  };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const open = async (url: string): Promise<WatchedTab> => {
    const context = await browser.newContext();
    await context.addInitScript({ content: `${textOf('in-page.js')}\n${WATCH}` });
    const tab = await context.newPage();
    const [faults, requests]: [string[], string[]] = [[], []];
    tab.on('console', (it: { readonly text: () => string }) => faults.push(it.text()));
    tab.on('pageerror', (it: Error) => faults.push(it.message));
    tab.on('dialog', () => faults.push('a dialog'));
    tab.on('popup', () => faults.push('a new window'));
    const protocol = await context.newCDPSession(tab);
    await protocol.send('Network.enable');
    protocol.on('Network.requestWillBeSent', (it: { readonly request: { readonly url: string } }) =>
      requests.push(it.request.url),
    );
    const show = async (it: string): Promise<void> => {
      await tab.goto(it);
      await tab.waitForSelector('main, [role=alert]');
    };
    const openNext = async (it: string): Promise<void> => {
      await tab.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await tab.setViewportSize(USUAL_SIZE);
      await tab.goto('about:blank');
      for (const list of [faults, requests]) list.splice(0);
      await show(it);
    };
    await show(url);
    return { tab, faults, requests, openNext };
  };
  return { open, close: () => browser.close() };
}

/** Violations of the policy also end on the console, but only those of the page itself. */
const WATCH = `addEventListener('securitypolicyviolation', (it) => console.error('policy: ' + it.violatedDirective + ' ' + it.blockedURI));`;
