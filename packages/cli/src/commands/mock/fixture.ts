import { Argument, type Command } from 'commander';
import { action, examples } from '../../define-command.ts';

/** Test frameworks of other languages. Their files are in `packages/cli/fixtures`. */
const frameworks = ['pytest', 'go', 'junit'] as const;
type Framework = (typeof frameworks)[number];

/** `mock fixture`: prints a file to copy into a project. */
export function fixture(command: Command): void {
  const printing = command
    .command('fixture')
    .description('print a file that gives each test of another language a sandbox')
    .addArgument(new Argument('<framework>', 'test framework').choices(frameworks))
    .addHelpText('after', '\nThe comment at its beginning says where to put it and how to use it.');
  action(printing, async (_context, _options, framework) => {
    const { testFixtures } = await import('../../generated/test-fixtures.ts');
    const { writeData } = await import('../../output/streams.ts');
    await writeData(testFixtures[framework as Framework], 'text');
  });
  examples(
    printing,
    ['orgchat mock fixture pytest > tests/conftest.py'],
    ['orgchat mock fixture go > internal/orgchatmock/orgchatmock.go'],
    ['orgchat mock fixture junit > src/test/java/orgchat/OrgchatMock.java'],
  );
}
