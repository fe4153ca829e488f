import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What an image needs of this machine to install and run a Node package. */
const commands = ['/bin/sh', '/usr/bin/env', '/bin/mkdir', '/bin/chown'];

function copyFile(file: string, root: string): void {
  const target = join(root, file);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  cpSync(realpathSync(file), target);
}

/** Copies a binary with the libraries that it loads. */
function copyBinary(file: string, root: string, target = file): void {
  copyFile(file, root);
  if (target !== file && !existsSync(join(root, target))) symlinkSync(file, join(root, target));
  copyLibraries(file, root);
}

function copyLibraries(file: string, root: string): void {
  const listed = execFileSync('ldd', [file], { encoding: 'utf8' });
  for (const [library] of listed.matchAll(/(?<=\s)\/\S+/g)) copyFile(library, root);
}

/** The native part of libsql, whose libraries every usual base image has. */
function findLibsql(): string {
  const require = createRequire(import.meta.url);
  const { arch } = process;
  return require.resolve(`@libsql/linux-${arch}-gnu`, { paths: [require.resolve('libsql')] });
}

/**
 * Makes the files of a small base image out of this machine's Node and npm: registries of images may be out of reach. Like
 * the official images of Node, it has a user "node" with the id 1000.
 */
export function makeBaseFiles(root: string): void {
  for (const folder of ['usr/bin', 'bin', 'etc', 'tmp', 'root', 'home/node'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const command of commands) copyBinary(command, root);
  copyBinary(realpathSync(process.execPath), root, '/usr/bin/node');
  copyLibraries(findLibsql(), root);
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  cpSync(join(npm, 'npm'), join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  if (existsSync(certificates)) copyFile(certificates, root);
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  );
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
}
