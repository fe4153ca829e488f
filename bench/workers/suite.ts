import { answerParent } from '../support/child-process.ts';
import type { Suite } from '../support/row.ts';

const file = new URL(`../suites/${process.argv[2]}.js`, import.meta.url);
const { suite } = (await import(file.href)) as { suite: Suite };
answerParent({ run: () => suite.run() });
