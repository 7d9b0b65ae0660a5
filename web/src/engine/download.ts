/** The WebAssembly at an address. */
export async function download(address: string, settings: RequestInit = {}): Promise<WebAssembly.Module> {
  const response = await fetch(address, settings).catch(() => null);
  if (!response?.ok) throw new Error('Is there a connection?');
  // Some servers do not know the type.
  if (!response.headers.get('Content-Type')?.startsWith('application/wasm'))
    return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response);
}
