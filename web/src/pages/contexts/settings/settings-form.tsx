import { Button } from '@mantine/core'
import { useState } from 'react'
import { parentPath, ROOT } from '../../../../../src/contexts/context-path.ts'
import { writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { contextScopeOf } from '../../../api/context-scope.ts'
import { type ContextChange, type ContextFacts, useChangeContext } from '../../../api/contexts.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { areSound, limitsOf, limitTexts } from './limits.ts'
import { SettingFields, type SettingTexts } from './setting-fields.tsx'
import classes from './settings.module.css'
import { useUnsavedGuard } from './use-unsaved-guard.ts'
import { VariableFields } from './variable-fields.tsx'
import { faultsIn, rowsOf, variablesOf } from './variable-rows.ts'
import { VariablesInCode, variablesInCode } from './variables-in-code.tsx'

interface SettingsFormProps {
  readonly contexts: readonly ContextFacts[]
  readonly context: ContextFacts
  readonly isReadOnly: boolean
}

export function SettingsForm({ contexts, context, isReadOnly }: SettingsFormProps) {
  const [rows, setRows] = useState(() => rowsOf(context.variables ?? {}))
  const [settings, setSettings] = useState<SettingTexts>(() => settingTexts(context))
  const change = useChangeContext(context.path)
  const isRoot = context.path === ROOT
  const inCode = variablesInCode(context)
  const faults = faultsIn(rows, new Set(inCode.map(({ name }) => name)))
  const hasFaults = faults.size > 0 || !areSound(settings)
  const wanted = hasFaults ? undefined : changeOf(context, variablesOf(rows), settings)
  const isDirty = wanted === undefined || writeJson(wanted) !== writeJson(savedOf(context))
  useUnsavedGuard(isDirty && !isReadOnly, `The variables and settings of ${context.path} are not saved.`)
  const discard = () => {
    setRows(rowsOf(context.variables ?? {}))
    setSettings(settingTexts(context))
    change.reset()
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (wanted === undefined) return
    change.mutate(wanted, {
      onSuccess: () =>
        notifyDone(`The ${isRoot ? 'variables of the root' : `settings of ${context.path}`} were saved.`)
    })
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label="Variables and settings">
      <VariableFields rows={rows} faults={faults} onChange={setRows} isReadOnly={isReadOnly} />
      <VariablesInCode variables={inCode} />
      {!isRoot && (
        <SettingFields
          value={settings}
          onChange={setSettings}
          inherited={contextScopeOf(contexts, parentPath(context.path) ?? ROOT).settings}
          isReadOnly={isReadOnly}
        />
      )}
      <ProblemNote error={change.error} />
      {!isReadOnly && (
        <div className={classes.save}>
          <Button type="submit" loading={change.isPending} disabled={!isDirty || hasFaults}>
            Save
          </Button>
          <Button variant="default" disabled={!isDirty} onClick={discard}>
            Discard
          </Button>
          <span className={classes.state} role="status">
            {hasFaults ? 'Some values are not valid yet; see above.' : isDirty ? 'Not saved yet.' : ''}
          </span>
        </div>
      )}
    </form>
  )
}

function settingTexts({ default_auth, limits = {} }: ContextFacts): SettingTexts {
  return { default_auth: default_auth ?? null, ...limitTexts(limits) }
}

/** The root holds variables alone: the limits of all flows are set where the service is configured. */
function changeOf(
  { path }: ContextFacts,
  variables: ReturnType<typeof variablesOf>,
  settings: SettingTexts
): ContextChange {
  if (path === ROOT) return { variables }
  return { variables, default_auth: settings.default_auth, limits: limitsOf(settings) }
}

function savedOf(context: ContextFacts): ContextChange {
  return changeOf(context, context.variables ?? {}, settingTexts(context))
}
