import { readFileSync } from 'node:fs';

/** The version of the SDK, which it sends as its User-Agent. */
export function sdkVersion(): string {
  const manifest = new URL('../../packages/sdk/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return `/** The version of this package. */\nexport const version = ${JSON.stringify(version)};\n`;
}
