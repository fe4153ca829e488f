import { expect, test } from 'vitest';
import { chatReadInput } from './chat-read.ts';
import { boundedResources } from './resources/names.ts';

test('[4.3.21] the bounded lists are those of which a read takes no offset', () => {
  const withoutOffset = chatReadInput.options
    .filter(({ shape }) => !('offset' in shape))
    .map(({ shape }) => shape.resource.value);
  expect([...withoutOffset].sort()).toEqual([...boundedResources].sort());
});
