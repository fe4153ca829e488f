import { expect, test } from 'vitest';
import * as example from './example-rows.ts';
import { marginOf } from './margins.ts';
import { picture } from './picture.ts';

test('a margin is the factor by which a target is met, for minimum and maximum targets', () => {
  expect(marginOf(example.met)?.median).toBeCloseTo(0.84 / 0.8);
  expect(marginOf(example.missed)?.median).toBeCloseTo(0.52 / 0.55);
  expect(marginOf(example.difference)).toMatchObject({ lower: 25 / 10.5, median: 2.5, upper: 25 / 9.5 });
  expect(marginOf(example.alone)?.median).toBeCloseTo(12 / 15.5);
  expect(marginOf(example.untargeted)).toBeUndefined();
});

test('a cost of zero or less has an infinite margin', () => {
  const { compared, ...rest } = example.difference;
  if (compared === undefined) throw new Error('The example compares nothing.');
  const free = { ...rest, compared: { ...compared, lower: -3, median: 0 } };
  const margin = marginOf(free);
  expect(margin).toMatchObject({ median: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY });
  expect(picture([free])).not.toMatch(/Infinity|NaN/);
});

test('the picture has a bar for each contestant, the best first, and a dot for each target', () => {
  const svg = picture(example.rows);
  const names = [...svg.matchAll(/>(orgchat|bare node:http|Fastify[^<]*)</g)].map(([, name]) => name);
  expect(names).toEqual([
    'bare node:http',
    'orgchat',
    'Fastify &lt;5&gt;',
    'bare node:http',
    'orgchat',
    'orgchat',
  ]);
  expect(svg.match(/<circle class="met"/g)).toHaveLength(2);
  expect(svg.match(/<circle class="missed"/g)).toHaveLength(2);
  expect(svg).toContain('target ≥ 800');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test('the picture can be drawn without rows', () => {
  expect(picture([])).toMatch(/^<svg .*<\/svg>\n$/s);
});
