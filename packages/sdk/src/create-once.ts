export {
  type CreateOnceClient,
  type CreateOnceInput,
  type CreateOnceOptions,
  type CreateOnceResult,
  createOnce,
  createOperationId,
  type LabeledRecord,
  recordsSince,
} from './resources/create-once.ts';
