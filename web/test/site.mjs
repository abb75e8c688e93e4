// The site in a real browser, from disk and from a server. Prints TAP.  usage: node site.mjs SITE CHROMIUM [part of a name]
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { contrasts, focused } from './seen.mjs';

const [site, browserPath, wanted = ''] = process.argv.slice(2);
const how = {
  executablePath: browserPath,
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};
const soon = 1500; // ms
const kinds = { '.html': 'text/html', '.svg': 'image/svg+xml', '.png': 'image/png', '.js': 'text/javascript' };
const server = createServer((q, a) => {
  const path = join(site, decodeURIComponent(new URL(q.url, 'http://x').pathname).replace(/\/$/, '/index.html'));
  if (!resolve(path).startsWith(resolve(site)) || !existsSync(path)) return a.writeHead(404).end();
  a.writeHead(200, { 'Content-Type': kinds[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const served = `http://127.0.0.1:${server.address().port}`;
const disk = pathToFileURL(resolve(site)).href;

function check(truth, words) {
  if (!truth) throw new Error(words);
}

async function open(context, address, faults = []) {
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall|software/i.test(m.text()) && faults.push(m.text()));
  page.on('pageerror', (e) => faults.push(String(e)));
  page.on('request', (r) => !/^(file|data|blob):/.test(r.url()) && !r.url().startsWith(served) && faults.push(`asks for ${r.url()}`));
  page.done = async () => {
    check(faults.length === 0, `the page complains: ${faults.join('; ')}`);
    await page.close();
  };
  await page.goto(address);
  return page;
}

// ms for which processors have worked for the browser whose data lies there, by Linux's count of them; 10 ms are its unit
function workOf(place) {
  let sum = 0;
  for (const id of readdirSync('/proc').filter((x) => /^\d+$/.test(x)))
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(place)) continue;
      const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
      sum += 10 * (Number(user) + Number(system));
    } catch {
      continue; // it has ended
    }
  return sum;
}

const inFrame = async (page) => {
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await frame.waitForSelector('html[data-ready]');
  return frame;
};

// where the motion is, now and a while later
async function moves(frame) {
  const before = await frame.evaluate(() => window.zwang.time());
  await frame.waitForFunction((t) => window.zwang.time() !== t, before, { timeout: 40000 });
}

const tests = {
  async the_skater_moves_on_the_front_page() {
    for (const from of [disk, served]) {
      const page = await open(await browser.newContext(), `${from}/index.html`);
      const frame = await inFrame(page);
      await moves(frame);
      await frame.waitForSelector('html[data-live]');
      await page.done();
    }
  },

  // A browser that has kept nothing, from the address to a picture that has moved; the least of several. On a machine with more to
  // do than processors the time that the browser's processes had one counts: alone they would not take longer than its sum.
  async the_playground_moves_at_once() {
    const [took, worked] = [[], []];
    while (took.length < 8 && !(Math.min(...took) < soon)) {
      const place = mkdtempSync(join(tmpdir(), 'zwang-cold-'));
      const cold = await chromium.launchPersistentContext(place, { ...how, viewport: { width: 1280, height: 800 } });
      const page = await cold.newPage();
      // pictures are drawn behind this one: what it sees to have moved is drawn
      await page.addInitScript(() => {
        const look = (now) => (window.zwang?.time() > 0 ? (window.movedAt = now) : requestAnimationFrame(look));
        requestAnimationFrame(look);
      });
      await page.waitForTimeout(1000); // the browser itself has begun
      const before = workOf(place);
      await page.goto(`${disk}/play.html`, { waitUntil: 'commit' });
      await page.waitForFunction(() => window.movedAt, null, { polling: 20, timeout: 60000 });
      worked.push(workOf(place) - before);
      took.push(await page.evaluate(() => window.movedAt));
      await page.waitForSelector('html[data-live]', { timeout: 120000 });
      await page.waitForSelector('.cm-content', { timeout: 120000 });
      await cold.close();
      rmSync(place, { recursive: true, force: true });
    }
    const busy = loadavg()[0] > cpus().length;
    console.log(`#   moving after ${took.map((x) => x.toFixed(0)).join(', ')} ms, of work ${worked.join(', ')} ms${busy ? ', on a busy machine' : ''}`);
    const least = Math.min(...(busy ? [...took, ...worked] : took));
    check(least < soon, `moving after ${least.toFixed(0)} ms at best`);
  },

  async every_card_has_its_picture_and_opens_its_model() {
    const models = readdirSync('models').filter((f) => f.endsWith('.zw')).map((f) => f.slice(0, -3));
    const page = await open(await browser.newContext(), `${disk}/gallery.html`);
    const cards = await page.$$eval('.cards li', (all) => all.map((c) => ({ href: c.querySelector('a').getAttribute('href'), image: c.querySelector('img')?.getAttribute('src') })));
    check(cards.length === models.length, `${cards.length} cards of ${models.length} models`);
    const bare = cards.filter((c) => !c.image || !existsSync(join(site, c.image)));
    check(bare.length === 0, `without a picture: ${bare.map((c) => c.href)}`);
    await page.fill('#find', 'double pend');
    check((await page.locator('.cards li:visible').count()) < 6, 'finding finds too much');
    await page.locator('.cards li:visible a').first().click();
    await page.waitForSelector('html[data-live]');
    await page.waitForFunction(() => /double pend/i.test(document.querySelector('h1').textContent));
    await page.done();
  },

  async an_example_of_the_docs_runs_in_the_playground() {
    const page = await open(await browser.newContext(), `${served}/docs/tutorial.html`);
    await page.locator('button.try').first().click();
    await page.waitForURL(/play\.html#text=/);
    await page.waitForFunction(() => window.zwang?.live?.answers > 0);
    check((await page.locator('.told .error').count()) === 0, `errors: ${await page.textContent('.told')}`);
    await page.done();
  },

  async nothing_points_nowhere() {
    const missing = [];
    const walk = (at) => readdirSync(at, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? walk(join(at, e.name)) : [join(at, e.name)]));
    for (const file of walk(site).filter((f) => f.endsWith('.html') && !f.endsWith('play.html')))
      for (const [, where] of readFileSync(file, 'utf8').matchAll(/(?:href|src)="([^"#?]+)/g))
        if (!/^[a-z]+:/.test(where) && !existsSync(join(file, '..', where))) missing.push(`${file.slice(site.length)} → ${where}`);
    check(missing.length === 0, `${missing.length} missing: ${missing.slice(0, 8).join(', ')}`);
  },

  async the_first_load_is_small() {
    const context = await browser.newContext();
    const bytes = {};
    context.on('response', async (r) => (bytes[r.url()] = gzipSync(await r.body().catch(() => Buffer.alloc(0)), { level: 9 }).length));
    const page = await open(context, `${served}/index.html`);
    await (await inFrame(page)).waitForSelector('html[data-live]');
    await page.waitForTimeout(500);
    const sum = Object.values(bytes).reduce((a, b) => a + b, 0);
    console.log(`#   first load: ${sum} bytes compressed`);
    check(sum < 1.5e6 && sum > 1e5, `${sum} bytes`);
    await page.done();
  },

  async it_works_without_network_once_loaded() {
    const context = await browser.newContext();
    const first = await open(context, `${served}/index.html`);
    await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await first.close();
    await context.setOffline(true);
    server.closeAllConnections();
    const page = await open(context, `${served}/play.html#model=pendulum`);
    await page.waitForSelector('html[data-live]');
    await page.waitForFunction(() => window.zwang.live.answers > 0);
    await page.close();
  },

  // WCAG 2: 4.5 for text, 3 for large text
  async words_stand_out_in_light_and_dark() {
    for (const colorScheme of ['light', 'dark'])
      for (const [name, width] of [['index.html', 1280], ['gallery.html', 360], ['docs/language.html', 1280], ['docs/view.html', 360], ['why.html', 1280], ['papers.html', 360]]) {
        const page = await open(await browser.newContext({ viewport: { width, height: 740 }, colorScheme }), `${disk}/${name}`);
        const words = await page.evaluate(contrasts);
        check(words.length > 5, `${name}: only ${words.length} words`);
        const faint = words.filter((w) => w.ratio < (w.large ? 3 : 4.5)).map((w) => `"${w.text}" by ${w.ratio.toFixed(2)}`);
        check(faint.length === 0, `${name}, ${colorScheme}: ${faint.slice(0, 4).join(', ')}`);
        await page.close();
      }
  },

  async keys_reach_links_and_fields_and_show_it() {
    for (const name of ['index.html', 'gallery.html', 'docs/tutorial.html']) {
      const page = await open(await browser.newContext({ viewport: { width: 1280, height: 800 } }), `${disk}/${name}`);
      const wanted = await page.evaluate(() => {
        const all = [...document.querySelectorAll('a[href], button, input, select')].filter((e) => e.checkVisibility() && e.tabIndex >= 0).slice(0, 24);
        all.forEach((e, i) => (e.dataset.asked = String(i)));
        return all.length;
      });
      const reached = new Set();
      for (let i = 0; i < 3 * wanted + 90 && reached.size < wanted; i++) {
        await page.keyboard.press('Tab');
        const now = await page.evaluate(focused);
        if (now.asked === undefined) continue;
        check(now.seen, `${name}: nothing shows that the keys are at ${now.what}`);
        reached.add(now.asked);
      }
      check(reached.size === wanted && wanted > 5, `${name}: ${reached.size} of ${wanted} are reached`);
      await page.close();
    }
  },

  async phones_scroll_one_way_only() {
    for (const name of ['index.html', 'gallery.html', 'play.html', 'docs/language.html', 'why.html']) {
      const page = await open(await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }), `${served}/${name}`);
      await page.waitForLoadState('load');
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(over <= 0, `${name} is ${over} pixels too wide`);
      await page.close();
    }
  },
};

const browser = await chromium.launch(how);
const chosen = Object.entries(tests).filter(([name]) => name.includes(wanted));
console.log(`1..${chosen.length}`);
let failed = 0;
let number = 0;
for (const [name, test] of chosen) {
  let fault = '';
  await test().catch((e) => (fault = String(e.stack ?? e)));
  if (fault) console.log(fault.split('\n').map((l) => `#   ${l}`).join('\n'));
  failed += Boolean(fault);
  console.log(`${fault ? 'not ok' : 'ok'} ${++number} - ${name}`);
}
await browser.close();
server.close();
console.log(`# ${number - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
