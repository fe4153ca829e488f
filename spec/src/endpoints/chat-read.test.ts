import { expect, test } from 'vitest';
import { boundedResources } from '../resources/names.ts';
import { chatReadInput } from './chat-read.ts';

test('[4.3.21] the bounded lists are those whose read accepts no offset', () => {
  const withoutOffset = chatReadInput.options
    .filter(({ shape }) => !('offset' in shape))
    .map(({ shape }) => shape.resource.value);
  expect([...withoutOffset].sort()).toEqual([...boundedResources].sort());
});
