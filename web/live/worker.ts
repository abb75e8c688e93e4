// The worker of a live page: zwang runs here, so that the page never waits. It answers each request by what came of it.
import factory from 'zwang.js';
import type { Param } from '../src/data';
import { Engine, Factory, Note } from './engine';
import { pulled, type Pull } from './drag';
import { unpackLzma } from './lzma';

export interface Request {
  id: number;
  files: { name: string; text: string }[]; // the model first, then those it uses
  sets: Record<string, string>;
  starts: Record<string, number>;
  until?: number;
  tolerance?: number;
  method?: string;
  every?: number;
  from?: number; // s, where the run begins
  whole: boolean; // with equations and texts
  early?: boolean; // nothing is to be answered: other numbers of this are going to be asked for
}

export interface Answer {
  id: number;
  notes: Note[];
  status: number;
  scene: unknown; // what the page reads, blocks of numbers as buffers; null where nothing came of it
  again: boolean; // numbers alone were new: equations and texts are those there are
  every: number; // s between the frames of a whole one, 0 where it is not known
  took: { read: number; run: number; scene: number }; // ms
}

interface Scope {
  onmessage: ((e: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}
const scope = self as unknown as Scope;
let engine: Engine;

function buffer(text: string): ArrayBuffer {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

// the scene tells params as they were read; these were given since
function tell(params: Param[], numbers: Record<string, number>): void {
  for (const p of params) p.value = numbers[p.name] ?? p.value;
}

// base64 becomes numbers here and not in the page
function unpack(scene: { runs: Record<string, unknown>[] }): Transferable[] {
  const buffers: ArrayBuffer[] = [];
  for (const run of scene.runs)
    for (const block of ['floats', 'shorts', 'time']) {
      const b = buffer(run[block] as string);
      run[block] = b;
      buffers.push(b);
    }
  return buffers;
}

// ---- other numbers -----------------------------------------------------------------------------------

// What the engine was made ready for; a request that differs from it in numbers alone is run without reading the model anew.
let ready: Request | null = null;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

// the numbers of a request that the model has to be given, null where it is another model
function numbersOf(r: Request): Record<string, number> | null {
  const b = ready;
  if (!b || r.whole || !same(r.files, b.files) || r.tolerance !== b.tolerance || r.method !== b.method || r.every !== b.every) return null;
  // what was set stays set unless it is set anew
  if (Object.keys(b.sets).some((n) => !(n in r.sets))) return null;
  const numbers = { ...r.starts };
  for (const [name, value] of Object.entries(r.sets)) if (value !== b.sets[name]) numbers[name] = Number(value);
  return Object.values(numbers).every(Number.isFinite) ? numbers : null;
}

// made once nothing else is to be done: the next slider finds it there, with its kernels compiled
function prepare(r: Request, every: number): void {
  ready = !r.method && every > 0 && engine.prepare(r.tolerance ?? 0, every) ? { ...r, every } : null;
  const numbers = ready && numbersOf({ ...ready, whole: false });
  if (numbers) engine.again(numbers, r.until);
}

// where a part is at the start, in a run of one frame
function placeAt(part: number, numbers: Record<string, number>): number[] | null {
  const status = engine.again(numbers, (ready!.from ?? 0) + ready!.every!);
  const text = status === -2 ? null : engine.scene(false);
  if (!text) return null;
  const run = (JSON.parse(text) as { runs: { rows: number; floats: string; parts: { at: (number | [number, number])[] }[] }[] }).runs[0]!;
  const floats = new Float32Array(buffer(run.floats));
  return run.parts[part]?.at.map((c) => (Array.isArray(c) ? c[0] + floats[c[1] * run.rows]! : c)) ?? null;
}

function pull(r: Request, p: Pull, from: Record<string, number>): Record<string, number> | null {
  if (!numbersOf(r) && read(r)) prepare(r, r.every ?? 0);
  const numbers = numbersOf(r);
  return numbers && pulled(p, numbers, from, (n) => placeAt(p.part, n));
}

// ---- answers -----------------------------------------------------------------------------------------

function read(r: Request): boolean {
  const [model, ...used] = r.files;
  ready = null;
  for (const f of used) engine.file(f.name, f.text);
  return engine.open(model!.name, model!.text, r.sets, r.starts);
}

function frames(time: ArrayBuffer): number {
  const t = new Float64Array(time);
  return t.length > 2 ? t[1]! - t[0]! : 0;
}

function runAnew(r: Request, took: Answer['took']): number {
  let from = performance.now();
  const fine = read(r);
  took.read = performance.now() - from;
  if (!fine) return -2;
  from = performance.now();
  const { until, tolerance, method, every } = r;
  const status = engine.run({ ...(until !== undefined && { until }), ...(tolerance && { tolerance }), ...(method && { method }), ...(every && { every }), scene: true });
  took.run = performance.now() - from;
  return status;
}

function runAgain(r: Request, numbers: Record<string, number>, took: Answer['took']): number {
  const from = performance.now();
  const status = engine.again(numbers, r.until);
  took.run = performance.now() - from;
  return status;
}

function answer(r: Request): [Answer, Transferable[]] {
  const a: Answer = { id: r.id, notes: [], status: -2, scene: null, again: false, every: 0, took: { read: 0, run: 0, scene: 0 } };
  let buffers: Transferable[] = [];
  const numbers = numbersOf(r);
  if (numbers) a.status = runAgain(r, numbers, a.took);
  a.again = a.status !== -2;
  if (!a.again) a.status = runAnew(r, a.took);
  const from = performance.now();
  const text = a.status === -2 ? null : engine.scene(r.whole);
  if (text) {
    const scene = JSON.parse(text) as { runs: Record<string, unknown>[] };
    buffers = unpack(scene);
    if (a.again) tell(scene.runs[0]!['params'] as Param[], numbers!);
    a.scene = scene;
    if (r.whole) a.every = frames(scene.runs[0]!['time'] as ArrayBuffer);
  }
  a.took.scene = performance.now() - from;
  a.notes = engine.notes();
  return [a, buffers];
}

// the first message holds the program, packed or compiled; all others are requests
async function begin(program: WebAssembly.Module | { packed: string; size: number }): Promise<void> {
  const compiled = program instanceof WebAssembly.Module ? program
    : await Engine.compile(unpackLzma(new Uint8Array(buffer(program.packed)), program.size));
  engine = await Engine.start(factory as unknown as Factory, compiled);
  scope.postMessage({ ready: engine.version(), examples: engine.examples(), program: compiled }, []);
}

scope.onmessage = (e) => {
  if (!engine) {
    void begin(e.data as WebAssembly.Module | { packed: string; size: number });
    return;
  }
  if (e.data.example) {
    scope.postMessage({ example: engine.example(e.data.example as string) }, []);
    return;
  }
  if (e.data.editor) {
    scope.postMessage({ editor: engine.editor(e.data.editor) }, []);
    return;
  }
  if (e.data.pull) {
    const { request, pull: p, from } = e.data as { request: Request; pull: Pull; from: Record<string, number> };
    scope.postMessage({ pulled: pull(request, p, from) }, []);
    return;
  }
  const r = e.data as Request;
  if (r.early) {
    if (read(r)) prepare(r, r.every ?? 0);
    return;
  }
  const [a, buffers] = answer(r);
  scope.postMessage(a, buffers);
  if (a.every > 0) prepare(r, a.every);
};
