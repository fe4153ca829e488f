let loads = 0;

/** Loads a module as a new process would: with a client of its own, and the environment as it is now. */
export async function loadAfresh<Exports>(url: URL): Promise<Exports> {
  loads += 1;
  return (await import(/* @vite-ignore */ `${url.pathname}?load=${loads}`)) as Exports;
}
