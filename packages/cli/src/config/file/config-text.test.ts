import { describe, expect, test } from 'vitest';
import { createYaml, nameSchema, updateYaml } from './config-text.ts';
import type { ConfigContent } from './export-content.ts';

const tag = (id: number, name: string, color = 'blue') => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  name,
  color,
});
const updated = (text: string, content: ConfigContent): string => updateYaml('file.yaml', text, content);

const form = (...options: string[]) => ({
  id: '00000000-0000-4000-8000-000000000001',
  accountId: 'Shop',
  name: 'Survey',
  title: 'Survey',
  description: '',
  fields: [{ key: 'a', label: 'A', type: 'checkbox', required: false, options, placeholder: '' }],
  submitTagId: null,
  submitScenarioId: null,
  saveToProfile: true,
  thanksText: '',
  active: true,
});
const formText = `forms:
  - id: 00000000-0000-4000-8000-000000000001
    accountId: Shop
    name: Survey
    title: Survey
    description: ""
    fields:
      - key: a
        label: A
        type: checkbox
        required: false
        options:
          - Offers
          # in May
          - Events # and June
        placeholder: ""
    submitTagId: null
    submitScenarioId: null
    saveToProfile: true
    thanksText: ""
    active: true
`;

describe('an item of a list', () => {
  test('keeps its comments if one before it is removed', () => {
    expect(updated(formText, { forms: [form('Events')] })).toBe(formText.replace('          - Offers\n', ''));
  });

  test('keeps its comments if another one is added before it', () => {
    expect(updated(formText, { forms: [form('Offers', 'News', 'Events')] })).toBe(
      formText.replace('- Offers\n', '- Offers\n          - News\n'),
    );
  });

  test('that is a record changes in place', () => {
    const text = formText.replace('key: a', 'key: a # the first');
    const [field] = form('Offers', 'Events').fields;
    const changed = { ...form(), fields: [{ ...field, key: 'b' }] };
    expect(updated(text, { forms: [changed] })).toBe(text.replace('key: a', 'key: b'));
  });
});

describe('an alias', () => {
  const text = `links:
  - id: 00000000-0000-4000-8000-000000000003
    name: Page
    url: https://example.com/
    tagId: &vip VIP # ours
    scenarioId: null
tags:
  - id: 00000000-0000-4000-8000-000000000001
    name: *vip # theirs
    color: &color blue
  - id: 00000000-0000-4000-8000-000000000002
    name: Trial
    color: *color
`;

  test('stays if its value is still right', () => {
    const tags = [tag(1, 'VIP', 'green'), tag(2, 'Trial', 'green'), tag(3, 'New')];
    expect(updated(text, { tags })).toContain('name: *vip # theirs\n    color: &color green\n');
    expect(updated(text, { tags })).toContain('name: Trial\n    color: *color\n');
  });

  test('is replaced by its value if it has to change', () => {
    const tags = [tag(1, 'VIP', 'blue'), tag(2, 'Trial', 'green')];
    expect(updated(text, { tags })).toBe(text.replace('color: *color', 'color: green'));
  });

  test('of a removed value is replaced by the value', () => {
    expect(updated(text, { tags: [tag(2, 'Trial')] })).toContain('name: Trial\n    color: blue\n');
  });

  test('keeps its value in a resource that is not updated', () => {
    const links = [
      {
        id: '00000000-0000-4000-8000-000000000003',
        name: 'Page',
        url: 'https://example.com/',
        tagId: 'Trial',
        scenarioId: null,
      },
    ];
    const after = updated(text, { links });
    expect(after).toContain('tagId: &vip Trial # ours');
    expect(after).toContain('name: VIP');
  });
});

describe('a comment beside a key', () => {
  test('stays there, and is not moved to the next line', () => {
    const text = `tags: # ours
  - id: 00000000-0000-4000-8000-000000000001
    name: VIP
    color: blue # sky
templates:   # (none) yet?
  []
`;
    const after = updated(text, { tags: [tag(1, 'VIP'), tag(2, 'New')] });
    expect(after).toContain('tags: # ours\n  - id');
    expect(after).toContain('color: blue # sky\n');
    expect(updated(after, { tags: [tag(1, 'VIP'), tag(2, 'New')] })).toBe(after);
  });
});

describe('other readers of YAML', () => {
  const texts = [
    'yes',
    'on',
    'No',
    'off',
    'y',
    '1:30',
    '0o7',
    '1_000',
    '2026-01-01',
    'a\tb',
    '\ttab\nline\n',
  ];

  test.each(texts)('find a text that could be something else in quotes: %j', (text) => {
    const fresh = createYaml({ tags: [tag(1, text)] });
    expect(fresh).toMatch(/name: ["']/);
    expect(fresh).not.toContain('\t');
    expect(updated(createYaml({ tags: [tag(1, 'x')] }), { tags: [tag(1, text)] })).toBe(fresh);
  });
});

describe('the schema of a file', () => {
  const line = '# yaml-language-server: $schema=./a.json';

  test.each([
    ['version: 1\n', `${line}\nversion: 1\n`],
    ['# Ours\n\ntags: []\n', `${line}\n# Ours\n\ntags: []\n`],
    ['%YAML 1.2\n---\ntags: []\n', `${line}\n%YAML 1.2\n---\ntags: []\n`],
    [
      `# Ours\n#  yaml-language-server : $schema=b.json\nx: 1\n`,
      '# Ours\n#  yaml-language-server : $schema=./a.json\nx: 1\n',
    ],
    [`\n${line.replace('a', '$&')} other=1\nx: 1\n`, `\n${line} other=1\nx: 1\n`],
    ['%YAML 1.2\n---\n# yaml-language-server:\nx: 1\n', `%YAML 1.2\n---\n${line}\nx: 1\n`],
    // Editors take the first comment, and this one may be text.
    ['x-a: "\n# yaml-language-server: $schema=b"\n', `${line}\nx-a: "\n# yaml-language-server: $schema=b"\n`],
    ['{ "tags": [] }\n', `${line}\n{ "tags": [] }\n`],
  ])('is named once, before the content of %j', (text, named) => {
    expect(nameSchema('yaml', text, './a.json')).toBe(named);
    expect(nameSchema('yaml', named, './a.json')).toBe(named);
    expect(nameSchema('yaml', text, undefined)).toBe(text);
  });

  test('stays in YAML that changes', () => {
    const text = nameSchema('yaml', createYaml({ tags: [tag(1, 'VIP')] }), './a.json');
    expect(updated(text, { tags: [tag(1, 'VIP', 'green')] })).toBe(text.replace('blue', 'green'));
  });
});

test('values that only YAML 1.1 has stay in keys of the author, and do not hinder an update', () => {
  const text = '%YAML 1.1\n---\nx-since: 2020-01-01\ntags:\n  - {name: A, color: blue}\n';
  expect(updated(text, { tags: [{ name: 'A', color: 'blue' }] })).toBe(text);
  expect(updated(text, { tags: [{ name: 'A', color: 'green' }] })).toContain('x-since: 2020-01-01');
});
