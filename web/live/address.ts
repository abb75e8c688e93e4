// A model in the address of a page: behind #text= packed and in letters that addresses take, behind #model= the name of one
// that comes with zwang.

async function through(bytes: Uint8Array<ArrayBuffer>, how: { readable: ReadableStream; writable: WritableStream }): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(how as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let raw = '';
  for (const b of bytes) raw += String.fromCharCode(b);
  return btoa(raw).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// null where it is none
export async function unpack(letters: string): Promise<string | null> {
  try {
    const raw = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
  } catch {
    return null;
  }
}
