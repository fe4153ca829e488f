import { join } from 'node:path';
import envPaths from 'env-paths';

const paths = envPaths('orgchat', { suffix: '' });

/** Profiles and, where there is no keychain, keys. */
export const configDirectory = (): string => process.env.ORGCHAT_CONFIG_DIR ?? paths.config;

/**
 * What must outlive a process: the journal of changes, imports, detached mock servers. Linux has a place for it
 * (XDG_STATE_HOME), which env-paths calls `log`; elsewhere it is application data.
 */
export const stateDirectory = (): string =>
  process.env.ORGCHAT_STATE_DIR ?? (process.platform === 'linux' ? paths.log : paths.data);

export const journalDirectory = (): string => join(stateDirectory(), 'journal');
export const importsDirectory = (): string => join(stateDirectory(), 'imports');
export const mocksDirectory = (): string => join(stateDirectory(), 'mocks');
