import { connect } from 'node:net';

/* Opens connections, sends one request on each, and leaves them idle once it is answered. */
const [, , port, count] = process.argv;
const request = 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo-read-key\r\n\r\n';

const open = new Set();

function openOne() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
    socket.once('data', () => {
      open.add(socket);
      resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      open.delete(socket);
      reject(new Error('The server closed the connection.'));
    });
  });
}

/** Opens one connection after the other. */
async function openSome(some) {
  for (let i = 0; i < some; i++) await openOne();
}

process.on('message', () => process.send({ open: open.size }));
const lines = 50;
try {
  await Promise.all(Array.from({ length: lines }, () => openSome(Number(count) / lines)));
  process.send({ open: open.size });
} catch (error) {
  process.send({ error: `${error.message} (after ${open.size} connections; ulimit -n of 11,000 is needed)` });
}
