/* Starts the worker, and waits for what it reports. */
Object.assign(globalThis, {
  result: new Promise((resolve) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.addEventListener('message', ({ data }) => resolve(data));
    worker.addEventListener('error', ({ message }) => resolve(message));
  }),
});
