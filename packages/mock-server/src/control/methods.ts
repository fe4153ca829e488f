import type { ServedMock } from '../served-mock.ts';
import type { ControlCall, MockMethods } from './call.ts';
import { type ControlCallName, controlCalls } from './calls.ts';

/** The names of the methods of `Mock` that have a call. */
export type CalledMethod = Extract<(typeof controlCalls)[ControlCallName], { readonly mock: string }>['mock'];

type Group = CalledMethod extends infer Name ? (Name extends `${infer Of}.${string}` ? Of : never) : never;

/** The methods of `Mock` that have a call. */
export type CallMethods = {
  readonly [Name in Exclude<CalledMethod, `${string}.${string}`>]: MockMethods[Name];
} & {
  readonly [Of in Group]: {
    readonly [Name in CalledMethod as Name extends `${Of}.${infer Method}`
      ? Method
      : never]: MockMethods[Name];
  };
};

const methods = Object.values<ControlCall>(controlCalls).flatMap(({ mock, run }) => {
  if (mock === undefined) return [];
  const [name = '', group] = mock.split('.').reverse();
  return [{ name, group, run: run as (...args: unknown[]) => unknown }];
});

/** The calls as methods of a mock. A method of a group is in an object of its own: `faults.arm`. */
export function bindCalls(getMock: () => ServedMock): CallMethods {
  const bound: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name, group, run } of methods) {
    const method = (...args: unknown[]): unknown => run(getMock(), ...args);
    if (group === undefined) bound[name] = method;
    else groups[group] = { ...groups[group], [name]: method };
  }
  return { ...bound, ...groups } as CallMethods;
}
