import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { bundlePage, type PageFiles } from '../packages/inspector/build/bundle-page.ts';
import { embedInspector } from './embed-inspector.ts';

it('a build has the page of the sources as they are, which are not those of the inspector alone', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { loadPage } from '@orgchat/inspector';" },
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [embedInspector],
    write: false,
  });
  const encoded = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const built = (await import(`data:text/javascript;base64,${encoded}`)) as {
    loadPage(): Promise<PageFiles>;
  };
  const { files, metafile } = await bundlePage();
  expect(await built.loadPage()).toEqual(files);
  expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('../../spec/'))).not.toEqual([]);
});
