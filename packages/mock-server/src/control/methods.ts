import type { ServedMock } from '../served-mock.ts';
import type { ControlCall, MockMethods } from './call.ts';
import { type ControlCallName, controlCalls } from './calls.ts';

/** The names of the methods of `Mock` that have a call. */
export type CalledMethod = Extract<(typeof controlCalls)[ControlCallName], { readonly mock: string }>['mock'];

type Named<Prefix extends string> = {
  readonly [Name in CalledMethod as Name extends `${Prefix}${infer Method}`
    ? Method extends `${string}.${string}`
      ? never
      : Method
    : never]: MockMethods[Name];
};

type Method = (this: ServedMock, ...args: unknown[]) => unknown;

const methods = Object.values<ControlCall>(controlCalls).flatMap(({ mock, run }) => {
  if (mock === undefined) return [];
  const [name = '', group] = mock.split('.').reverse();
  const method: Method = function (...args) {
    return run(...([this, ...args] as never[]));
  };
  return [{ name, group, method }];
});

const listMethods = (group?: string): Record<string, Method> =>
  Object.fromEntries(methods.filter((one) => one.group === group).map(({ name, method }) => [name, method]));

/** The methods of `Mock` that are calls and in no group, for the prototype of mocks. */
export const callMethods = listMethods() as Named<''>;

/** Creates the methods of a group, such as `faults`, for each mock. */
function createGroup<Name extends string>(group: Name): (getMock: () => ServedMock) => Named<`${Name}.`> {
  const entries = Object.entries(listMethods(group));
  return (getMock) => {
    const bound: Record<string, unknown> = {};
    for (const [name, method] of entries) bound[name] = (...args: unknown[]) => method.apply(getMock(), args);
    return bound as Named<`${Name}.`>;
  };
}

export const bindFaults = createGroup('faults');
export const bindRequests = createGroup('requests');
export const bindInject = createGroup('inject');
export const bindClock = createGroup('clock');
