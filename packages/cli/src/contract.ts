/*
 * The plain values of the contract, without its schemas: what most commands need is no more than these, and they
 * start the faster. Taken from the files themselves, as the package's index brings everything along.
 */
export { limits } from '../../../spec/src/limits.ts';
export {
  boundedResources,
  configurationResources,
  deletableResources,
} from '../../../spec/src/resources/names.ts';
