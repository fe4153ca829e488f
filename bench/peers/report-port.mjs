/** Says where the peer listens. */
export const listening = (port) => console.log(JSON.stringify({ port }));
