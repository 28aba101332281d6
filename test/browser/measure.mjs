// Measures pages of `weft report`: node test/browser/measure.mjs FILE... Prints the size, the time until the page answers
// and until its map is drawn, and the CPU time and memory of its process.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const system = await browser.newBrowserCDPSession();
const renderers = async () => {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  return processInfo.filter((it) => it.type === 'renderer');
};
for (const file of process.argv.slice(2)) {
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(`file://${resolve(file)}`, { timeout: 600_000 });
  await page.waitForSelector('main', { timeout: 600_000 });
  const answers = performance.now() - start;
  await page.waitForSelector('.picture a, .picture rect', { timeout: 600_000 });
  const drawn = performance.now() - start;
  const processes = await renderers();
  // Of all its threads, which does not depend on what else the machine does.
  const cpu = Math.max(...processes.map((it) => it.cpuTime)) * 1000;
  const resident = processes.map(({ id }) => {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  });
  console.log(
    `${file}: ${statSync(file).size} bytes, answers after ${Math.round(answers)} ms, map after ${Math.round(drawn)} ms (${Math.round(cpu)} ms of CPU), ${Math.round(Math.max(...resident))} MiB`,
  );
  await page.close();
}
await browser.close();
