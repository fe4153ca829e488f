export async function drillApply(_a: unknown, _b: unknown, _c: unknown): Promise<void> {}
