// The worker of a live page: zwang runs here, so that the page never waits. It answers each request by what came of it.
import factory from 'zwang.js';
import { Engine, Factory, Note } from './engine';

export interface Request {
  id: number;
  files: { name: string; text: string }[]; // the model first, then those it uses
  sets: Record<string, string>;
  starts: Record<string, number>;
  until?: number;
  tolerance?: number;
  method?: string;
  every?: number;
  whole: boolean; // with equations and texts
}

export interface Answer {
  id: number;
  notes: Note[];
  status: number;
  scene: unknown; // what the page reads, blocks of numbers as buffers; null where nothing came of it
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

function answer(r: Request): [Answer, Transferable[]] {
  const now = () => performance.now();
  const [model, ...used] = r.files;
  const a: Answer = { id: r.id, notes: [], status: -2, scene: null, took: { read: 0, run: 0, scene: 0 } };
  let buffers: Transferable[] = [];
  let from = now();
  for (const f of used) engine.file(f.name, f.text);
  const read = engine.open(model!.name, model!.text, r.sets, r.starts);
  a.took.read = now() - from;
  if (read) {
    from = now();
    const { until, tolerance, method, every } = r;
    a.status = engine.run({ ...(until !== undefined && { until }), ...(tolerance && { tolerance }), ...(method && { method }), ...(every && { every }), scene: true });
    a.took.run = now() - from;
    from = now();
    const text = engine.scene(r.whole);
    if (text) {
      const scene = JSON.parse(text) as { runs: Record<string, unknown>[] };
      buffers = unpack(scene);
      a.scene = scene;
    }
    a.took.scene = now() - from;
  }
  a.notes = engine.notes();
  return [a, buffers];
}

// the first message holds the program, all others are requests
scope.onmessage = async (e) => {
  if (!engine) {
    engine = await Engine.start(factory as unknown as Factory, e.data as ArrayBuffer);
    scope.postMessage({ ready: engine.version(), examples: engine.examples() }, []);
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
  scope.postMessage(...answer(e.data as Request));
};
