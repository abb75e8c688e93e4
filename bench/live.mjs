// Runs in WebAssembly beside the same runs of the program: the milliseconds of the shortest of many, in turns, and their ratio.
// usage: node --experimental-wasm-relaxed-simd live.mjs BENCH_LIVE ROOT FOLDER [model ...]     FOLDER: what `make live` has made
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const [native, root, folder, ...words] = process.argv.slice(2);
const models = words.length ? words : ['skater_stages', 'double_pendulum', 'rolling_disc', 'string_pendulum', 'whipple_bicycle', 'rattleback',
  'snakeboard', 'heavy_top', 'pendulum', 'bouncing_ball'];
const { buildSync } = require(join(resolve(root), 'web/node_modules/esbuild'));
const place = mkdtempSync(join(tmpdir(), 'zwang-bench-'));
writeFileSync(join(place, 'engine.cjs'), buildSync({
  absWorkingDir: join(resolve(root), 'web'), entryPoints: ['live/engine.ts'], bundle: true, format: 'cjs', write: false,
}).outputFiles[0].text);
const { Engine } = require(join(place, 'engine.cjs'));
rmSync(place, { recursive: true });
const factory = require(resolve(folder, 'zwang.js'));
const program = await Engine.compile(new Uint8Array(readFileSync(join(folder, 'zwang.wasm'))));
const [rounds, span] = [3, 400]; // ms of each in a round

function inModule(engine) {
  let least = Infinity;
  for (const begin = performance.now(); performance.now() - begin < span;) {
    const from = performance.now();
    if (engine.run({ points: 2 }) < 0) throw new Error(engine.reason());
    least = Math.min(least, performance.now() - from);
  }
  return least;
}

function say(line) {
  console.log(line);
  if (process.env.ZWANG_RESULTS) appendFileSync(process.env.ZWANG_RESULTS, `${line}\n`);
}

say(`\nWhole runs in WebAssembly beside the program's, ms\n  ${cpus()[0].model}, Node.js ${process.version}`);
for (const name of models) {
  const file = join(root, 'models', `${name}.zw`);
  const engine = await Engine.start(factory, program);
  if (!engine.open(`${name}.zw`, readFileSync(file, 'utf8'))) throw new Error(`${name} cannot be read`);
  const least = [Infinity, Infinity];
  for (let i = 0; i < rounds; i++) {
    least[0] = Math.min(least[0], inModule(engine));
    least[1] = Math.min(least[1], Number(execFileSync(native, [file, String(span / 1000)], { encoding: 'utf8' })));
  }
  say(`  ${name.padEnd(18)} ${least[0].toFixed(3).padStart(9)} beside ${least[1].toFixed(3).padStart(9)}: ${(least[0] / least[1]).toFixed(2)} times`);
}
