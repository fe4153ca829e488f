/*
 * Two copies of this package in one process have classes of their own: one that a dependency brings, or one that a hot
 * reload loaded again. So an error also says the names of its classes, under a symbol that all copies share.
 */

const classNames = Symbol.for('@orgchat/sdk/class-names');

type Class = abstract new (...args: never[]) => unknown;

/** Makes instances of a class say its name, and those of the classes between. */
export function showClassNames(base: Class): void {
  Object.defineProperty(base.prototype, classNames, {
    get(this: object): string[] {
      const names: string[] = [];
      let type: unknown = this.constructor;
      for (; typeof type === 'function'; type = Object.getPrototypeOf(type)) names.push(type.name);
      return names;
    },
  });
}

/** Whether a value is of a class, or of the class of this name in another copy; `base` is their base in this copy. */
export function isInstance(type: Class & { readonly name: string }, base: Class, value: unknown): boolean {
  const isOf = (one: Class): boolean => Function.prototype[Symbol.hasInstance].call(one, value);
  if (isOf(type) || isOf(base)) return isOf(type);
  const names: unknown = Object(value)[classNames];
  return Array.isArray(names) && names.includes(type.name);
}
