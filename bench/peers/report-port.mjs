/** Reports the port of a peer. */
export const listening = (port) => console.log(JSON.stringify({ port }));
