import { demoSeed } from '@orgchat/mock-server';

/** The demo organization as the seed file it could have been read from. */
export const demoSeedText = async (): Promise<string> => `${JSON.stringify(demoSeed, null, 2)}\n`;
