import { expect, it } from 'vitest';
import { rewritePackedLinks } from './packed-links.ts';

const targets = {
  folder: 'packages/mock-server',
  files: ['README.md', 'SEEDS.md', 'docs/faults.md'],
  base: 'https://github.com/ada/orgchat/blob/v0.1.0',
};

const rewrite = (text: string, base: string | undefined = targets.base, page = 'README.md'): string =>
  rewritePackedLinks(text, page, { ...targets, base });

it.each([
  ['a file of the package', 'A [seed](SEEDS.md#sites) is a file.'],
  ['a file in a folder of the package', 'See [faults](docs/faults.md).'],
  ['a heading of the same page', 'See [below](#faults).'],
  ['an address', 'See [Node](https://nodejs.org/api).'],
  ['a block of code', '```md\n[cookbook](../../docs/cookbook.md)\n```'],
  ['a piece of code', 'Write `[cookbook](../../docs/cookbook.md)`.'],
])('a link is packed as it is if it is to %s', (_what, text) => {
  expect(rewrite(text)).toBe(text);
});

it('a link that leads out of the package is packed as the address of that file in this version', () => {
  expect(rewrite('See the [cookbook](../../docs/cookbook.md#bots) and the [SDK](../sdk/README.md).')).toBe(
    'See the [cookbook](https://github.com/ada/orgchat/blob/v0.1.0/docs/cookbook.md#bots) and the [SDK](https://github.com/ada/orgchat/blob/v0.1.0/packages/sdk/README.md).',
  );
});

it('an image is packed as an address of its bytes, also as the text of a link', () => {
  expect(rewrite('[![Log](../../docs/images/log.png)](../../docs/inspector.md)')).toBe(
    '[![Log](https://github.com/ada/orgchat/blob/v0.1.0/docs/images/log.png?raw=true)](https://github.com/ada/orgchat/blob/v0.1.0/docs/inspector.md)',
  );
});

it('a page in a folder has links from there', () => {
  expect(rewrite('[Seeds](../SEEDS.md), [plan](../../../docs/plan.md)', targets.base, 'docs/faults.md')).toBe(
    '[Seeds](../SEEDS.md), [plan](https://github.com/ada/orgchat/blob/v0.1.0/docs/plan.md)',
  );
});

it('without an address, it is packed as the name of the file', () => {
  const text = 'See the [cookbook](../../docs/cookbook.md#bots).';
  expect(rewritePackedLinks(text, 'README.md', { ...targets, base: undefined })).toBe(
    'See the cookbook (`docs/cookbook.md` in the repository).',
  );
});
