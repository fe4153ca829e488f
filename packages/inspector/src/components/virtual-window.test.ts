import { expect, test } from 'vitest';
import { findWindow, keepPlace, moveByKey, scrollToRow } from './virtual-window.ts';

test('only visible rows and some around them are rendered', () => {
  expect(findWindow(10_000, 36, 0, 720)).toEqual({ start: 0, end: 29 });
  expect(findWindow(10_000, 36, 3600, 720)).toEqual({ start: 92, end: 129 });
  const last = findWindow(10_000, 36, 360_000, 720);
  expect(last.end).toBe(10_000);
  expect(last.end - last.start).toBeLessThan(50);
});

test('short, empty and shrunk lists are rendered whole', () => {
  expect(findWindow(3, 36, 0, 720)).toEqual({ start: 0, end: 3 });
  expect(findWindow(0, 36, 0, 720)).toEqual({ start: 0, end: 0 });
  // The list became shorter than the place that was scrolled to.
  expect(findWindow(5, 36, 9000, 720)).toEqual({ start: 0, end: 5 });
  expect(findWindow(5, 36, -50, 720)).toEqual({ start: 0, end: 5 });
});

test('a row is scrolled to only if it is not visible', () => {
  expect(scrollToRow(5, 36, 0, 720)).toBe(0);
  expect(scrollToRow(20, 36, 0, 720)).toBe(36);
  expect(scrollToRow(2, 36, 360, 720)).toBe(72);
});

test('new rows above do not move what is read, except at the top', () => {
  expect(keepPlace(360, 3, 36)).toBe(468);
  expect(keepPlace(360, -20, 36)).toBe(0);
  expect(keepPlace(0, 3, 36)).toBe(0);
});

test('keys move within the list', () => {
  expect(moveByKey('ArrowDown', 0, 3, 20)).toBe(1);
  expect(moveByKey('ArrowDown', 2, 3, 20)).toBe(2);
  expect(moveByKey('ArrowUp', 0, 3, 20)).toBe(0);
  expect(moveByKey('PageDown', 5, 100, 20)).toBe(25);
  expect(moveByKey('End', 5, 100, 20)).toBe(99);
  expect(moveByKey('Home', 5, 100, 20)).toBe(0);
  expect(moveByKey('a', 5, 100, 20)).toBeUndefined();
  expect(moveByKey('End', 0, 0, 20)).toBeUndefined();
});
