export * from './base.ts';
export * from './failed.ts';
export * from './refused.ts';
export * from './unknown.ts';
