import { mergeConfig } from 'vitest/config';
import whole from '../../../vitest.config.ts';

/** The configuration of every test, for answers that break a document made so that they do. */
const planted = mergeConfig(whole, {});
planted.test = {
  ...planted.test,
  include: ['test/judge/planted/*.planted.ts'],
  globalSetup: ['./test/judge/planted/global-setup.ts'],
};
export default planted;
