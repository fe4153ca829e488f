/* `npm run build`: the bundle of the package, and the licenses of what is in it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadInspectorBundle } from '../../../build-support/embed-inspector.ts';
import { thirdPartyLicenses } from '../../../build-support/third-party-licenses.ts';
import { bundleCommand, packageFolder } from './bundle-command.ts';

const folder = join(packageFolder, 'dist');
rmSync(folder, { recursive: true, force: true });
await bundleCommand(folder, [
  thirdPartyLicenses(packageFolder, { 'embedded-inspector': loadInspectorBundle }),
]);
