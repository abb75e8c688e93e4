// A picture of a whole page at a time.  usage: node picture.mjs PAGE.html OUT.png TIME [WIDTH HEIGHT]
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [page, out, time, width = '1200', height = '720'] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const tab = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, colorScheme: 'light' });
await tab.goto(pathToFileURL(realpathSync(page)).href);
await tab.waitForSelector('html[data-ready]');
await tab.evaluate((t) => zwang.seek(t), Number(time));
await tab.waitForTimeout(500);
await tab.screenshot({ path: out });
await browser.close();
