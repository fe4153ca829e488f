import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../../packages/sdk/src', import.meta.url));

/** The folders and files of the SDK from the lowest to the highest: each imports only what stands before it. */
const layers = [
  'generated',
  'values',
  'types',
  'retry',
  'results',
  'errors',
  'shapes',
  'timing',
  'journal',
  'events',
  'options',
  'write',
  'client-context',
  'pipeline',
  'lists',
  'bulk',
  'keywords',
  'resources',
  'operations',
  'watch',
  'client-interface',
  'browser',
  'client',
  // What users and the command import.
  'internal',
  'journal-conformance',
  'node',
  'index',
];

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test|\.test-d)\.ts$/.test(file),
);

/** The folder directly below the sources, or the name of a file that is in none. */
const toLayer = (file: string): string => (file.split(sep)[0] ?? '').replace(/\.ts$/, '');

test('each part of the SDK imports only parts below it, types included', () => {
  const upward = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    return Array.from(text.matchAll(/\b(?:from|import)\b[ (]'(\.[^']+)'/g), ([, path = '']) => path)
      .map((path) => relative(source, resolve(source, dirname(file), path)))
      .filter((path) => layers.indexOf(toLayer(path)) > layers.indexOf(toLayer(file)))
      .map((path) => `${file} imports ${path}`);
  });
  expect(upward).toEqual([]);
});

test('the list of layers names each part of the SDK once', () => {
  expect([...layers].sort()).toEqual([...new Set(files.map(toLayer))].sort());
});
