/*
 * `npm run test:generated-clients`: what others generate from spec/openapi.yaml and spec/control.openapi.yaml. Each generator is installed here
 * alone, its client is generated, compiled, and run against the mock over HTTP.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromSources } from '../../test-support/from-sources.ts';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = join(here, '../../..');
const bin = (name: string): string => join(here, 'node_modules/.bin', name);

function run(what: string, command: string, args: readonly string[], cwd = here): void {
  console.log(`== ${what}`);
  execFileSync(command, [...args], { cwd, stdio: 'inherit' });
}

rmSync(join(here, 'generated'), { recursive: true, force: true });
run('install', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']);

const document = join(root, 'spec/openapi.yaml');
const output = 'generated/swagger-typescript-api';
run('swagger-typescript-api', bin('swagger-typescript-api'), [
  ...['generate', '--silent', '--path', document, '--output', output, '--name', 'api.ts'],
]);
run('swagger-typescript-api, control API', bin('swagger-typescript-api'), [
  ...['generate', '--silent', '--path', join(root, 'spec/control.openapi.yaml')],
  ...['--output', 'generated/swagger-typescript-api-control', '--name', 'api.ts'],
]);
run('orval', bin('orval'), ['--config', 'orval.config.ts']);
for (const version of ['', '-3.0']) {
  for (const [name, output] of [
    ['openapi', 'openapi-zod-client'],
    ['control.openapi', 'openapi-zod-client-control'],
  ]) {
    mkdirSync(join(here, 'generated', output), { recursive: true });
    run(`openapi-zod-client, ${name}${version}`, bin('openapi-zod-client'), [
      ...[join(root, `spec/${name}${version}.yaml`), '--with-alias'],
      ...['--output', `generated/${output}/api${version}.ts`],
    ]);
  }
}
run('compile', process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', here]);
const checks = [join(here, 'checks.ts'), join(here, 'control-checks.ts')];
run('run', process.execPath, [...fromSources, '--test', '--test-reporter=spec', ...checks], root);
