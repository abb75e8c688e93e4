// The page in a real browser. Prints TAP.  usage: node browser.mjs ZWANG ROOT CHROMIUM [part of a name]
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { contrasts, focused, standsOut } from './seen.mjs';

const [zwang, root, browserPath, wanted = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'zwang-web-'));
const model = (name) => join(root, 'models', `${name}.zw`);
const run = promisify(execFile);
let browser;

const written = new Map();
function write(name, source, ...options) {
  const page = join(folder, `${name}.html`);
  if (!written.has(name)) written.set(name, run(zwang, ['view', source, '--out', page, '--quiet', ...options]).then(() => page));
  return written.get(name);
}

// a row of the table zwang itself writes at this time
async function rowAt(source, t) {
  const { stdout } = await run(zwang, ['run', source, '--at', String(t), '--out', '-', '--quiet']);
  const [names, values] = stdout.trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(names.map((n, i) => [n, Number(values[i])]));
}

async function open(path, { width = 1280, height = 800, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: width < 500 });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.faults = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall|software/i.test(m.text()) && page.faults.push(m.text()));
  page.on('pageerror', (e) => page.faults.push(String(e)));
  page.on('request', (r) => !/^(file|data|blob):/.test(r.url()) && page.faults.push(`asks for ${r.url()}`));
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-ready]', { timeout: 120000 });
  page.done = async () => {
    await page.waitForTimeout(100);
    check(page.faults.length === 0, `the page complains: ${page.faults.join('; ')}`);
    await context.close();
  };
  return page;
}

function check(truth, words) {
  if (!truth) throw new Error(words);
}

function near(got, want, words, digits = 6) {
  const scale = Math.max(Math.abs(want), 1e-3);
  check(Math.abs(got - want) <= 10 ** -digits * scale, `${words}: got ${got}, want ${want}`);
}

// colours and dark pixels of the scene
const pixels = (page) =>
  page.evaluate(() => {
    const from = document.querySelector('.view canvas');
    const c = document.createElement('canvas');
    c.width = from.width;
    c.height = from.height;
    const pen = c.getContext('2d');
    pen.drawImage(from, 0, 0);
    const data = pen.getImageData(0, 0, c.width, c.height).data;
    const colours = new Map();
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
      colours.set(key, (colours.get(key) ?? 0) + 1);
      sum = (sum * 31 + key) >>> 0;
    }
    return { colours: colours.size, sum, most: Math.max(...colours.values()) / (data.length / 4) };
  });

const tests = {
  async the_page_of_the_staged_skater_plays() {
    const page = await open(await write('skater', model('skater_stages')));
    await page.click('button.play');
    await page.waitForFunction(() => zwang.time() > 0.3, null, { timeout: 120000 });
    await page.keyboard.press('Space');
    const t = await page.evaluate(() => zwang.time());
    await page.waitForTimeout(200);
    check((await page.evaluate(() => zwang.time())) === t, 'a paused page stands still');
    await page.done();
  },

  async scrubbing_shows_the_position_that_the_table_has() {
    const page = await open(await write('skater', model('skater_stages')));
    await page.click('#tab-values');
    for (const t of [0, 2.5, 4.7, 6.15, 9.999, 12]) {
      await page.evaluate((at) => {
        const slider = document.querySelector('.transport input');
        slider.value = String(at);
        slider.dispatchEvent(new Event('input'));
      }, t);
      const row = await rowAt(model('skater_stages'), t);
      for (const name of ['xi', 'eta', 'theta', "xi'", "theta'"]) {
        const shown = Number(await page.textContent(`[data-column="${name}"]`));
        // between frames the page draws straight lines
        near(shown, row[name], `${name} at ${t} s`, Number.isInteger(Math.round(t * 60e6) / 1e6) ? 6 : 3);
      }
    }
    await page.done();
  },

  async the_picture_is_not_empty_and_moves() {
    const page = await open(await write('skater', model('skater_stages')));
    await page.evaluate(() => zwang.seek(1));
    const one = await pixels(page);
    check(one.colours > 200 && one.most < 0.99, `the canvas is nearly empty: ${JSON.stringify(one)}`);
    await page.evaluate(() => zwang.seek(5));
    check((await pixels(page)).sum !== one.sum, 'the picture does not change');
    await page.done();
  },

  async names_and_titles_of_a_hostile_model_stay_text() {
    const evil = `</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>`;
    const text = `model "${evil}"\nparam m = 1 "${evil}"\ncoord x\nkinetic m/2*x'^2\ninitial x' = 1\n# ${evil}\n# <!-- <script>\nrun 0 .. 1\nplot x : t "${evil}"\n`;
    const source = join(folder, 'hostile.zw');
    writeFileSync(source, text);
    const page = await open(await write('hostile', source));
    check((await page.textContent('h1')) === evil, 'the title is not what was written');
    check((await page.title()) === evil, 'the title of the window is not what was written');
    for (const tab of ['equations', 'model', 'run', 'values', 'plots']) await page.click(`#tab-${tab}`);
    check((await page.textContent('.source')) === text, 'the text is not what was written');
    check(await page.evaluate(() => window.hacked === undefined), 'script of the model ran');
    check((await page.locator('img').count()) === 0, 'markup of the model was taken');
    await page.done();
  },

  async a_phone_needs_no_horizontal_scroll() {
    for (const name of ['skater_stages', 'rattleback']) {
      const page = await open(await write(name, model(name)), { width: 360, height: 740 });
      for (const tab of ['plots', 'values', 'equations', 'model', 'run']) {
        await page.click(`#tab-${tab}`);
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        check(wide <= room, `${name}, ${tab}: ${wide} pixels in a window of ${room}`);
      }
      await page.done();
    }
  },

  async long_words_wrap_and_the_folder_of_the_author_is_not_shown() {
    const long = 'unbreakable'.repeat(12);
    const home = join(folder, `${long} with blanks`);
    mkdirSync(join(home, 'parts'), { recursive: true });
    const source = join(home, `${long}.zw`);
    writeFileSync(join(home, 'parts', `${long}.inc`), `param ${long} = 1 "${long}"\n`);
    writeFileSync(source, `model "${long}"\nuse "parts/${long}.inc"\ncoord x_${long}\nkinetic ${long}/2*x_${long}'^2\n` +
      `constraint c_${long}: x_${long} = t\nevent e_${long}: x_${long} = 0.5 report\nstage s_${long} { until t >= 1 }\n` +
      `run 0 .. 1\nplot x_${long} : t "${long}"\n`);
    check(source.length > 300, `the path has only ${source.length} letters`);
    const page = await open(await write('long', source), { width: 360, height: 740 });
    for (const tab of ['plots', 'values', 'equations', 'model', 'run']) {
      await page.click(`#tab-${tab}`);
      const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      check(wide <= room, `${tab}: ${wide} pixels in a window of ${room}`);
      // what is cut off needs no scrolling, but cannot be read either
      const cut = await page.evaluate(() => [...document.querySelectorAll('h1, h2, h3, caption, th, dd, li, p, figcaption')]
        .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map((e) => e.tagName + ' ' + e.className));
      check(cut.length === 0, `${tab}: cut off: ${cut}`);
    }
    const names = await page.evaluate(() => [...document.querySelectorAll('#page-model h2')].map((e) => e.textContent));
    check(names.join() === `${long}.zw,parts/${long}.inc`, `the files are called ${names}`);
    check(!(await page.content()).includes('with blanks'), 'the page shows the folder of the author');
    await page.done();
  },

  async equations_are_set_in_every_form() {
    const page = await open(await write('benchmark', model('skater_benchmark')));
    await page.click('#tab-equations');
    const forms = await page.locator('#page-equations select option').count();
    check(forms > 10, `only ${forms} forms`);
    for (let i = 0; i < forms; i++) {
      await page.selectOption('#page-equations select', { index: i });
      check((await page.locator('.equation .katex').count()) > 0, `form ${i} shows nothing`);
      check((await page.locator('.katex-error').count()) === 0, `form ${i} has an error of KaTeX`);
    }
    check(await page.evaluate(() => document.fonts.check('16px KaTeX_Math')), 'the fonts of formulas are missing');
    await page.done();
  },

  async compared_runs_lie_over_each_other_with_a_selector() {
    const page = await open(await write('compare', model('skater_stages'), '--compare', 'L5=1,0.65,0.3'));
    check((await page.locator('#run option').allTextContents()).join() === 'L5 = 1,L5 = 0.65,L5 = 0.3', 'the selector names the runs');
    const values = [];
    for (const i of [0, 1, 2]) {
      await page.selectOption('#run', String(i));
      values.push(await page.evaluate(() => (zwang.seek(2), zwang.value('theta'))));
    }
    check(new Set(values).size === 3, 'the runs are the same');
    check(values[0] > values[1] && values[1] > values[2], 'a larger moment turns faster');
    await page.done();
  },

  async the_surface_of_the_geometry_is_seen_with_its_point() {
    const page = await open(await write('cam', model('cam_flywheel')));
    const one = await pixels(page);
    check(one.colours > 200, 'the surface is not seen');
    await page.evaluate(() => zwang.seek(3));
    check((await pixels(page)).sum !== one.sum, 'the point does not move');
    await page.done();
  },

  async a_slack_string_hangs_in_its_length() {
    // of a catenary with a = 1 the ends 2 apart have the arc 2 sinh 1 and lie cosh 1 - 1 above its lowest point
    const source = join(folder, 'slack.zw');
    writeFileSync(source, `param l = 2*sinh(1)\ncoord x\nparticle P mass 1 = (x, 0, 0) in world\n` +
      `constraint rope: l - norm(pos(P)) >= 0\ninitial x = 2\ninitial x' = 1\nshow rod from (0, 0, 0) to P\nrun 0 .. 1\n`);
    const page = await open(await write('slack', source));
    const low = (t) => page.evaluate((at) => (zwang.seek(at), zwang.drawn().find((p) => p.kind === 'rod').low[1]), t);
    const [slack, taut] = [await low(0), await low(1)];
    check(taut > -0.05, `taut it is straight: ${taut}`);
    near(slack - taut, 1 - Math.cosh(1), 'how deep it hangs', 2);
    await page.done();
  },

  async a_body_with_something_inside_is_looked_through() {
    const page = await open(await write('with_pendulum', model('rolling_with_pendulum')));
    const ball = (await page.evaluate(() => zwang.drawn())).find((p) => p.kind === 'ball');
    check(ball.glass, 'the ball hides its pendulum');
    await page.done();
    const other = await open(await write('turntable', model('rolling_turntable')));
    const full = (await other.evaluate(() => zwang.drawn())).find((p) => p.kind === 'ball');
    check(!full.glass, 'a ball with nothing inside is solid');
    await other.done();
  },

  async a_body_bounded_by_a_surface_of_the_model_is_seen_on_its_base() {
    const source = join(folder, 'egg.zw');
    writeFileSync(source, `surface egg(u, v) = (0.3*cos(v)*cos(u), 0.3*cos(v)*sin(u), 0.4*sin(v)*(1 + 0.1*sin(v)))\n` +
      `body B mass 1 inertia (0.05, 0.05, 0.04)\ngravity (0, 0, -9.81)\nroll B as egg on world as plane at c\n` +
      `initial rotation(B) = y(1.7)\ninitial c.u ~ 0\ninitial c.v ~ 0.2\ninitial omega(B) = (1, 2, 0.5)\nrun 0 .. 1\n`);
    const page = await open(await write('egg', source));
    for (const t of [0, 0.5, 1]) {
      const part = (await page.evaluate((at) => (zwang.seek(at), zwang.drawn()), t)).find((p) => p.kind === 'surface');
      // its lowest point touches the plane, as far as a grid of points has it
      check(Math.abs(part.low[2]) < 2e-3, `at ${t} s its lowest point is at ${part.low[2]}`);
      check(part.high[2] > 0.55 && part.high[2] < 0.9, `at ${t} s it reaches up to ${part.high[2]}`);
    }
    await page.done();
  },

  async arrows_of_a_rod_between_two_masses_are_opposite() {
    const source = join(folder, 'dumbbell.zw');
    writeFileSync(source, `coord x, y, u, v\nparticle A mass 1 = (x, y, 0) in world\nparticle B mass 1 = (u, v, 0) in world\n` +
      `constraint rod: norm(pos(A) - pos(B)) = 1\ninitial x = 0\ninitial y = 0\ninitial u = 1\ninitial v = 0\n` +
      `initial v' = 1\ninitial y' = -1\nrun 0 .. 1\n`);
    const page = await open(await write('dumbbell', source));
    const parts = JSON.parse(await page.textContent('#data')).runs[0].parts.filter((p) => p.kind === 'force');
    check(parts.map((p) => p.carrier).join() === 'A,B', `arrows at ${parts.map((p) => p.carrier)}`);
    await page.locator('.tools button', { hasText: 'Forces' }).click();
    const [a, b] = (await page.evaluate(() => (zwang.seek(0), zwang.drawn()))).filter((p) => p.kind === 'force');
    // each circles the middle: the rod pulls both inwards
    check(a.high[0] > 0.1 && a.low[0] > -0.1 && b.low[0] < 0.9 && b.high[0] < 1.1, `A ${a.low} ${a.high}, B ${b.low} ${b.high}`);
    await page.done();
  },

  async headings_go_down_by_one_and_regions_are_not_in_each_other() {
    const page = await open(await write('skater', model('skater_stages')));
    const levels = await page.evaluate(() => [...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1])));
    check(levels[0] === 1 && levels.every((l, i) => !i || l <= levels[i - 1] + 1), `headings: ${levels}`);
    check(await page.evaluate(() => document.querySelectorAll('main').length === 1 && !document.querySelector('main aside, main main, aside main')), 'one main part, and what is beside it outside of it');
    const bare = await page.evaluate(() => [...document.querySelectorAll('button, select, input, canvas')].filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.closest('[aria-hidden=true]'))).map((e) => e.outerHTML.slice(0, 80)));
    check(bare.length === 0, `without a name: ${bare.join('; ')}`);
    await page.done();
  },

  async keys_and_names_for_those_who_do_not_see() {
    const page = await open(await write('skater', model('skater_stages')));
    await page.keyboard.press('End');
    check((await page.evaluate(() => zwang.time())) === 12, 'End goes to the end');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    near(await page.evaluate(() => zwang.time()), 0.12, 'an arrow is a hundredth');
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, input, canvas')]
        .filter((e) => e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim()))
        .map((e) => e.outerHTML.slice(0, 80)),
    );
    check(nameless.length === 0, `without a name: ${nameless}`);
    await page.focus('#tab-plots');
    await page.keyboard.press('ArrowRight');
    check((await page.getAttribute('#tab-values', 'aria-selected')) === 'true', 'arrows walk over tabs');
    await page.done();
  },

  async light_and_dark_differ() {
    const path = await write('skater', model('skater_stages'));
    const shade = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await open(path);
    const dark = await open(path, { dark: true });
    const [a, b] = [await shade(light), await shade(dark)];
    check(a !== b, `both are ${a}`);
    await dark.keyboard.press('d');
    check((await shade(dark)) === a, 'the key d changes it');
    await light.done();
    await dark.done();
  },

  // WCAG 2: 4.5 for text, 3 for large text; of the scene, something must stand out by 3 from its ground
  async words_and_picture_stand_out_in_light_and_dark() {
    for (const [name, dark, width] of [['skater_stages', false, 1280], ['skater_stages', true, 1280], ['rattleback', true, 360], ['rattleback', false, 360], ['pendulum', false, 1280], ['pendulum', true, 1280]]) {
      const page = await open(await write(name, model(name)), { width, height: 740, dark });
      let least = Infinity;
      for (const tab of ['plots', 'values', 'equations', 'model', 'run']) {
        await page.click(`#tab-${tab}`);
        await page.waitForTimeout(200); // colours of buttons change slowly
        const words = await page.evaluate(contrasts);
        check(words.length > 5, `${name}, ${tab}: only ${words.length} words`);
        for (const { text, ratio, large } of words) {
          check(ratio >= (large ? 3 : 4.5), `${name}, ${dark ? 'dark' : 'light'}, ${tab}: "${text}" stands out by ${ratio.toFixed(2)} only`);
          least = Math.min(least, ratio);
        }
      }
      const { out, ratio } = await page.evaluate(standsOut);
      console.log(`#   ${name}, ${dark ? 'dark' : 'light'}, ${width}: words by ${least.toFixed(1)} at least, picture by ${ratio.toFixed(1)}`);
      check(out > 0.002, `${name}, ${dark ? 'dark' : 'light'}: ${(100 * out).toFixed(2)} % of the picture stand out by 3`);
      await page.done();
    }
  },

  async every_control_is_reached_by_keys_and_shows_it() {
    for (const [name, width] of [['skater_stages', 1280], ['skater_stages', 360], ['pendulum', 1280]]) {
      const page = await open(await write(name, model(name)), { width, height: 740 });
      for (const tab of ['plots', 'equations', 'run']) {
        await page.click(`#tab-${tab}`);
        await page.evaluate(() => document.activeElement.blur());
        const wanted = await page.evaluate(() => {
          const all = [...document.querySelectorAll('button, select, input, textarea, a[href], canvas[tabindex], [tabindex="0"]')];
          // of tabs one is reached, the others by arrows from it
          const some = all.filter((e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0);
          some.forEach((e, i) => (e.dataset.asked = String(i)));
          return some.length;
        });
        const reached = new Set();
        for (let i = 0; i < 3 * wanted + 10 && reached.size < wanted; i++) {
          await page.keyboard.press('Tab');
          const now = await page.evaluate(focused);
          if (now.asked === undefined) continue;
          check(now.seen, `${name}, ${tab}: nothing shows that the keys are at ${now.what}`);
          reached.add(now.asked);
        }
        check(reached.size === wanted && wanted > 5, `${name}, ${tab}: ${reached.size} of ${wanted} controls are reached`);
        await page.evaluate(() => document.querySelectorAll('[data-asked]').forEach((e) => delete e.dataset.asked));
      }
      await page.done();
    }
  },

  async a_finger_turns_the_picture_and_moves_the_time() {
    const page = await open(await write('skater', model('skater_stages')), { width: 360, height: 740 });
    const hand = await page.context().newCDPSession(page);
    const drag = async (from, to) => {
      const at = (k) => [{ x: from.x + ((to.x - from.x) * k) / 8, y: from.y + ((to.y - from.y) * k) / 8 }];
      await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
      for (let k = 1; k <= 8; k++) {
        await hand.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(k) });
        await page.waitForTimeout(30);
      }
      await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await page.waitForTimeout(600);
    };
    const [eye, sum] = [await page.evaluate(() => zwang.eye()), (await pixels(page)).sum];
    const view = await page.locator('.view > canvas').boundingBox();
    await drag({ x: view.x + 120, y: view.y + 0.7 * view.height }, { x: view.x + 260, y: view.y + 0.6 * view.height });
    const turned = await page.evaluate(() => zwang.eye());
    check(Math.hypot(...eye.map((x, k) => x - turned[k])) > 0.1, 'the camera stays');
    check((await pixels(page)).sum !== sum, 'the picture stays');
    check((await page.evaluate(() => scrollY)) === 0, 'the page scrolls instead');
    const line = await page.locator('.transport input').boundingBox();
    const y = line.y + line.height / 2;
    await drag({ x: line.x + 10, y }, { x: line.x + line.width / 2, y });
    near(await page.evaluate(() => zwang.time()), 6, 'the time in the middle of the line', 1);
    // beside the picture a finger scrolls
    const side = await page.locator('#page-plots').boundingBox();
    await drag({ x: 180, y: Math.min(side.y + 60, 700) }, { x: 180, y: 200 });
    check((await page.evaluate(() => scrollY)) > 50, 'the page does not scroll');
// WCAG 2.2: 24 pixels at least
    for (const tab of ['plots', 'values', 'equations', 'model', 'run']) {
      await page.click(`#tab-${tab}`);
      const low = await page.evaluate(() => [...document.querySelectorAll('button, select, input')].filter((e) => e.checkVisibility() && Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width) < 24).map((e) => e.outerHTML.slice(0, 60)));
      check(low.length === 0, `too small for a finger: ${low.slice(0, 4)}`);
    }
    await page.done();
  },

  async a_minute_at_sixty_frames_a_second_is_small_and_soon_there() {
    const path = await write('minute', model('rattleback'), '--until', '60', '--every', '0.016666666666666666');
    const size = statSync(path).size;
    check(size < 3e6, `${size} bytes`);
    let best = Infinity;
    for (let i = 0; i < 3; i++) {
      const page = await open(path);
      best = Math.min(best, Number(await page.getAttribute('html', 'data-ready')));
      await page.done();
    }
    console.log(`# ${size} bytes, interactive after ${best} ms`);
    // a busy machine takes its time; a quiet one needs less than a second
    check(best < 5000, `interactive after ${best} ms`);
  },

  async ten_thousand_frames_of_twenty_bodies_play_smoothly() {
    const lines = ['model "Twenty pendulums"', 'gravity (0, 0, -9.81)'];
    for (let i = 0; i < 20; i++)
      lines.push(`coord q${i} [rad]`, `frame F${i} = world at (0, ${i / 5}, 0) rotated y(q${i})`, `body B${i} mass 1 inertia (0.1, 0.1, 0.01) at (0, 0, -${1 + i / 40}) in F${i}`, `initial q${i} = 1`);
    const source = join(folder, 'twenty.zw');
    writeFileSync(source, lines.join('\n') + '\nrun 0 .. 100\n');
    const path = await write('twenty', source, '--points', '10000');
    const page = await open(path, { width: 640, height: 480 });
    // moving everything to another frame, without drawing it: what the page adds to the graphics card's work
    // The best of many short batches: others may be at work on this machine.
    const ms = await page.evaluate(() => {
      let best = Infinity;
      for (let batch = 0; batch < 60; batch++) {
        const from = performance.now();
        for (let i = 0; i < 5; i++) zwang.move(((5 * batch + i) * 37) % 100);
        best = Math.min(best, (performance.now() - from) / 5);
      }
      return best;
    });
    console.log(`# ${statSync(path).size} bytes, ${ms.toFixed(2)} ms a frame`);
    check(ms < 8, `${ms} ms to move to a frame`);
    await page.done();
  },
};

const timed = ['a_minute_at_sixty_frames_a_second_is_small_and_soon_there', 'ten_thousand_frames_of_twenty_bodies_play_smoothly'];
const names = Object.keys(tests).filter((n) => n.includes(wanted));
console.log(`1..${names.length}`);
browser = await chromium.launch({
  executablePath: browserPath,
  args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
// several at a time, as a page waits more than it works; what is measured by the clock goes alone, behind the others
const told = new Map();
const attempt = async (name) => told.set(name, await tests[name]().then(() => '', (fault) => String(fault?.stack ?? fault) || 'a fault'));
const waiting = names.filter((n) => !timed.includes(n));
await Promise.all(Array.from({ length: 3 }, async () => {
  for (let name = waiting.shift(); name; name = waiting.shift()) await attempt(name);
}));
for (const name of names.filter((n) => timed.includes(n))) await attempt(name);
let failed = 0;
for (const [i, name] of names.entries()) {
  const fault = told.get(name);
  if (fault) console.log(`#   ${fault.replaceAll('\n', '\n#   ')}`);
  failed += Boolean(fault);
  console.log(`${fault ? 'not ok' : 'ok'} ${i + 1} - ${name}`);
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
