// The page's side of the worker: one request at a time is under way, and of those that wait only the last counts.
import type { Answer, Request } from './worker';

async function program(): Promise<ArrayBuffer> {
  const packed = document.getElementById('engine')!.textContent!;
  const raw = atob(packed);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

type Reply = Answer & { editor?: unknown[]; example?: string | null };

export class Client {
  readonly ready: Promise<{ ready: string; examples: { name: string; title: string }[] }>;
  private worker: Worker;
  private under: Request | null = null;
  private waits: Request | null = null;
  private number = 0;
  private editors: ((messages: unknown[]) => void)[] = [];
  private examples: ((text: string | null) => void)[] = [];

  constructor(private got: (a: Answer, r: Request) => void) {
    const text = document.getElementById('worker')!.textContent!;
    this.worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    this.ready = new Promise((done) => {
      this.worker.onmessage = (e) => {
        done(e.data as { ready: string; examples: { name: string; title: string }[] });
        this.worker.onmessage = (m) => this.take(m.data as Reply);
      };
    });
    void program().then((bytes) => this.worker.postMessage(bytes, [bytes]));
  }

  private take(m: Reply): void {
    if (m.editor) {
      this.editors.shift()?.(m.editor);
      return;
    }
    if (m.example !== undefined) {
      this.examples.shift()?.(m.example);
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

  // a message of the language server protocol, and those that come back
  editor(message: unknown): Promise<unknown[]> {
    return this.ready.then(() => new Promise((done) => {
      this.editors.push(done);
      this.worker.postMessage({ editor: message });
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
