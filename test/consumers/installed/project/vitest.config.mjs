export default { test: { include: ['tests/*.vitest.mjs'] } };
