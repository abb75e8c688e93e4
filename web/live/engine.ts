// zwang itself, as WebAssembly: a model's text in; notes, equations, rows, scenes out. Runs wherever WebAssembly does; pages
// keep it in a worker.
import { fuses, unfused } from './fused';

export interface Note {
  level: 'info' | 'warning' | 'error';
  text: string; // as the program prints it
  line?: number;
  column?: number;
}

export interface Table {
  names: string[];
  units: string[]; // '' where it is not known
  rows: number;
  values: Float64Array; // row by row
}

export interface RunOptions {
  until?: number; // s; the model's own where it is not given, as all of these
  tolerance?: number;
  method?: string;
  points?: number; // rows, or
  every?: number; // s between them
  scene?: boolean;
}

// what the door in src/live/door.c exports, and the memory it writes to
interface Module {
  ccall(name: string, returns: string | null, types: string[], values: unknown[]): unknown;
  UTF8ToString(at: number): string;
  HEAPF64: Float64Array;
}

type Receive = (instance: WebAssembly.Instance) => void;
interface Options {
  fuses: boolean; // read by src/code/module.c
  instantiateWasm: (imports: WebAssembly.Imports, receive: Receive) => object;
}
export type Factory = (options: Options) => Promise<Module>;

export class Engine {
  private constructor(private module: Module) {}

  // the bytes of zwang.wasm, which may change in place, as this browser understands them
  static compile(bytes: Uint8Array<ArrayBuffer>, fused = fuses()): Promise<WebAssembly.Module> {
    return WebAssembly.compile(fused ? bytes : unfused(bytes));
  }

  static async start(factory: Factory, program: WebAssembly.Module): Promise<Engine> {
    const instantiateWasm = (imports: WebAssembly.Imports, receive: Receive) => {
      const instance = new WebAssembly.Instance(program, imports);
      receive(instance);
      return instance.exports;
    };
    return new Engine(await factory({ instantiateWasm, fuses: fuses() }));
  }

  private text(name: string, types: string[] = [], values: unknown[] = []): string | null {
    const at = this.module.ccall(name, 'number', types, values) as number;
    return at ? this.module.UTF8ToString(at) : null;
  }

  private number(name: string, types: string[] = [], values: unknown[] = []): number {
    return this.module.ccall(name, 'number', types, values) as number;
  }

  version(): string {
    return this.text('live_version')!;
  }

  // a text that models can `use` by this name
  file(name: string, text: string): boolean {
    return this.number('live_file', ['string', 'string'], [name, text]) !== 0;
  }

  // Params set to expressions, starts of coordinates and velocities to numbers. False where there are errors, which are among
  // the notes.
  open(name: string, text: string, sets: Record<string, string> = {}, starts: Record<string, number> = {}): boolean {
    const set = Object.entries(sets).map(([param, value]) => `${param}=${value.replace(/\n/g, ' ')}`);
    const start = Object.entries(starts).map(([coordinate, value]) => `${coordinate}=${value}`);
    return this.number('live_open', ['string', 'string', 'string', 'string'], [name, text, set.join('\n'), start.join('\n')]) !== 0;
  }

  // those since the last call
  notes(): Note[] {
    return JSON.parse(this.text('live_notes') ?? '[]') as Note[];
  }

  // Status as in zwang.h: below zero it failed, -2 with nothing computed.
  run(o: RunOptions = {}): number {
    return this.number('live_run', ['number', 'number', 'string', 'number', 'number', 'number'],
      [o.until ?? NaN, o.tolerance ?? 0, o.method ?? null, o.points ?? 0, o.every ?? 0, o.scene ? 1 : 0]);
  }

  // The model that is open made ready for other numbers; false where it has to be read anew for them.
  prepare(tolerance: number, every: number): boolean {
    return this.number('live_prepare', ['number', 'number'], [tolerance, every]) !== 0;
  }

  // A run of what was made ready with these params and starts, all others as the text has them; -2: it has to be read anew.
  again(numbers: Record<string, number>, until?: number): number {
    const lines = Object.entries(numbers).map(([name, value]) => `${name}=${value}`);
    return this.number('live_again', ['string', 'number'], [lines.join('\n'), until ?? NaN]);
  }

  reason(): string {
    return this.text('live_reason') ?? '';
  }

  table(): Table {
    const rows = this.number('live_rows');
    const columns = this.number('live_columns');
    const names = Array.from({ length: columns }, (_, i) => this.text('live_column', ['number'], [i])!);
    const units = names.map((_, i) => this.text('live_unit', ['number'], [i])!);
    const at = this.number('live_values') / 8;
    return { names, units, rows, values: this.module.HEAPF64.slice(at, at + rows * columns) };
  }

  // "text", "latex", "json" or "c"; null where the form does not suit: see the notes
  equations(form: string, style: string): string | null {
    return this.text('live_equations', ['string', 'string'], [form, style]);
  }

  forms(): unknown {
    return JSON.parse(this.text('live_forms') ?? '[]');
  }

  // what a page shows of the last run, made with `scene`; whole: with equations and texts, too
  scene(whole: boolean): string | null {
    return this.text('live_scene', ['number'], [whole ? 1 : 0]);
  }

  // the models that come with zwang
  examples(): { name: string; title: string }[] {
    const list = [];
    for (let i = 0; ; i++) {
      const name = this.text('live_example', ['number'], [i]);
      if (name === null) return list;
      list.push({ name, title: this.text('live_example_title', ['number'], [i]) ?? '' });
    }
  }

  example(name: string): string | null {
    return this.text('live_example_text', ['string'], [name]);
  }

  // the language server: a message in, those to be sent out
  editor(message: unknown): unknown[] {
    const lines = this.text('live_editor', ['string'], [JSON.stringify(message)]) ?? '';
    return lines.split('\n').filter(Boolean).map((line) => JSON.parse(line) as unknown);
  }
}
