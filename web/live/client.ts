// The page's side of the workers. Of the first one request at a time is under way, and of those that wait only the last counts;
// the second, started when it is first asked, answers the editor.
import type { Pull } from './drag';
import type { Answer, Request } from './worker';

interface Ready {
  ready: string;
  program: WebAssembly.Module; // compiled: the second worker need not do that again
  examples: { name: string; title: string }[];
}
type Starts = Record<string, number>;
type Reply = Answer & { editor?: unknown[]; example?: string | null; pulled?: Starts | null };

// a worker with the program in it, once it is ready
function hire(program: WebAssembly.Module | { packed: string; size: number }): Promise<{ worker: Worker; greeting: Ready }> {
  const text = document.getElementById('worker')!.textContent!;
  const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
  worker.postMessage(program);
  return new Promise((done) => (worker.onmessage = (e) => done({ worker, greeting: e.data as Ready })));
}

export class Client {
  readonly ready: Promise<Ready>;
  private worker!: Worker;
  private under: Request | null = null;
  private waits: Request | null = null;
  private number = 0;
  private pulls: ((starts: Starts | null) => void)[] = [];
  private examples: ((text: string | null) => void)[] = [];

  constructor(private got: (a: Answer, r: Request) => void) {
    const packed = document.getElementById('engine')!;
    this.ready = hire({ packed: packed.textContent!, size: Number(packed.dataset['size']) }).then(({ worker, greeting }) => {
      this.worker = worker;
      worker.onmessage = (m) => this.take(m.data as Reply);
      return greeting;
    });
  }

  private take(m: Reply): void {
    if (m.example !== undefined) {
      this.examples.shift()?.(m.example);
      return;
    }
    if (m.pulled !== undefined) {
      this.pulls.shift()?.(m.pulled);
      return;
    }
    const r = this.under!;
    this.under = null;
    if (this.waits) this.send(this.waits);
    this.got(m, r);
  }

  private send(r: Request): void {
    this.waits = null;
    this.under = r;
    this.worker.postMessage(r);
  }

  ask(wish: Omit<Request, 'id'>): void {
    const r = { ...wish, id: ++this.number };
    // what was asked for whole and is overtaken stays asked for whole
    if (this.waits?.whole) r.whole = true;
    if (this.under) this.waits = r;
    else void this.ready.then(() => (this.under ? (this.waits = r) : this.send(r)));
  }

  // other numbers of this are going to be asked for
  prepare(wish: Omit<Request, 'id'>): void {
    if (!this.under) this.worker.postMessage({ ...wish, id: 0, early: true });
  }

  // a language server of its own: a message of the protocol, and those that come back
  async editor(): Promise<(message: unknown) => Promise<unknown[]>> {
    const { worker } = await hire((await this.ready).program);
    const waiting: ((messages: unknown[]) => void)[] = [];
    worker.onmessage = (m) => waiting.shift()?.((m.data as Reply).editor ?? []);
    return (message) => new Promise((done) => {
      waiting.push(done);
      worker.postMessage({ editor: message });
    });
  }

  // the starts that bring a part to a place; null where none do
  pull(wish: Omit<Request, 'id'>, pull: Pull, from: Starts): Promise<Starts | null> {
    return this.ready.then(() => new Promise((done) => {
      this.pulls.push(done);
      this.worker.postMessage({ pull, from, request: { ...wish, id: 0 } });
    }));
  }

  // the text of a model that comes with zwang
  example(name: string): Promise<string | null> {
    return this.ready.then(() => new Promise((done) => {
      this.examples.push(done);
      this.worker.postMessage({ example: name });
    }));
  }

  get busy(): boolean {
    return this.under !== null;
  }
}
