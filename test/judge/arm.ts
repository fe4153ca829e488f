import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { OpenApiDocument } from '../../spec/testing/document.ts';
import { type Records, readRecords } from './records.ts';
import { rulesSource } from './rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A judge of every answer that a mock gives in any process started from now on. */
export interface Armed {
  /** Judges in this process too, which runs already. */
  judgeHere(): void;
  records(): Records;
  /** Ends it, and forgets what was recorded. */
  disarm(): void;
}

/**
 * Builds the judge into a directory of its own, and has every process of Node that inherits this environment load it:
 * a few bytes that listen, and the rules themselves once there is an answer.
 */
export async function armJudge(document: OpenApiDocument): Promise<Armed> {
  const directory = mkdtempSync(join(tmpdir(), 'orgchat-judge-'));
  const rules = join(directory, 'rules.cjs');
  writeFileSync(rules, rulesSource(document));
  await build({
    stdin: {
      contents: `
        import rules from ${JSON.stringify(rules)};
        import { watcher } from './test/judge/watcher.ts';
        export const watch = watcher(rules, ${JSON.stringify(directory)});
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
    judgeHere() {
      createRequire(import.meta.url)(preload);
    },
    records: () => readRecords(directory),
    disarm() {
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
