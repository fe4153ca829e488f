import { friendUses } from './friend-uses.ts';
import type { Use } from './judge.ts';
import { configurationUses, otherUses } from './sdk-uses.ts';

/** Every use of the SDK. Those of the command need a folder: see `createCliUses`. */
export const sdkUses: readonly Use[] = [...configurationUses, ...otherUses, ...friendUses];
