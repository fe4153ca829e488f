import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { controlDocument, type OpenApiDocument } from '../../../spec/test-support/document.ts';
import { type Records, readRecords } from './records.ts';
import { api, controlApi, rulesSource } from './rules.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Checks every mock answer in this run against spec/openapi.yaml, and those of the control API against
 * spec/control.openapi.yaml, child processes included.
 */
export interface AnswerCheck {
  /** Also checks the current process. */
  checkThisProcess(): void;
  records(): Records;
  /** Stops the check and deletes its records. */
  stop(): void;
}

/**
 * Builds the check into a temporary folder and adds it to NODE_OPTIONS, so that every Node child process loads it.
 * The preload only subscribes; the rules load with the first answer.
 */
export async function startAnswerCheck(document: OpenApiDocument): Promise<AnswerCheck> {
  const directory = mkdtempSync(join(tmpdir(), 'orgchat-answer-check-'));
  const rules = join(directory, 'rules.cjs');
  const controlRules = join(directory, 'control-rules.cjs');
  writeFileSync(rules, rulesSource(document, api));
  writeFileSync(controlRules, rulesSource(controlDocument, controlApi));
  await build({
    stdin: {
      contents: `
        import rules from ${JSON.stringify(rules)};
        import controlRules from ${JSON.stringify(controlRules)};
        import { createAnswerRecorder } from './test/contract/answer-check/answer-recorder.ts';
        export const watch = createAnswerRecorder(rules, controlRules, ${JSON.stringify(directory)});
      `,
      resolveDir: root,
    },
    // The rules need the runtime of ajv.
    nodePaths: [join(root, 'node_modules')],
    outfile: join(directory, 'watch.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  const preload = join(directory, 'preload.cjs');
  copyFileSync(fileURLToPath(new URL('./preload.cjs', import.meta.url)), preload);
  const { NODE_OPTIONS: before } = process.env;
  process.env.NODE_OPTIONS = `${before ?? ''} --require ${JSON.stringify(preload)}`.trim();
  return {
    checkThisProcess() {
      createRequire(import.meta.url)(preload);
    },
    records: () => readRecords(directory),
    stop() {
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
