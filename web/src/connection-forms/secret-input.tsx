import { Button, Input, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { IconLock } from '../design/icons/page-icons.ts'
import classes from './connection-form.module.css'
import type { SecretField } from './form-fields.ts'

interface SecretInputProps {
  readonly field: SecretField
  /** Undefined where what is stored stays; null where it is to go. */
  readonly value: string | null | undefined
  readonly isStored: boolean
  /** One is stored, for another address than the form has now. */
  readonly isLeftBehind: boolean
  readonly fault: string | undefined
  readonly onChange: (value: string | null | undefined) => void
}

/** A secret goes in and never comes out: one that is stored is kept, replaced or taken away, and never shown. */
export function SecretInput({ field, value, isStored, isLeftBehind, fault, onChange }: SecretInputProps) {
  const { title, isRequired } = field
  const [isReplacing, setReplacing] = useState(false)
  const decide = (next: string | null | undefined) => {
    setReplacing(next === '')
    onChange(next)
  }
  if (isStored && value === undefined) {
    return <Stored title={title} isRequired={isRequired} onDecide={decide} />
  }
  if (isStored && value === null) {
    return (
      <Input.Wrapper label={title} labelElement="div">
        <div className={classes.stored}>
          <span>Removed when you save</span>
          <Button size="compact-sm" variant="default" onClick={() => decide(undefined)}>
            Keep it
          </Button>
        </div>
      </Input.Wrapper>
    )
  }
  return (
    <div className={classes.replacing}>
      <PasswordInput
        label={title}
        description={descriptionOf(isStored, isLeftBehind)}
        withAsterisk={isRequired}
        error={fault}
        // Not a password of this page: nothing is to be offered or kept by the browser.
        autoComplete="new-password"
        spellCheck={false}
        autoFocus={isReplacing}
        visibilityToggleButtonProps={{ 'aria-label': `Show what you typed as ${title}`, tabIndex: 0 }}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isStored && (
        <Button size="compact-sm" variant="subtle" onClick={() => decide(undefined)}>
          Keep the stored one
        </Button>
      )}
    </div>
  )
}

function descriptionOf(isStored: boolean, isLeftBehind: boolean): string {
  if (isLeftBehind)
    return 'Enter it again: the connection has another address now, and the stored one was entered for the old one.'
  return isStored ? 'Replaces the stored one when you save.' : 'Stored encrypted and never shown again.'
}

interface StoredProps {
  readonly title: string
  readonly isRequired: boolean
  readonly onDecide: (value: string | null) => void
}

function Stored({ title, isRequired, onDecide }: StoredProps) {
  return (
    <Input.Wrapper label={title} labelElement="div">
      <div className={classes.stored}>
        <span className={classes.sealed}>
          <IconLock size={14} aria-hidden />
          Stored, never shown
        </span>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Replace ${title}`}
          onClick={() => onDecide('')}
        >
          Replace
        </Button>
        {!isRequired && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove ${title}`}
            onClick={() => onDecide(null)}
          >
            Remove
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}
