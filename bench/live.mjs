// Runs in WebAssembly beside the same runs of the program: the milliseconds of the shortest of many, in turns, and their ratio; in
// Node.js, and in Chromium where it is installed.
// usage: node --experimental-wasm-relaxed-simd live.mjs BENCH_LIVE ROOT FOLDER [model ...]     FOLDER: what `make live` has made
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const [native, root, folder, ...words] = process.argv.slice(2);
const models = words.length ? words : ['skater_stages', 'double_pendulum', 'rolling_disc', 'string_pendulum', 'whipple_bicycle', 'rattleback',
  'snakeboard', 'heavy_top', 'pendulum', 'bouncing_ball'];
const web = join(resolve(root), 'web');
const { buildSync } = require(join(web, 'node_modules/esbuild'));
const bundle = (format, more = {}) => buildSync({ absWorkingDir: web, entryPoints: ['live/engine.ts'], bundle: true, format, write: false, ...more }).outputFiles[0].text;
const bytes = readFileSync(join(folder, 'zwang.wasm'));
const [rounds, span] = [3, 400]; // ms of each in a round

// the shortest of the runs in so many ms, several together where one is over before the clock has gone on; also in pages
function shortest(engine, span) {
  const some = (n) => {
    const from = performance.now();
    for (let i = 0; i < n; i++) if (engine.run({ points: 2 }) < 0) throw new Error(engine.reason());
    return (performance.now() - from) / n;
  };
  const together = Math.ceil(0.2 / Math.max(Math.min(some(1), some(1), some(1)), 0.01));
  let least = Infinity;
  for (const begin = performance.now(); performance.now() - begin < span;) least = Math.min(least, some(together));
  return least;
}

async function inNode() {
  const place = mkdtempSync(join(tmpdir(), 'zwang-bench-'));
  writeFileSync(join(place, 'engine.cjs'), bundle('cjs'));
  const { Engine } = require(join(place, 'engine.cjs'));
  rmSync(place, { recursive: true });
  const factory = require(resolve(folder, 'zwang.js'));
  const program = await Engine.compile(new Uint8Array(bytes));
  return {
    name: `Node.js ${process.version}`,
    open: async (name, text) => {
      const engine = await Engine.start(factory, program);
      if (!engine.open(name, text)) throw new Error(`${name} cannot be read`);
      return async () => shortest(engine, span);
    },
    close: () => undefined,
  };
}

// a page of its own origin, isolated from others: its clock tells microseconds
async function inChromium() {
  const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!path || !existsSync(join(web, 'node_modules/playwright-core'))) return null;
  const { chromium } = require(join(web, 'node_modules/playwright-core'));
  const script = `${readFileSync(join(folder, 'zwang.js'), 'utf8')};${bundle('iife', { globalName: 'live' })};${shortest}`;
  const served = { '/': ['text/html', '<script src="script.js"></script>'], '/script.js': ['text/javascript', script], '/zwang.wasm': ['application/wasm', bytes] };
  const server = createServer((q, a) => {
    const [kind, text] = served[q.url] ?? ['text/plain', ''];
    a.writeHead(served[q.url] ? 200 : 404, { 'Content-Type': kind, 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }).end(text);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await chromium.launch({ executablePath: path, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(async () => (window.program = await live.Engine.compile(new Uint8Array(await (await fetch('zwang.wasm')).arrayBuffer()))));
  return {
    name: `Chromium ${browser.version()}`,
    open: async (name, text) => {
      await page.evaluate(async ([name, text]) => {
        window.engine = await live.Engine.start(zwang, window.program);
        if (!window.engine.open(name, text)) throw new Error(`${name} cannot be read`);
      }, [name, text]);
      return () => page.evaluate((span) => shortest(window.engine, span), span);
    },
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

function say(line) {
  console.log(line);
  if (process.env.ZWANG_RESULTS) appendFileSync(process.env.ZWANG_RESULTS, `${line}\n`);
}

const all = [await inNode(), await inChromium()].filter((p) => p);
say(`\nWhole runs in WebAssembly beside the program's, ms\n  ${cpus()[0].model}, ${all.map((p) => p.name).join(', ')}`);
for (const name of models) {
  const file = join(root, 'models', `${name}.zw`);
  const text = readFileSync(file, 'utf8');
  const [runs, least] = [[], new Array(all.length + 1).fill(Infinity)];
  for (const p of all) runs.push(await p.open(`${name}.zw`, text));
  for (let i = 0; i < rounds; i++) {
    least[0] = Math.min(least[0], Number(execFileSync(native, [file, String(span / 1000)], { encoding: 'utf8' })));
    for (const [k, run] of runs.entries()) least[k + 1] = Math.min(least[k + 1], await run());
  }
  const told = least.slice(1).map((ms) => `${ms.toFixed(3).padStart(9)} (${(ms / least[0]).toFixed(2)} times)`);
  say(`  ${name.padEnd(18)} ${least[0].toFixed(3).padStart(9)} beside ${told.join(', ')}`);
}
for (const p of all) await p.close();
