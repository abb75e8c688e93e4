// Bundle the live viewer, live.html: the viewer, zwang as WebAssembly, and the worker that runs it.
// usage: node live.mjs FOLDER     FOLDER holds zwang.js and zwang.wasm
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pageOf, scriptOf } from './bundle.mjs';

const folder = resolve(process.argv[2]);
const worker = await scriptOf('live/worker.ts', {
  alias: { 'zwang.js': join(folder, 'zwang.js') }, external: ['fs', 'path', 'crypto', 'ws', 'child_process', 'url'], charset: 'utf8', plugins: [],
});
const wasm = gzipSync(readFileSync(join(folder, 'zwang.wasm')), { level: 9 });
const licences = ['GMP (mini-gmp): GNU LGPL 3 or GNU GPL 2', 'jansson: MIT', 'utf8proc: MIT', 'AMD of SuiteSparse: BSD', 'SUNDIALS: BSD',
  'emscripten and musl: MIT'].join('\n');
const page = await pageOf(await scriptOf('live/main.ts'), {
  inert: [{ id: 'worker', type: 'text/plain', text: worker.replace(/<!--/g, '<\\!--') }, { id: 'engine', type: 'text/plain', text: wasm.toString('base64') }],
  allowed: " 'wasm-unsafe-eval'", policies: ['worker-src blob:'], more: [licences],
});
writeFileSync(join(folder, 'live.html'), page);
console.log(`live: live.html, ${(statSync(join(folder, 'live.html')).size / 1e6).toFixed(2)} MB`);
