import { describe, expect, test } from 'vitest';
import { helpTopics } from '../commands/help.ts';
import { loadCommand } from '../define-command.ts';
import { createProgram } from '../program.ts';
import { type CompletionSource, complete, type Fallback } from './candidates.ts';

const source: CompletionSource = {
  helpTopics,
  profiles: async () => ['default', 'staging'],
  names: async (what, given) => [`${what} one`, `${what} two${given.get('--profile') ?? ''}`],
};

async function offered(line: string): Promise<{ words: string[]; fallback: Fallback | undefined }> {
  const program = createProgram({ exitCode: 0 });
  const { candidates, fallback } = await complete(program, loadCommand, line.split('|'), source);
  return { words: candidates.map(([word]) => word), fallback };
}

describe('completion offers', () => {
  test.each([
    ['tags|get|', ['tags one', 'tags two']],
    ['tags|delete|', ['tags one', 'tags two']],
    ['forms|submissions|', ['forms one', 'forms two']],
    ['links|clicks|', ['links one', 'links two']],
    ['friends|get|', ['accounts one', 'accounts two']],
    ['friends|list|--account|', ['accounts one', 'accounts two']],
    ['friends|list|--account=', ['--account=accounts one', '--account=accounts two']],
    ['friends|tag|U|--tag|VIP,', ['VIP,tags one', 'VIP,tags two']],
    ['friends|enroll|--scenario|', ['scenarios one', 'scenarios two']],
    ['forms|create|--submit-tag|', ['tags one', 'tags two']],
    ['studio|documents|', ['projects one', 'projects two']],
    ['studio|document|', ['projects one', 'projects two']],
    ['--profile|-x|tags|get|', ['tags one', 'tags two-x']],
    ['tags|get|--profile=-y|', ['tags one', 'tags two-y']],
    ['account|--profile|', ['default', 'staging']],
    ['config|export|--resources|tags,l', ['tags,links']],
    ['completion|', ['bash', 'zsh', 'fish']],
  ])('for %s the names %j', async (line, words) => {
    const found = await offered(line);
    expect(found.words).toEqual(expect.arrayContaining(words));
    expect(found.fallback).toBeUndefined();
  });

  test('no name as an argument that would be read as an option', async () => {
    const names = async (): Promise<string[]> => ['--yes', '-y', '--', '-yes', 'a-name'];
    const words = async (line: string): Promise<string[]> => {
      const root = createProgram({ exitCode: 0 });
      const { candidates } = await complete(root, loadCommand, line.split('|'), { ...source, names });
      return candidates.map(([word]) => word);
    };
    expect(await words('tags|delete|')).toEqual(['a-name']);
    // The word after such an option is its value, unless it is an option itself.
    expect(await words('friends|tag|U|--tag|')).toEqual(['-yes', 'a-name']);
    expect(await words('friends|tag|U|--tag=')).toContain('--tag=-y');
  });

  test('fault effects, alone or after the name of the command', async () => {
    for (const line of ['mock|fault|', 'mock|fault|add|', 'mock|exec|--fault|', 'mock|exec|--fault='])
      expect((await offered(line)).words.join()).toContain('lose-response');
    const settings = await offered('mock|fault|lose-response|');
    expect(settings.words).toEqual(expect.arrayContaining(['action=', 'times=', 'resolve=']));
    expect(settings.words).not.toContain('list');
  });

  test('topics and commands of help, on every level', async () => {
    const topics = await offered('help|');
    expect(topics.words).toEqual(expect.arrayContaining(['tags', 'config', 'exit-codes', 'environment']));
    expect((await offered('help|tags|')).words).toEqual(expect.arrayContaining(['create', 'delete']));
    expect((await offered('help|tags|')).words).not.toContain('exit-codes');
  });

  test('fields of what is printed', async () => {
    expect((await offered('tags|list|--fields|id,')).words).toEqual(
      expect.arrayContaining(['id,name', 'id,color', 'id,updatedAt']),
    );
    expect((await offered('tags|list|--fields|id,')).words).not.toContain('id,id');
    expect((await offered('friends|list|--fields|')).words).toContain('displayName');
    expect((await offered('links|clicks|x|--fields|')).words).toContain('clickedAt');
    expect((await offered('tags|create|--fields|')).words).toContain('color');
    expect((await offered('account|--fields|')).words).toContain('plan');
  });

  test.each([
    ['config|apply|', 'files'],
    ['config|export|-o|', 'files'],
    ['tags|create|--data|', 'files'],
    ['keywords|import|demo-site|', 'files'],
    ['mock|state|load|', 'files'],
    ['mock|exec|--|e', { commandAt: 3 }],
    ['mock|exec|e', { commandAt: 2 }],
    ['mock|exec|--log|x|npm|--json|-', { commandAt: 4 }],
    ['mock|exec|--fault|x|--|npm|', { commandAt: 5 }],
    // Nothing that a file could be.
    ['tags|create|--name|', undefined],
    ['keywords|add|', undefined],
    ['ops|show|', undefined],
    ['tags|list|--limit|', undefined],
    ['auth|login|--base-url|', undefined],
    ['mock|stop|', undefined],
    ['mock|limits|--monthly-limit|', undefined],
    ['mock|limits|--rate-limit|', undefined],
  ])('for %s what the shell has: %j', async (line, fallback) => {
    expect((await offered(line)).fallback).toEqual(fallback);
  });
});
