import { CheckField, SelectField, TextField } from '../../components/controls.tsx';
import {
  changeActions,
  effectDescriptions,
  operationNames,
  requestResources,
} from '../../generated/control-api.ts';
import { type Effect, effectNames, type FaultForm, type OwnField, ownFields } from './fault-form.ts';

interface FaultFieldsProps {
  readonly form: FaultForm;
  readonly change: (changes: Partial<FaultForm>) => void;
}

/** The fields of a fault: what it does, which requests it hits, and how often. */
export function FaultFields({ form, change }: FaultFieldsProps) {
  const has = (field: OwnField): boolean => ownFields[form.effect].includes(field);
  return (
    <>
      <SelectField
        label="Effect"
        hint={effectDescriptions[form.effect]}
        value={form.effect}
        options={effectNames}
        onInput={(effect) => change({ effect: effect as Effect })}
      />
      {has('delay') && (
        <div class="fields">
          <TextField
            label="Delay in ms"
            type="number"
            value={form.delayMs}
            onInput={(delayMs) => change({ delayMs })}
          />
          <TextField
            label="At most, in ms"
            type="number"
            hint="Then each hit draws a delay between the two."
            value={form.delayMaxMs}
            onInput={(delayMaxMs) => change({ delayMaxMs })}
          />
        </div>
      )}
      {has('respond') && <RespondFields form={form} change={change} />}
      {has('uncertain') && <UncertainFields form={form} change={change} />}
      {has('applied') && (
        <CheckField
          label="The change is applied"
          checked={form.applied}
          onInput={(applied) => change({ applied })}
        />
      )}
      <fieldset class="group">
        <legend>Which requests</legend>
        <div class="fields">
          <SelectField
            label="Operation"
            empty="any"
            value={form.operation}
            options={operationNames}
            onInput={(operation) => change({ operation })}
          />
          <SelectField
            label="Action"
            empty="any"
            value={form.action}
            options={changeActions}
            onInput={(action) => change({ action })}
          />
          <SelectField
            label="Resource"
            empty="any"
            value={form.resource}
            options={requestResources}
            onInput={(resource) => change({ resource })}
          />
          <TextField label="Key" placeholder="any" value={form.key} onInput={(key) => change({ key })} />
        </div>
      </fieldset>
      <fieldset class="group">
        <legend>How often</legend>
        <div class="fields">
          <TextField
            label="Times"
            placeholder="1"
            hint="A number, or always."
            value={form.times}
            onInput={(times) => change({ times })}
          />
          <TextField
            label="After"
            type="number"
            placeholder="0"
            hint="Number of matching requests to skip first."
            value={form.after}
            onInput={(after) => change({ after })}
          />
          <TextField
            label="Probability"
            type="number"
            placeholder="1"
            hint="More than 0, at most 1."
            value={form.probability}
            onInput={(probability) => change({ probability })}
          />
        </div>
      </fieldset>
    </>
  );
}

function RespondFields({ form, change }: FaultFieldsProps) {
  return (
    <>
      <div class="fields">
        <TextField
          label="Status"
          type="number"
          hint="202 to 599."
          value={form.status}
          onInput={(status) => change({ status })}
        />
        <TextField
          label="Error code"
          placeholder="of the status"
          value={form.error}
          onInput={(error) => change({ error })}
        />
        <TextField
          label="Retry-After"
          placeholder="none"
          value={form.retryAfter}
          onInput={(retryAfter) => change({ retryAfter })}
        />
      </div>
      <CheckField
        label="Also if the operation does not declare this status"
        checked={form.undeclared}
        onInput={(undeclared) => change({ undeclared })}
      />
    </>
  );
}

function UncertainFields({ form, change }: FaultFieldsProps) {
  return (
    <div class="fields">
      <SelectField
        label="Answer"
        empty="the connection is reset"
        value={form.answer}
        options={['500', '502']}
        onInput={(answer) => change({ answer })}
      />
      <SelectField
        label="Resolved"
        value={form.resolve}
        options={['never', 'afterRequests', 'afterMs']}
        onInput={(resolve) => change({ resolve })}
      />
      {form.resolve !== 'never' && (
        <TextField
          label={form.resolve === 'afterMs' ? 'Milliseconds' : 'Requests'}
          type="number"
          value={form.resolveAfter}
          onInput={(resolveAfter) => change({ resolveAfter })}
        />
      )}
    </div>
  );
}
