import { useMemo } from 'react'
import { IconAlertTriangle } from '../../../../design/icons/page-icons.ts'
import { faultsWhileWriting, templateFaults } from '../../../../editor/template/template-faults.ts'
import { useSettled } from '../../fields/use-settled.ts'
import classes from './template-field.module.css'
import type { TemplateScope } from './template-language.ts'

interface TemplateFaultsProps {
  readonly template: string
  readonly scope: TemplateScope
  readonly isWriting: boolean
  /** Only what the last payload has no value for: what is wrong with the template itself is said elsewhere. */
  readonly gapsOnly?: boolean
}

/** What is wrong with a template, in the words of the run that would fail; nothing new of it while it is being written. */
export function TemplateFaults({
  template,
  scope: { data, variables },
  isWriting,
  gapsOnly = false
}: TemplateFaultsProps) {
  const now = useMemo(() => templateFaults(template, data, variables), [template, data, variables])
  const settled = useSettled(now, isWriting)
  const faults = isWriting ? faultsWhileWriting(settled, now) : now
  return (
    <ul className={classes.faults} aria-label="Template problems" aria-live="polite">
      {faults
        .filter(({ severity }) => !gapsOnly || severity === 'warning')
        .map(({ from, severity, message }) => (
          <li key={from} data-severity={severity}>
            <IconAlertTriangle size={13} aria-hidden />
            <span>{message}</span>
          </li>
        ))}
    </ul>
  )
}
