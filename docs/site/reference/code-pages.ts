import { type ErrorCode, errorCatalog } from '@orgchat/spec';
import { exitCodeMeanings, exitCodes } from '../../../packages/cli/src/errors/exit-codes.ts';
import { listRemedies } from './api-errors.ts';
import { generalExits } from './command-facts.ts';
import { type GeneratedPage, joinBlocks, toMarkdown, toTable } from './page.ts';

const group = 'Codes';

const errorCodes = (): GeneratedPage => ({
  path: '/reference/error-codes',
  title: 'Error codes',
  group,
  text: joinBlocks(
    '# Error codes',
    'Every code that the API answers with. What a client does about each is in [Errors of the SDK](/reference/sdk/errors).',
    toTable(
      ['Code', 'Status', 'Meaning'],
      Object.entries(errorCatalog).map(([code, { statuses, description }]) => [
        `[\`${code}\`](#${code})`,
        statuses.join(', '),
        toMarkdown(description),
      ]),
    ),
    Object.entries(errorCatalog).flatMap(([code, { statuses, description, message }]) => [
      `## \`${code}\` {#${code}}`,
      toMarkdown(description),
      `- Status: ${statuses.join(', ')}\n- Message: ${toMarkdown(message.en.replace('{detail}', ' …'))}\n- What to do: ${toMarkdown(listRemedies()[code as ErrorCode])}`,
    ]),
  ),
});

const exitCodePage = (): GeneratedPage => ({
  path: '/reference/exit-codes',
  title: 'Exit codes',
  group,
  text: joinBlocks(
    '# Exit codes',
    'Every exit code of `orgchat`, so that a script does not have to read output.',
    `Any command may exit with ${generalExits.map((name) => `[\`${exitCodes[name]}\`](#exit-${exitCodes[name]})`).join(', ')}. The [page of a command](/reference/commands/) lists its other codes.`,
    exitCodeMeanings.flatMap(([code, meaning]) => [
      `## ${code} {#exit-${code}}`,
      meaning.map((line) => `- ${toMarkdown(line)}`).join('\n'),
    ]),
  ),
});

export const generateCodePages = (): GeneratedPage[] => [errorCodes(), exitCodePage()];
