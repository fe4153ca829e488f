import fc from 'fast-check';

/** The same cases on every run, so that a red build is red again; ORGCHAT_TEST_SEED tries others. */
fc.configureGlobal({ seed: Number(process.env.ORGCHAT_TEST_SEED ?? 20_261_121) });
