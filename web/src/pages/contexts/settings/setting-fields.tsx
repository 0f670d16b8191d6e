import { Select, TextInput } from '@mantine/core'
import { WEBHOOK_AUTHS, type WebhookAuth } from '../../../../../src/flows/webhook-auth.ts'
import type { EntrySettings, Setting } from '../../../api/context-scope.ts'
import { type LimitTexts, limitFault } from './limits.ts'
import classes from './settings.module.css'
import { sizeFault, sizeText } from './sizes.ts'

export interface SettingTexts extends LimitTexts {
  readonly default_auth: WebhookAuth | null
}

interface SettingFieldsProps {
  readonly value: SettingTexts
  readonly onChange: (value: SettingTexts) => void
  /** What holds where nothing is set here. */
  readonly inherited: EntrySettings
  readonly isReadOnly: boolean
}

/** What a context sets for webhooks that do not say otherwise. */
export function SettingFields({ value, onChange, inherited, isReadOnly }: SettingFieldsProps) {
  return (
    <fieldset className={classes.group}>
      <legend>Settings for the flows inside</legend>
      <p className={classes.help}>The first three apply where a Webhook node sets nothing itself.</p>
      <div className={classes.settings}>
        <Select
          label="Authentication"
          description="What callers have to show"
          disabled={isReadOnly}
          allowDeselect={false}
          data={[
            { value: '', label: `Not set here (${inheritedText(inherited.auth, 'API key')})` },
            ...WEBHOOK_AUTHS.map((auth) => ({ value: auth, label: auth }))
          ]}
          value={value.default_auth ?? ''}
          onChange={(auth) => onChange({ ...value, default_auth: auth ? (auth as WebhookAuth) : null })}
        />
        <LimitField
          label="Rate limit"
          description="Requests of each flow per minute"
          value={value.rate_limit}
          inherited={inherited.rateLimit}
          isReadOnly={isReadOnly}
          onChange={(rate_limit) => onChange({ ...value, rate_limit })}
        />
        <LimitField
          label="Concurrency"
          description="Runs of each flow at the same time"
          value={value.concurrency}
          inherited={inherited.concurrency}
          isReadOnly={isReadOnly}
          onChange={(concurrency) => onChange({ ...value, concurrency })}
        />
        <SizeField
          label="Output of a step"
          description="The most that one step may output"
          value={value.step_output_bytes}
          inherited={inherited.stepOutput}
          isReadOnly={isReadOnly}
          onChange={(step_output_bytes) => onChange({ ...value, step_output_bytes })}
        />
        <SizeField
          label="Output of a run"
          description="The most that all steps of a run may output"
          value={value.run_output_bytes}
          inherited={inherited.runOutput}
          isReadOnly={isReadOnly}
          onChange={(run_output_bytes) => onChange({ ...value, run_output_bytes })}
        />
      </div>
    </fieldset>
  )
}

interface LimitFieldProps {
  readonly label: string
  readonly description: string
  readonly value: string
  readonly inherited: Setting<number> | undefined
  readonly isReadOnly: boolean
  readonly onChange: (text: string) => void
}

function LimitField({ value, inherited, isReadOnly, onChange, ...texts }: LimitFieldProps) {
  return (
    <TextInput
      {...texts}
      inputMode="numeric"
      disabled={isReadOnly}
      placeholder={`Not set here (${inheritedText(inherited, 'no limit')})`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={limitFault(value)}
    />
  )
}

function SizeField({ value, inherited, isReadOnly, onChange, ...texts }: LimitFieldProps) {
  const above =
    inherited === undefined
      ? "the service's default"
      : `${sizeText(inherited.value)} from ${inherited.context}`
  return (
    <TextInput
      {...texts}
      disabled={isReadOnly}
      placeholder={`Not set here (${above})`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={sizeFault(value)}
    />
  )
}

function inheritedText(inherited: Setting<string | number> | undefined, otherwise: string): string {
  if (inherited === undefined) return otherwise
  return `${inherited.value === 0 ? 'no limit' : inherited.value} from ${inherited.context}`
}
